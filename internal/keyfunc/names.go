package keyfunc

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words splits a name into words in lower case: at everything that is no letter
// or digit, before an upper-case letter after another character, and before the
// last upper-case letter of several that a lower-case one follows. A name without
// any letter or digit is the word value.
func words(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || next) {
			end()
		}
		word = append(word, r)
	}
	end()
	if out == nil {
		return []string{"value"}
	}
	return out
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
		first, size := utf8.DecodeRuneInString(w)
		b.WriteRune(unicode.ToUpper(first))
		b.WriteString(w[size:])
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

// nameParams names the parameters: the words of the property in the language's
// way. A name that the language or the function has taken gets an underscore,
// a digit in front too, and one of several alike a number.
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

// functionWords are the words of the function's name, from that of the type.
func (f *function) functionWords() []string {
	return append(words(f.Name), "partition", "key")
}
