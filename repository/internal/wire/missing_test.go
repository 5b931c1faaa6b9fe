package wire

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestSupplyWaitsInTime has a write wait for a container that another one creates: as long
// as its own context lets it.
func TestSupplyWaitsInTime(t *testing.T) {
	t.Parallel()
	creates, created := make(chan struct{}), make(chan struct{})
	m := &Missing{Create: func(context.Context) error { close(creates); <-created; return nil }}
	first := make(chan error, 1)
	go func() { first <- m.supply(context.Background(), 1) }()
	<-creates
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	second := make(chan error, 1)
	go func() { second <- m.supply(ctx, 1) }()
	select {
	case err := <-second:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("a write whose context has ended still waits for another one")
	}
	close(created)
	if err := <-first; err != nil {
		t.Error(err)
	}
	if err := m.supply(t.Context(), 1); err != nil { // the container is there
		t.Error(err)
	}
}
