package cursor_test

import (
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// TestIsBound takes the effective partition key of four levels, and what comes after it.
func TestIsBound(t *testing.T) {
	key, err := partition.EPK("contoso", "ann", 7.0, "e1")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"": true, "FF": true, key: true, key + "FF": true, key + key: false, strings.ToLower(key): false} {
		if got := cursor.IsBound(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
