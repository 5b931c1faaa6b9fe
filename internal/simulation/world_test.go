package simulation

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/transport"
)

// running is an operation under way.
type running struct {
	index  int // among the steps
	random *rand.Rand
	cancel context.CancelFunc
	faults int                    // how many more there may be
	met    int                    // how many there were
	before int                    // how many requests for metadata had failed when it began
	ended  bool                   // its context has
	dead   bool                   // its program has died
	broken func(f transport.Fate) // is called for each fault, if it is not nil
	name   string
	store  shapes.Store

	program *program
	began   time.Time
	late    time.Duration // how long its caller waits, 0 for ever

	session   *session
	elsewhere bool // a region that does not write has answered a request of it

	in   []string // the regions that got requests for documents of it
	sent int      // how many of these there were
}

// world is an account, and who chooses.
type world struct {
	*transport.Account
	random *rand.Rand // chooses the order
	rate   float64    // of faults
	leaps  int        // one of so many requests is late by seconds
	acted  int
	meta   int          // how many requests for metadata, or of a directory, have failed, which several operations wait for
	calm   atomic.Bool  // no faults any more
	chosen atomic.Int64 // 1 more than the index of the operation whose request is about to act; 0 for none
	absent time.Time    // since when there is no container, zero if there is one
	strike func(q *transport.Request, f *transport.Fault)
	orders chan func() // what run does between two requests

	mu      sync.Mutex
	running map[int]*running // by index
}

func newWorld(seed uint64, luck *transport.Luck, regions ...string) (*world, error) {
	a, err := transport.NewAccount(luck, regions...)
	if err != nil {
		return nil, err
	}
	w := &world{Account: a, random: rand.New(rand.NewPCG(seed, 1)), leaps: 500, orders: make(chan func()), running: map[int]*running{}}
	a.Answered = w.answered
	return w, nil
}

// begin returns a context whose requests are those of an operation.
func (w *world) begin(ctx context.Context, by *running) context.Context {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running[by.index] = by
	return transport.WithIndex(ctx, by.index)
}

// by returns the operation that sends a request.
func (w *world) by(q *transport.Request) *running {
	w.mu.Lock()
	defer w.mu.Unlock()
	if by := w.running[q.Index]; by != nil {
		return by
	}
	return &running{index: -1} // of no operation, such as reading the account
}

// undisturbed reports whether no request has failed that an operation waited for.
func (w *world) undisturbed(by *running) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return by.met == 0 && w.meta == by.before && !by.expired() && w.absent.IsZero()
}

// expired reports whether the caller of an operation waits no more.
func (by *running) expired() bool { return by.late > 0 && time.Since(by.began) >= by.late }

// run lets requests act, one after the other, until done is closed.
func (w *world) run(done <-chan struct{}, between func()) error {
	for {
		select {
		case f := <-w.orders:
			f()
		default:
		}
		w.chosen.Store(0)
		q := w.Next(w.random.IntN)
		if q == nil {
			select {
			case <-done:
				return nil
			case f := <-w.orders:
				f()
			case <-w.Arrived:
			case <-time.After(2 * purge):
				return errors.New("operations wait for months, and send nothing")
			}
			continue
		}
		w.chosen.Store(int64(q.Index) + 1)
		if w.acted++; w.acted > 200_000 {
			return fmt.Errorf("operation %d %s, and others, send requests without end", q.Index, w.by(q).name)
		}
		if w.random.IntN(w.leaps) == 0 { // requests under way are late by more than reservations last
			time.Sleep(12 * time.Second)
		}
		if w.random.IntN(4) == 0 {
			time.Sleep(time.Duration(w.random.IntN(20_000_000))) // to the nanosecond: timers of one instant go off in any order
		}
		if q.Gone() {
			continue
		}
		f := w.faultOf(q)
		w.strike(q, &f)
		if w.Regions.Elsewhere(q) {
			w.by(q).elsewhere = true
		}
		w.by(q).goes(q, w.Regions.In(q))
		w.Act(q, f)
		between()
	}
}

// order has run call f between two requests, and returns when it has.
func (w *world) order(f func()) {
	done := make(chan struct{})
	w.orders <- func() {
		defer close(done)
		f()
	}
	<-done
}

// faultOf decides what happens to a request.
func (w *world) faultOf(q *transport.Request) transport.Fault {
	by := w.by(q)
	if w.calm.Load() || by.index < 0 || by.faults <= 0 || by.random.Float64() >= w.rate {
		return transport.Fault{}
	}
	f := transport.Fault{Fate: transport.Fate(1 + by.random.IntN(int(transport.Fates)-1)), Cancel: by.cancel}
	if (f.Fate == transport.Cancelled || f.Fate == transport.Abandoned) && by.random.IntN(4) > 0 { // rarer than others
		f.Fate = transport.Dropped
	}
	if by.cancel == nil && (f.Fate == transport.Cancelled || f.Fate == transport.Abandoned) {
		f.Fate = transport.Dropped
	}
	by.faults--
	by.met++
	if !isOfDocuments(q) {
		w.mu.Lock()
		w.meta++
		w.mu.Unlock()
	}
	if f.Fate == transport.Cancelled || f.Fate == transport.Abandoned {
		by.ended = true
	}
	if by.broken != nil {
		by.broken(f.Fate)
	}
	switch f.Fate {
	case transport.Refused, transport.Failed:
		w.errorOf(q, by, &f)
	case transport.Cut:
		f.Left = []string{"{}", "half", ""}[by.random.IntN(3)]
	}
	return f
}

// isOfDocuments reports whether a request is that of one operation: operations share metadata, and
// lookups in a directory.
func isOfDocuments(q *transport.Request) bool {
	return strings.Contains(q.URL.Path, "/docs") && !strings.Contains(q.URL.Path, "/colls/tenants/")
}

// errorOf returns an error that the service gives without having acted, or after it.
func (w *world) errorOf(q *transport.Request, by *running, f *transport.Fault) {
	type failure struct{ status, substatus int }
	docs := strings.Contains(q.URL.Path, "/docs")
	failures := []failure{{429, 3200}, {449, 0}, {503, 0}, {410, 1002}, {410, 1007}, {408, 0}, {500, 0}}
	if !docs {
		failures = []failure{{429, 3200}, {503, 0}, {408, 0}, {500, 0}}
	}
	if f.Fate == transport.Failed {
		failures = []failure{{503, 0}, {408, 0}, {500, 0}}
	} else if (q.Method == http.MethodGet || q.Header.Get("x-ms-documentdb-query") != "") && strings.Contains(q.URL.Path, "/docs/") {
		failures = append(failures, failure{404, 1002})
	}
	chosen := failures[by.random.IntN(len(failures))]
	f.Status, f.Substatus = chosen.status, chosen.substatus
	if f.Status == http.StatusTooManyRequests {
		f.RetryAfter = 1 + by.random.IntN(100)
	}
}

// lost returns how many requests for metadata have failed.
func (w *world) lost() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.meta
}
