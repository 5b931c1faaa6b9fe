package function

import (
	"slices"
	"strings"
)

// table holds all functions; functions holds them by name.
var (
	table     []*Function
	functions = map[string]*Function{}
)

func init() {
	for _, category := range []struct {
		name string
		list []*Function
	}{
		{"Aggregate", aggregateFunctions},
		{"Array", arrayFunctions},
		{"Conditional", conditionalFunctions},
		{"Date and time", dateFunctions},
		{"Full text", fullTextFunctions},
		{"Integer", integerFunctions},
		{"Mathematical", mathFunctions},
		{"String", slices.Concat(textFunctions, searchFunctions, convertFunctions)},
		{"Type checking", typeFunctions},
	} {
		list := slices.SortedFunc(slices.Values(category.list), func(a, b *Function) int { return strings.Compare(a.Name, b.Name) })
		for _, f := range list {
			f.Category = category.name
			functions[f.Name] = f
		}
		table = append(table, list...)
	}
}

// All lists all functions, by category and name.
func All() []*Function { return table }

// Lookup returns the function of a name in upper case.
func Lookup(name string) (*Function, bool) {
	f, ok := functions[name]
	return f, ok
}
