package templates

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/formatted"
)

// TestDraftsAreRemembered sees that a memory knows the formatted texts of drafts of
// all kinds of types. If formatting changed more than spaces within lines, each run
// would format again. It does so for the longest lines, which it breaks.
func TestDraftsAreRemembered(t *testing.T) {
	memory := formatted.Open(filepath.Join(t.TempDir(), "cache"))
	for _, c := range goldenTypes {
		for _, typ := range c.types {
			draft, err := Draft(typ)
			if err != nil {
				t.Fatal(err)
			}
			text, err := Format(draft)
			if err != nil {
				t.Fatal(err)
			}
			memory.Learn(draft, text)
			if !memory.Knows(draft, text) && filled(draft) == filled(text) {
				t.Errorf("%s: go/format changes more of type %s than spaces within lines", c.name, typ.Name)
			}
		}
	}
}

// filled returns how many lines of a text are not blank.
func filled(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}
