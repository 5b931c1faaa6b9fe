package move

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// TestGivesUpWithoutTheFeed has the change feed refused after writes were stopped: they go
// on at the old place.
func TestGivesUpWithoutTheFeed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shared := r.container("orders", tenantPath, nil)
	r.container("orders-own", tenantPath, nil)
	r.store(shared, "a", some(5))
	settings := r.settings("a", "orders-own")
	refused := false
	settings.Progress = func(s Summary) {
		if s.Step == Closing && !refused { // told before the first request of the step
			refused = true
			r.Inject(emulator.Fault{Method: "GET", Path: "colls/orders/docs", Status: 403, Count: 1})
		}
	}
	if _, err := Run(t.Context(), settings); err == nil || !refused {
		t.Fatalf("refused %t: no error", refused)
	}
	r.ClearFaults()
	if got := r.residence("a"); got != " moving with a move" {
		t.Errorf("the directory says %q", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := r.program("a").write(ctx, "o9", "goes on", func() {}); err != nil {
		t.Errorf("a write at the old place: %v", err)
	}
	if _, err := Run(t.Context(), r.settings("a", "orders-own")); err != nil {
		t.Errorf("the move, again: %v", err)
	}
}

// TestPanicOfTheProgram has the program panic in the midst of a move, and recover: the move
// must stop sending heartbeats to the directory.
func TestPanicOfTheProgram(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shared := r.container("orders", tenantPath, nil)
	r.container("orders-own", tenantPath, nil)
	r.store(shared, "a", some(5))
	settings := r.settings("a", "orders-own")
	settings.Progress = func(s Summary) {
		if s.Step == Copying {
			panic("of the program")
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _ = Run(t.Context(), settings)
	}()
	tag := func() string {
		d, err := r.records.Read(t.Context(), "orders", "a")
		if err != nil {
			t.Fatal(err)
		}
		return string(d.ETag)
	}
	before := tag()
	time.Sleep(10 * settings.Rhythm)
	if after := tag(); after != before {
		t.Errorf("after the end the directory is still written: %s, %s", before, after)
	}
}

// TestLostClaim interrupts the move of a tenant with levels while it copies. The one that
// goes on loses the answer to its claim.
func TestLostClaim(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.levelled("orders")
	r.levelled("orders-own")
	for n := range 3 {
		if _, err := r.client("orders").CreateItem(t.Context(), levelsOf("a", n), levelBody(t, "a", n, "x"), nil); err != nil {
			t.Fatal(err)
		}
	}
	settings := r.settings("a", "orders-own")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	settings.Progress = func(s Summary) {
		if s.Step == Copying {
			cancel()
		}
	}
	if _, err := Run(ctx, settings); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	settings = r.settings("a", "orders-own")
	settings.Rhythm = DefaultRhythm // the first document is copied before the first sign of life
	r.Inject(emulator.Fault{Method: "PUT", Path: "colls/directory/docs", Drop: true, After: true})
	if _, err := Run(t.Context(), settings); err != nil {
		t.Error(err)
	}
}
