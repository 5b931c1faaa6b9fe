package migrate

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

var crashes = flag.Int("crashes", 1, "how often a migration crashes at each request")

// finish ends a migration as a process that nobody disturbs, after all writers have
// stopped, and expects both sides to be equal.
func (r *rig) finish() *Verdict {
	r.Helper()
	m, err := r.migrate(r.Context(), r.whole())
	if err != nil {
		r.Fatal(err)
	}
	if err := m.Drain(r.Context()); err != nil {
		r.Fatal(err)
	}
	v, err := m.Compare(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	if !v.Equal {
		r.Errorf("%+v", v)
	}
	if diff := cmp.Diff(r.documents("events"), r.documents("daily")); diff != "" {
		r.Error(diff)
	}
	return v
}

// TestCrashes kills a migration at each of its requests, before it is served and after,
// while a program writes to the source, and ends it by another process. No document is
// lost, none is double, what was deleted is gone, and no document ever goes back.
func TestCrashes(t *testing.T) {
	step := 3 // several rounds have all requests
	if testing.Short() {
		step = 9
	}
	for round := range *crashes {
		for at := 1 + round%step; ; at += step {
			whole := true
			for _, after := range []bool{false, true} {
				r := newRig(t, server.Options{Partitions: 2}, toContainer, stateContainer)
				r.load(fromContainer, events(12)...)
				traffic := r.traffic(uint64(1000*round+at), 12, 30)
				ctx, cancel := context.WithCancel(t.Context())
				l := &link{server: r.server, cancel: cancel, at: at, after: after, each: traffic.write, seen: &history{speeds: map[string]int{}}}
				m, err := r.migrate(ctx, l)
				if err == nil {
					_, err = m.Compare(ctx)
				}
				cancel()
				l.mu.Lock()
				whole = whole && l.n < at
				l.mu.Unlock()
				if err == nil && l.n >= at+5 {
					t.Errorf("request %d broke the connection, and the migration ended without an error", at)
				}
				r.finish()
				if len(l.seen.back) > 0 {
					t.Errorf("request %d, after %v: documents went back: %q", at, after, l.seen.back)
				}
				if t.Failed() {
					t.Fatalf("request %d, after it was served: %v", at, after)
				}
			}
			if whole {
				t.Logf("%d requests", at)
				break
			}
		}
	}
}

// TestRace has two migrations at work on everything at the same time, each of which takes
// the other for dead, with requests that are late. No document ever goes back.
func TestRace(t *testing.T) {
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	for seed := range uint64(rounds * *crashes) {
		r := newRig(t, server.Options{Partitions: 2}, toContainer, stateContainer)
		r.load(fromContainer, events(30)...)
		traffic := r.traffic(seed, 30, 1000)
		seen := &history{speeds: map[string]int{}}
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		for i := range uint64(2) {
			group.Go(func() {
				random := rand.New(rand.NewPCG(seed, i))
				var mu sync.Mutex
				l := &link{server: r.server, cancel: cancel, seen: seen, each: func() {
					mu.Lock()
					d := time.Duration(random.IntN(4)*random.IntN(4)) * 300 * time.Microsecond
					mu.Unlock()
					time.Sleep(d)
				}}
				for ctx.Err() == nil {
					o, err := r.options(ctx, r.connect(l))
					if err != nil {
						break
					}
					o.dead = time.Nanosecond // the other one is dead at once
					m, err := New(ctx, o)
					if err == nil {
						err = m.Run(ctx)
					}
					if err == nil {
						_, err = m.Compare(ctx)
					}
					if err != nil && ctx.Err() == nil && !errors.Is(err, errTaken) {
						t.Error(err)
						break
					}
				}
			})
		}
		for range 150 {
			traffic.write()
			time.Sleep(500 * time.Microsecond)
		}
		cancel()
		group.Wait()
		r.finish()
		if len(seen.back) > 0 {
			t.Errorf("seed %d: documents went back: %q", seed, seen.back)
		}
	}
}
