package repository_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// steadyWrites stores new documents at a rate until the function that it returns is called.
func steadyWrites(t *testing.T, at *repository.Documents[ride, rideKey], perSecond int) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	writers.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			writers.Go(func() {
				if err := at.Create(ctx, &ride{ID: fmt.Sprintf("w%d", i), Day: kit.Day, VIN: fmt.Sprintf("W%d", i)}); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			})
			time.Sleep(time.Second / time.Duration(perSecond))
		}
	})
	return func() {
		cancel()
		writers.Wait()
	}
}

// TestRekeyUnderSteadyLoad has programs write all the while, more documents a second than a fifth
// of the budget: a Rekey with leases moves what it has to, and ends.
func TestRekeyUnderSteadyLoad(t *testing.T) {
	t.Parallel()
	const documents, budget, writes = 300, 500, 150
	synctest.Test(t, func(t *testing.T) {
		v := newVirtualRides(t, 5*time.Millisecond, documents)
		v.Load(`{"id":"leases","partitionKey":{"paths":["/id"],"kind":"Hash","version":2},"defaultTtl":-1}`)
		model := release{now: 12, was: []int{4}}.model()
		model.Stored = nil // documents do not remember their keys
		at := repository.New(v.Container("rides", repository.Configure(nil)), model)
		end := steadyWrites(t, at, writes)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		began := time.Now()
		s, err := admin.Rekey(ctx, at, admin.Run{Budget: budget, Leases: v.Container("leases", repository.Configure(nil))})
		took := time.Since(began)
		end()
		if err != nil || s.Left != 0 || s.Changed == 0 || s.TooSlow {
			t.Errorf("after %s: %+v, %v", took, s, err)
		}
		t.Logf("%s: %+v", took, s)
	})
}

// TestRekeyTooSlow has programs write documents faster than a Rekey can read them within its
// budget: it says so.
func TestRekeyTooSlow(t *testing.T) {
	harness.Unraced(t)
	seeds.Gate(t, "many writes")
	t.Parallel()
	for _, leases := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			v := newVirtualRides(t, 5*time.Millisecond, 20)
			v.Load(`{"id":"leases","partitionKey":{"paths":["/id"],"kind":"Hash","version":2},"defaultTtl":-1}`)
			at := repository.New(v.Container("rides", repository.Configure(nil)), release{now: 12, was: []int{4}}.model())
			there := make([]*ride, 1500)
			for i := range there {
				there[i] = &ride{ID: fmt.Sprintf("t%d", i), Day: kit.Day, VIN: fmt.Sprintf("T%d", i)}
			}
			if _, err := at.UpsertAll(documents.Items(there...)).Collect(t.Context()); err != nil {
				t.Fatal(err)
			}
			run := admin.Run{Budget: admin.MinBudget}
			if leases {
				run.Leases = v.Container("leases", repository.Configure(nil))
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			slow := false
			run.Progress = func(s admin.Summary) {
				if slow = slow || s.TooSlow; slow {
					cancel()
				}
			}
			end := steadyWrites(t, at, 400)
			s, err := admin.Rekey(ctx, at, run)
			end()
			if !slow || !s.TooSlow || !errors.Is(err, context.Canceled) {
				t.Errorf("leases %t: it does not say that it is too slow: %+v, %v", leases, s, err)
			}
		})
	}
}
