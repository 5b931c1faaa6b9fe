package meter_test

import (
	"context"
	"sync"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

func TestMetersNest(t *testing.T) {
	var outer, inner meter.Meter
	ctx := meter.With(context.Background(), &outer)
	meter.Count(ctx, 1.5)
	below := meter.With(meter.With(meter.With(ctx, &inner), &inner), nil)
	meter.Count(below, 2)
	meter.Count(meter.Repeating(below), 4)
	meter.Count(context.Background(), 8)
	if outer.RequestUnits() != 7.5 || outer.Requests() != 3 || outer.Retries() != 1 {
		t.Errorf("the outer meter has %v, %d, %d", outer.RequestUnits(), outer.Requests(), outer.Retries())
	}
	if inner.RequestUnits() != 6 || inner.Requests() != 2 || inner.Retries() != 1 {
		t.Errorf("the inner meter has %v, %d, %d", inner.RequestUnits(), inner.Requests(), inner.Retries())
	}
}

// TestMetersOfBranches has two contexts of one parent: neither counts for the other.
func TestMetersOfBranches(t *testing.T) {
	parent := meter.With(meter.With(meter.With(context.Background(), new(meter.Meter)), new(meter.Meter)), new(meter.Meter))
	var a, b meter.Meter
	left, right := meter.With(parent, &a), meter.With(parent, &b)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { meter.Count(left, 1) })
		group.Go(func() { meter.Count(right, 2) })
	}
	group.Wait()
	if a.RequestUnits() != 8 || b.RequestUnits() != 16 {
		t.Errorf("got %v and %v", a.RequestUnits(), b.RequestUnits())
	}
}

func TestNoMeterCostsNothing(t *testing.T) {
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() { meter.Count(meter.Repeating(ctx), 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
