package querytest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// TestMain finds goroutines that tests left running.
func TestMain(m *testing.M) { harness.Verify(m) }

const day = "2018-08-09"

// event is the nth event of a day, of a vehicle of its own.
func event(n int) *fleet.VehicleEvent {
	return &fleet.VehicleEvent{ID: fmt.Sprintf("e%04d", n), Date: day, VIN: fmt.Sprintf("1HGCM82633A%06d", n), Speed: n % 140}
}

// fill stores n events.
func fill(t testing.TB, events *fleet.VehicleEventRepository, n int) {
	t.Helper()
	errs := make([]error, n)
	var writers sync.WaitGroup
	slots := make(chan struct{}, 64)
	for i := range n {
		slots <- struct{}{}
		writers.Go(func() {
			defer func() { <-slots }()
			errs[i] = events.Create(context.Background(), event(i))
		})
	}
	writers.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
