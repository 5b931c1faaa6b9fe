package model

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// ambiguity means that different components can make the same key.
type ambiguity struct {
	what    string // the key, or a level of it
	example string // different values that make one key
	// bySign is set if only the sign of an integer makes the key ambiguous: a text that ends with a
	// hyphen before a number, and the text without it before the negative number. As for all
	// ambiguous keys, generated code checks the documents that it finds.
	bySign bool
}

// note returns the message about an ambiguity.
func (a ambiguity) note() string {
	return fmt.Sprintf("%s is ambiguous: %s, so these documents share a logical partition, and Upsert, Replace and Delete read before they write; put \"escape\" on the blank field, or separate the fields by text that they never contain", a.what, a.example)
}

// ambiguous reports whether different components can make the same key of m. Escaped components
// cannot.
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
		a.what = "key " + m.Layout()
		if m.Kind == templates.Hierarchical {
			a.what = fmt.Sprintf("level %d of key %s", i+1, m.Layout())
		}
		a.example = collision(level, all)
	}
	return a, found
}

// uncertain returns the parts of a value that a reader of the key cannot separate, from the first
// to the last, or nil.
//
// It removes from both ends the parts whose form shows where they end: literal text, times, which
// have a fixed width, numbers, which end before the next non-digit, and bools. If parts remain, the
// first and the last may be any text, which may contain everything between them.
func uncertain(level pk.Level) []pk.Part {
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
func free(p pk.Part) bool {
	return p.Component != nil && (p.Component.Value == pk.String || p.Component.Value.Marshaled())
}

// signed reports whether the last part is an integer whose sign may belong to the free text before
// it, because only hyphens separate them.
func signed(all []pk.Part) bool {
	n := len(all)
	return n >= 3 && all[n-1].Component != nil && all[n-1].Component.Value == pk.Int &&
		strings.Trim(all[n-2].Literal, "-") == "" && all[n-2].Literal != "" && free(all[n-3])
}

// maxAttempts limits the search for texts with the same bucket.
const maxAttempts = 100_000

// collision returns an example of two lists of texts that make the same key. All are parts of the
// level.
func collision(level pk.Level, all []pk.Part) string {
	for i := range maxAttempts {
		one, other := pair(all, i)
		key := func(texts map[string]string) string {
			return keyText(level, false, func(c pk.Component) string {
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
			return fmt.Sprintf("the values %s and %s of %s make the same key", tuple(one, all), tuple(other, all), strings.Join(names, " and "))
		}
	}
	return "different values of its fields can make the same key"
}

// pair returns two sets of texts of components, by selector, with the same text of all. Their
// buckets differ between attempts.
func pair(all []pk.Part, attempt int) (one, other map[string]string) {
	one, other = make(map[string]string), make(map[string]string)
	first, last := all[0].Component, all[len(all)-1].Component
	if last.Value == pk.Int {
		// The integer's sign moves to the end of the text before it.
		before := all[len(all)-3].Component
		for _, texts := range []map[string]string{one, other} {
			texts[before.Selector], texts[last.Selector] = "a"+variant(attempt), "1"
		}
		one[before.Selector] += "-"
		other[last.Selector] = "-1"
		return one, other
	}
	between := keyText(pk.Level{Parts: all[1 : len(all)-1]}, false, exampleText)
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

// variant returns a suffix for the texts of an attempt.
func variant(attempt int) string {
	if attempt == 0 {
		return ""
	}
	return strconv.Itoa(attempt)
}

// tuple writes texts as values of the components among parts.
func tuple(texts map[string]string, all []pk.Part) string {
	var quoted []string
	for _, p := range all {
		if p.Component == nil {
			continue
		}
		text := texts[p.Component.Selector]
		if text == "" {
			text = exampleText(*p.Component)
		}
		if !slices.Contains([]pk.Value{pk.Int, pk.Uint, pk.Bool}, p.Component.Value) {
			text = strconv.Quote(text)
		}
		quoted = append(quoted, text)
	}
	return "(" + strings.Join(quoted, ", ") + ")"
}
