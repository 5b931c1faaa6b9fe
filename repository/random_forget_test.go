package repository

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// plainKey is a key that nothing is asked of.
type plainKey struct{}

func (plainKey) Validate() error { return nil }

// TestUsesAreForgotten finds nothing of structs that are no more.
func TestUsesAreForgotten(t *testing.T) {
	type document struct{ _ *string }
	d := Documents[document, plainKey]{model: &generated.Model[document, plainKey]{Random: &generated.Random[plainKey]{}}}
	living := new(document)
	remember(&d, living, write.Document{})
	gone := make([]weak.Pointer[document], 1000)
	for i := range gone {
		doc := new(document)
		gone[i] = weak.Make(doc)
		remember(&d, doc, write.Document{})
		remember(&d, doc, write.Document{})
	}
	left := len(gone)
	for range 100 {
		runtime.GC()
		left = 0
		for _, p := range gone {
			if _, there := lastUses.Load(p); there {
				left++
			}
		}
		if left == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if _, there := lastUses.Load(weak.Make(living)); left > 0 || !there {
		t.Errorf("%d of %d are remembered, and the one that lives: %t", left, len(gone), there)
	}
	runtime.KeepAlive(living)
}
