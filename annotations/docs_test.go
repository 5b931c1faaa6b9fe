package annotations

import (
	"os"
	"strings"
	"testing"
)

// TestDocs finds every word, as it is used, in the tag reference.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/tags.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range Words() {
		if !strings.Contains(string(text), "\n| `"+w.Usage()+"` |") {
			t.Errorf("docs/tags.md has no row for `%s`", w.Usage())
		}
	}
}

// TestNoteDocs finds every note in the tag reference.
func TestNoteDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/tags.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range Notes() {
		where := "type"
		if n.OnField {
			where = "field"
		}
		if !strings.Contains(string(text), "\n| `"+n.Name+"` | "+where+" | ") {
			t.Errorf("docs/tags.md has no row for the note %s of a %s", n.Name, where)
		}
	}
}
