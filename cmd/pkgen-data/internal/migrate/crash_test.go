package migrate

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
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
	v, err := m.finish(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	if !v.Equal {
		r.Errorf("%+v", v)
	}
	if v.Written > 0 {
		r.Error("the comparison had to write")
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
	if seeds.Part(t, "two thirds of the requests") {
		step = 9
	}
	for round := range *crashes {
		for at := 1 + round%step; ; at += step {
			whole := true
			for _, after := range []bool{false, true} {
				versions := time.Duration(at%2) * time.Hour // half of the accounts have a feed of deletions
				r := newRig(t, server.Options{Partitions: 2, AllVersions: versions}, toContainer, stateContainer)
				r.load(fromContainer, events(12)...)
				traffic := r.traffic(uint64(1000*round+at), 12, 30)
				ctx, cancel := context.WithCancel(t.Context())
				seen := &history{speeds: map[string]int{}}
				l := &harness.Link{Account: seen.of(r.server), Cancel: cancel, At: at, After: after, Each: func(int, *http.Request) { traffic.write() }}
				m, err := r.migrate(ctx, l)
				if err == nil {
					_, err = m.Compare(ctx)
				}
				cancel()
				whole = whole && l.Requests() < at
				if err == nil && l.Requests() >= at+5 {
					t.Errorf("request %d broke the connection, and the migration ended without an error", at)
				}
				r.finish()
				if len(seen.back) > 0 {
					t.Errorf("request %d, after %v: documents went back: %q", at, after, seen.back)
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
	if seeds.Part(t, "two of three rounds") {
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
				l := &harness.Link{Account: seen.of(r.server), Cancel: cancel, Each: func(int, *http.Request) {
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

// TestSettleInOrder changes a document, and has another process settle it, before each
// request of a process that settles it: nobody writes an older version than is there.
func TestSettleInOrder(t *testing.T) {
	for _, deletes := range []bool{false, true} {
		for at := 1; at <= 4; at++ {
			r := newRig(t, server.Options{Partitions: 1}, toContainer, stateContainer)
			r.load(fromContainer, events(1)...)
			seen := &history{speeds: map[string]int{}}
			settle := func(l *harness.Link, each func(n int, q *http.Request)) {
				o, err := r.options(t.Context(), r.connect(l))
				if err != nil {
					t.Fatal(err)
				}
				m, err := plan(o)
				if err != nil {
					t.Fatal(err)
				}
				d, refusal := m.rekeyer.rekey([]byte(event(0, 0)), 0)
				if refusal != nil {
					t.Fatal(refusal)
				}
				l.Begin(0)
				l.Each = each
				if _, err := m.settle(t.Context(), d.id, d.key, d.source); err != nil {
					t.Error(err)
				}
			}
			fast := &harness.Link{Account: seen.of(r.server)}
			settle(fast, nil)
			w := r.writer()
			w.replace(0, 1)
			slow := &harness.Link{Account: seen.of(r.server)}
			settle(slow, func(n int, _ *http.Request) {
				if n != at {
					return
				}
				w.replace(0, 2)
				settle(fast, nil)
				if deletes {
					w.remove(0)
					settle(fast, nil)
				}
			})
			settle(fast, nil) // what changed after the last request
			if got := r.documents("daily"); len(seen.back) > 0 || len(got) != len(r.documents("events")) {
				t.Errorf("before request %d, deleted: %v: went back %q; %s", at, deletes, seen.back, got)
			}
		}
	}
}
