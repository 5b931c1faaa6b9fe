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
