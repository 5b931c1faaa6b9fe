package keyfunc

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// helpers are the sources, in a language, of the functions that the key's function
// calls.
type helpers struct {
	bucket string // computes the bucket of texts
	lower  string // converts ASCII letters to lower case
	escape string // percent-encodes; with verbs for its name and for set
	utc    string // prepares a time; empty if no function is needed
	exact  string // converts an integer to a double, or fails

	// set returns the separators that escape encodes, and the percent sign.
	set func(separators string) string
}

// helpers returns the functions that the key needs.
func (f *function) helpers(d dialect, h helpers) string {
	var b strings.Builder
	if f.hashes {
		b.WriteString(h.bucket)
	}
	if f.lowers {
		b.WriteString(h.lower)
	}
	for i, separators := range f.escapers {
		fmt.Fprintf(&b, h.escape, d.helper(numbered("escape", i)), h.set(separators))
	}
	if f.has(pk.Time) {
		b.WriteString(h.utc)
	}
	if f.exact(pk.Int, pk.Uint) {
		b.WriteString(h.exact)
	}
	return b.String()
}
