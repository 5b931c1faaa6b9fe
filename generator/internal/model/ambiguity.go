package model

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// ambiguity is that different components can make one key.
type ambiguity struct {
	what    string // the key, or a level of it
	example string // values that make one key
	// bySign says that it is by the sign of an integer alone: a text that ends with a
	// hyphen before a number, and the text without it before the negative number.
	// Generated code looks whose a document is, as for all ambiguous keys.
	bySign bool
}

// note is the message about it.
func (a ambiguity) note() string {
	return fmt.Sprintf("%s is ambiguous: %s, so that such documents share a logical partition, and Upsert, Replace and Delete read before they write; put \"escape\" on the blank field, or choose text between the fields that they never hold", a.what, a.example)
}

// ambiguous finds out whether different components can make one key of m. Escaped
// components cannot.
func ambiguous(m *templates.Type) (a ambiguity, found bool) {
	if m.Escape {
		return a, false
	}
	a.bySign = true
	for i, level := range m.Levels {
		if !level.Made {
			continue
		}
		all := uncertain(level)
		if all == nil {
			continue
		}
		a.bySign = a.bySign && len(all) == 3 && signed(all)
		if found {
			continue
		}
		found = true
		a.what = "key " + m.Layout
		if m.Kind == templates.Hierarchical {
			a.what = fmt.Sprintf("level %d of key %s", i+1, m.Layout)
		}
		a.example = collision(level, all)
	}
	return a, found
}

// uncertain returns the parts of a value whose components cannot be told from
// the key, from the first of them to the last, or nil.
//
// Parts that end or begin where their form says are set aside from both ends:
// literal text, times, whose width is fixed, numbers, which end where no digit
// follows, and bools. Of what remains both ends may hold any text, and with it
// everything between them.
func uncertain(level templates.Level) []templates.Part {
	all := level.Parts
	for len(all) > 0 && !free(all[0]) {
		all = all[1:]
	}
	for len(all) > 0 && !free(all[len(all)-1]) && !signed(all) {
		all = all[:len(all)-1]
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// free reports whether a part may be any text.
func free(p templates.Part) bool {
	return p.Component != nil && (p.Component.Value == templates.String || IsText(p.Component.Value))
}

// signed reports whether the last part is an integer whose sign may belong to
// the free text before, which hyphens alone separate from it.
func signed(all []templates.Part) bool {
	n := len(all)
	return n >= 3 && all[n-1].Component != nil && all[n-1].Component.Value == templates.Int &&
		strings.Trim(all[n-2].Literal, "-") == "" && all[n-2].Literal != "" && free(all[n-3])
}

// maxAttempts bounds the search for texts of one bucket.
const maxAttempts = 100_000

// collision gives an example of two lists of texts that make one key: the values
// of the components within all, which are some of the level.
func collision(level templates.Level, all []templates.Part) string {
	for i := range maxAttempts {
		one, other := pair(all, i)
		key := func(texts map[string]string) string {
			return keyText(level, false, func(c templates.Component) string {
				return cmp.Or(texts[c.Selector], exampleText(c))
			})
		}
		if key(one) == key(other) {
			var names []string
			for _, p := range all {
				if p.Component != nil {
					names = append(names, p.Component.Selector)
				}
			}
			return fmt.Sprintf("the values %s and %s of %s make one key", tuple(one, all), tuple(other, all), strings.Join(names, " and "))
		}
	}
	return "different values of its fields can make one key"
}

// pair returns the texts of components, by selector, that make one text of all
// but for buckets, which differ between attempts.
func pair(all []templates.Part, attempt int) (one, other map[string]string) {
	one, other = make(map[string]string), make(map[string]string)
	first, last := all[0].Component, all[len(all)-1].Component
	if last.Value == templates.Int {
		// The integer's sign moves to the end of the text before it.
		before := all[len(all)-3].Component
		for _, texts := range []map[string]string{one, other} {
			texts[before.Selector], texts[last.Selector] = "a"+variant(attempt), "1"
		}
		one[before.Selector] += "-"
		other[last.Selector] = "-1"
		return one, other
	}
	between := keyText(templates.Level{Parts: all[1 : len(all)-1]}, false, exampleText)
	for _, p := range all[1 : len(all)-1] {
		if c := p.Component; c != nil {
			one[c.Selector], other[c.Selector] = exampleText(*c), exampleText(*c)
		}
	}
	a, b := "a"+variant(attempt), "b"+variant(attempt)
	one[first.Selector], one[last.Selector] = a+between+b, "c"
	other[first.Selector], other[last.Selector] = a, b+between+"c"
	return one, other
}

// variant is the end of the texts of an attempt.
func variant(attempt int) string {
	if attempt == 0 {
		return ""
	}
	return strconv.Itoa(attempt)
}

// tuple writes texts as values of the components among parts.
func tuple(texts map[string]string, all []templates.Part) string {
	var quoted []string
	for _, p := range all {
		if p.Component == nil {
			continue
		}
		text := texts[p.Component.Selector]
		if text == "" {
			text = exampleText(*p.Component)
		}
		if !slices.Contains([]templates.Value{templates.Int, templates.Uint, templates.Bool}, p.Component.Value) {
			text = strconv.Quote(text)
		}
		quoted = append(quoted, text)
	}
	return "(" + strings.Join(quoted, ", ") + ")"
}
