package function

import (
	"slices"
	"strings"
)

// categories are the functions by category.
var categories = []struct {
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
	{"Vector", vectorFunctions},
}

// table holds all functions, by category and name.
var table = func() []*Function {
	var all []*Function
	for _, category := range categories {
		list := slices.SortedFunc(slices.Values(category.list), func(a, b *Function) int { return strings.Compare(a.Name, b.Name) })
		for _, f := range list {
			f.Category = category.name
		}
		all = append(all, list...)
	}
	return all
}()

// byName holds all functions by their names.
var byName = func() map[string]*Function {
	functions := make(map[string]*Function, len(table))
	for _, f := range table {
		functions[f.Name] = f
	}
	return functions
}()

// All lists all functions, by category and name.
func All() []*Function { return table }

// Lookup returns the function of a name in upper case.
func Lookup(name string) (*Function, bool) {
	f, ok := byName[name]
	return f, ok
}
