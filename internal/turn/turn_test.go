package turn

import (
	"context"
	"errors"
	"testing"
)

func TestTakeWaitsWithItsContext(t *testing.T) {
	turn := New()
	end, err := turn.Take(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := turn.Take(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a turn that is held was given: %v", err)
	}
	end()
	if _, err := turn.Take(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestRenewedTurnIsFree(t *testing.T) {
	turn := New()
	if _, err := turn.Take(context.Background()); err != nil {
		t.Fatal(err)
	}
	turn.Renew()
	if _, err := turn.Take(context.Background()); err != nil {
		t.Error(err)
	}
}
