package text_test

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

func TestProperty(t *testing.T) {
	for pointer, want := range map[string]string{
		"/vin":         `c["vin"]`,
		"/order":       `c["order"]`,
		"/meta/a.b":    `c["meta"]["a.b"]`,
		"/a~1b/c~0d":   `c["a/b"]["c~d"]`,
		`/say "hello"`: `c["say \"hello\""]`,
	} {
		if got := text.Property(pointer); got != want {
			t.Errorf("%s: got %s, want %s", pointer, got, want)
		}
	}
}
