package untyped

import (
	"runtime"
	"testing"
	"time"
	"weak"
)

// TestUsesAreForgotten finds nothing of structs that are no more.
func TestUsesAreForgotten(t *testing.T) {
	type document struct{ _ *string }
	living := new(document)
	at, _ := addressOf(living)
	noteUse(living, use{})
	gone := make([]weak.Pointer[byte], 1000)
	for i := range gone {
		doc := new(document)
		gone[i], _ = addressOf(doc)
		noteUse(doc, use{})
		noteUse(doc, use{})
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
	if _, there := lastUses.Load(at); left > 0 || !there {
		t.Errorf("%d of %d are remembered, and the one that lives: %t", left, len(gone), there)
	}
	runtime.KeepAlive(living)
}
