package keyfunc

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// precision refuses layouts with more digits of a second than a type of the language holds.
func (f *function) precision(most int, holder string) error {
	for _, p := range f.params {
		if n := timelayout.FractionDigits(p.layout); n > most {
			return fmt.Errorf("%s has %d digits of a second in %s, and %s holds %d: "+
				"a finer time would get another key; use a language with nanoseconds, such as java",
				p.Property, n, p.layout, holder, most)
		}
	}
	return nil
}
