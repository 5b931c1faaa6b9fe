package generator

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// ambiguity returns a note if different components can make one key of m, else
// "". Components that end or begin where their form says are set aside from
// both ends; the text of what remains can be cut at several separators if it
// has two components or more.
func ambiguity(m *templates.Type, sep string) string {
	var all []templates.Component
	for _, p := range m.Parts {
		if p.Component != nil {
			all = append(all, *p.Component)
		}
	}
	for len(all) > 0 && !free(all[0]) {
		all = all[1:]
	}
	for len(all) > 0 && endsItself(all, sep) {
		all = all[:len(all)-1]
	}
	if len(all) < 2 {
		return ""
	}
	one, other := example(all, sep)
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Selector
	}
	return fmt.Sprintf("key %s is ambiguous: the values %s and %s of %s make one key, so that such documents share a logical partition; choose a separator that the fields never hold, by \"sep\"",
		m.Layout, tuple(one, all), tuple(other, all), strings.Join(names, " and "))
}

// free reports whether a component may hold any text.
func free(c templates.Component) bool {
	return c.Value == templates.String || isText(c.Value)
}

// endsItself reports whether the beginning of the last component is certain
// from the end of the key. The sign of an integer is not, after free text and a
// separator of hyphens.
func endsItself(all []templates.Component, sep string) bool {
	last := all[len(all)-1]
	if last.Value == templates.Int && len(all) == 2 && strings.Trim(sep, "-") == "" {
		return !free(all[0])
	}
	return !free(last)
}

// example returns two lists of texts that make one key.
func example(all []templates.Component, sep string) (one, other []string) {
	if all[len(all)-1].Value == templates.Int {
		return []string{"a-", "1"}, []string{"a", "-1"}
	}
	var middle []string
	for _, c := range all[1 : len(all)-1] {
		middle = append(middle, exampleText(c))
	}
	if middle == nil {
		return []string{"a" + sep + "b", "c"}, []string{"a", "b" + sep + "c"}
	}
	joined := strings.Join(middle, sep)
	one = append(append([]string{"a" + sep + joined}, middle...), "c")
	other = append(append([]string{"a"}, middle...), joined+sep+"c")
	return one, other
}

// tuple writes texts as values of components.
func tuple(texts []string, all []templates.Component) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
		if v := all[i].Value; v == templates.Int || v == templates.Uint || v == templates.Bool {
			quoted[i] = text
		}
	}
	return "(" + strings.Join(quoted, ", ") + ")"
}
