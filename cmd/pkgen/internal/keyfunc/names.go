package keyfunc

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// words returns the words of a name in lower case. A name without letters and digits is the word
// value.
func words(name string) []string {
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return []string{"value"}
	}
	return goname.LowerWords(name)
}

// snake writes words as python_does.
func snake(words []string) string {
	return strings.Join(words, "_")
}

// camel writes words as javaScriptDoes.
func camel(words []string) string {
	return words[0] + pascal(words[1:])
}

// pascal writes words as CSharpDoes.
func pascal(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(goname.UpperFirst(w))
	}
	return b.String()
}

// goCamel writes words as goCodeDoes, in which an ID is in one case.
func goCamel(words []string) string {
	words = slices.Clone(words)
	for i, w := range words[1:] {
		if slices.Contains([]string{"http", "id", "ip", "uri", "url", "uuid", "vin"}, w) {
			words[i+1] = strings.ToUpper(w)
		}
	}
	return camel(words)
}

// nameParams names the parameters: the words of the property in the language's style. A name that
// the language or the function uses gets an underscore, and so does a leading digit; equal names
// get a number.
func (f *function) nameParams(casing func([]string) string, reserved string) {
	keep := strings.Fields(reserved)
	var taken []string
	for _, p := range f.params {
		name := casing(p.words)
		if unicode.IsDigit([]rune(name)[0]) {
			name = "_" + name
		}
		if slices.Contains(keep, name) {
			name += "_"
		}
		p.name = name
		for n := 2; slices.Contains(taken, p.name); n++ {
			p.name = name + strconv.Itoa(n)
		}
		taken = append(taken, p.name)
	}
}

// functionWords returns the words of the function's name, from the name of the type.
func (f *function) functionWords() []string {
	return append(words(f.Name), "partition", "key")
}
