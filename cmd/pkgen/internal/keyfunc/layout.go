package keyfunc

import (
	"fmt"
	"regexp"
	"strings"
)

// elements finds the elements of a layout for package time, those without padding
// last. Layouts have been checked to hold no others, and no digits besides.
var elements = regexp.MustCompile(`2006|01|02|15|04|05(?:\.0+)?|1|2|4|5(?:\.0+)?`)

// cutLayout cuts a layout into its elements, such as "2006", and the text
// between them. A fraction of a second is an element of its own, ".000".
func cutLayout(layout string, element, text func(string)) {
	at := 0
	for _, m := range elements.FindAllStringIndex(layout, -1) {
		if at < m[0] {
			text(layout[at:m[0]])
		}
		found := layout[m[0]:m[1]]
		if second, fraction, ok := strings.Cut(found, "."); ok {
			element(second)
			element("." + fraction)
		} else {
			element(found)
		}
		at = m[1]
	}
	if at < len(layout) {
		text(layout[at:])
	}
}

// digits returns the number of digits of a second's fraction in a layout.
func digits(layout string) int {
	n := 0
	cutLayout(layout, func(e string) {
		if e[0] == '.' {
			n = len(e) - len(".")
		}
	}, func(string) {})
	return n
}

// precision refuses layouts with more digits of a second than a type of the
// language holds.
func (f *function) precision(most int, holder string) error {
	for _, p := range f.params {
		if n := digits(p.layout); n > most {
			return fmt.Errorf("%s has %d digits of a second in %s, and %s holds %d: "+
				"the key of a finer time would be another; use a language with nanoseconds, such as java",
				p.Property, n, p.layout, holder, most)
		}
	}
	return nil
}
