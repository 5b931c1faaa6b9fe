package lease

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// The times of the defaults.
const (
	look   = 13 * time.Second
	renew  = 17 * time.Second
	expiry = 60 * time.Second
)

// handling is the model: the changes of each lease that were handled, and the ones that may
// follow.
type handling struct {
	t       *testing.T
	service *service

	mu       sync.Mutex
	end      int // the last change of each lease
	handled  map[string]int
	began    map[string]map[int64]time.Time // by lease and epoch, when its first batch was handled
	overlaps int
	divide   bool
	split    map[string]bool // the leases whose ranges were split: by id
}

func newHandling(t *testing.T, s *service) *handling {
	h := &handling{t: t, service: s, handled: map[string]int{}, began: map[string]map[int64]time.Time{}, split: map[string]bool{}}
	s.saved = h.saved
	return h
}

func number(tag string) int {
	n, _ := strconv.Atoi(tag)
	return n
}

// saved sees each write of the service.
func (h *handling) saved(before, after Lease) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := number(after.Tag)
	if before.ID == "" { // the child of a division
		h.handled[after.ID] = max(h.handled[after.ID], n)
		return
	}
	if n < number(before.Tag) {
		h.t.Errorf("progress of %s goes back from %s to %d", after.ID, before.Tag, n)
	}
	if n > h.handled[after.ID] {
		h.t.Errorf("progress of %s is %d, and %d was handled", after.ID, n, h.handled[after.ID])
	}
	if after.Epoch < before.Epoch {
		h.t.Errorf("the epoch of %s goes back from %d to %d", after.ID, before.Epoch, after.Epoch)
	}
	if before.Owner != after.Owner && after.Owner != "" && after.Epoch == before.Epoch {
		h.t.Errorf("%s has two owners in epoch %d", after.ID, after.Epoch)
	}
}

// handle handles a batch. late says that the machine was stopped before it.
func (h *handling) handle(l Lease, from, to int, late bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	epochs := h.began[l.ID]
	if epochs == nil {
		epochs = map[int64]time.Time{}
		h.began[l.ID] = epochs
	}
	if _, ok := epochs[l.Epoch]; !ok {
		epochs[l.Epoch] = now
	}
	for epoch, since := range epochs {
		if epoch > l.Epoch {
			h.overlaps++
			if !late && now.Sub(since) > expiry+time.Second {
				h.t.Errorf("%s is handled in epoch %d, %s after it was handled in epoch %d", l.ID, l.Epoch, now.Sub(since), epoch)
			}
		}
	}
	if from > h.handled[l.ID]+1 {
		h.t.Errorf("%s: %d is handled after %d", l.ID, from, h.handled[l.ID])
	}
	h.handled[l.ID] = max(h.handled[l.ID], to)
}

// work is what a worker does with a lease.
func (h *handling) work(m *machine) func(context.Context, *Held) error {
	return func(ctx context.Context, held *Held) error {
		for ctx.Err() == nil {
			l := held.Lease()
			from := number(l.Tag) + 1
			h.mu.Lock()
			to := min(h.end, from+rand.IntN(5))
			if h.divide && rand.IntN(40) == 0 {
				h.split[l.ID] = true // for good: whoever has the lease then divides it
			}
			divide := h.split[l.ID]
			h.mu.Unlock()
			if halves := halves(*l.Range); divide && halves != nil {
				var children []Lease
				for _, half := range halves {
					children = append(children, DotNet.NewLease("p", "", half, l.Tag, time.Now()))
				}
				if err := held.Divide(ctx, children); err == nil || errors.Is(err, ErrLost) {
					return err
				}
				continue
			}
			if to < from {
				if err := backoff.Sleep(ctx, time.Second); err != nil {
					return err
				}
				continue
			}
			before := time.Now()
			m.run()
			late := !before.Equal(time.Now())
			h.handle(l, from, to, late)
			time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond) // a handler that does not look at ctx
			for {
				err := held.Save(ctx, strconv.Itoa(to))
				if errors.Is(err, ErrLost) {
					return err
				}
				if err == nil || ctx.Err() != nil {
					break
				}
			}
		}
		return nil
	}
}

// halves divides a range of bounds of two digits, down to a sixteenth of all.
func halves(r Range) []Range {
	low, _ := strconv.ParseInt("0"+r.Min, 16, 64)
	high, _ := strconv.ParseInt(r.Max, 16, 64)
	if high-low <= 16 {
		return nil
	}
	middle := fmt.Sprintf("%02X", (low+high)/2)
	return []Range{{r.Min, middle}, {middle, r.Max}}
}

// worker starts a worker on a machine of its own. The functions stop it for good as a
// program ends, and for a while.
func (h *handling) worker(name string) (end func(), m *machine) {
	ctx, cancel := context.WithCancel(context.Background())
	m = newMachine(h.service)
	w := &Worker{Store: m, Name: name, Look: look, Renew: renew, Expire: expiry, Handle: h.work(m)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := w.Run(ctx); !errors.Is(err, context.Canceled) {
			h.t.Errorf("%s: %v", name, err)
		}
	}()
	return func() { cancel(); <-done }, m
}

// owners counts the leases of each worker.
func (s *service) owners() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]int{}
	for _, l := range s.leases {
		all[l.Owner]++
	}
	return all
}

// caughtUp reports whether all is handled and saved.
func (h *handling) caughtUp() bool {
	h.service.mu.Lock()
	defer h.service.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.service.leases {
		if number(l.Tag) != h.end {
			return false
		}
	}
	return true
}

func quarters() []Range { return []Range{{"", "40"}, {"40", "80"}, {"80", "C0"}, {"C0", "FF"}} }

func TestWorkersShareLeases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, quarters()...)
		h := newHandling(t, s)
		h.end = 50
		endA, _ := h.worker("a")
		time.Sleep(time.Second)
		if got := s.owners(); got["a"] != 4 {
			t.Errorf("after a second a worker alone has %v", got)
		}
		endB, _ := h.worker("b")
		time.Sleep(3 * look)
		if got := s.owners(); got["a"] != 2 || got["b"] != 2 {
			t.Errorf("two workers have %v", got)
		}
		endA()
		if got := s.owners(); got[""] != 2 {
			t.Errorf("a worker has ended, and leases are %v", got)
		}
		time.Sleep(look + time.Second)
		if got := s.owners(); got["b"] != 4 {
			t.Errorf("a look after the end of another, a worker has %v", got)
		}
		time.Sleep(time.Minute)
		if !h.caughtUp() {
			t.Error("not all is handled")
		}
		endB()
	})
}

func TestStoppedWorkerLosesItsLeases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, quarters()...)
		h := newHandling(t, s)
		endA, a := h.worker("a")
		time.Sleep(time.Second)
		resume := a.stop()
		endB, _ := h.worker("b")
		time.Sleep(expiry - renew)
		if got := s.owners(); got["a"] < 2 {
			t.Errorf("before its leases expire, a stopped worker has %v", got)
		}
		time.Sleep(expiry)
		if got := s.owners(); got["b"] != 4 {
			t.Errorf("after its leases expired, %v", got)
		}
		h.mu.Lock()
		h.end = 30
		h.mu.Unlock()
		time.Sleep(10 * time.Second)
		resume()
		time.Sleep(5 * look)
		if got := s.owners(); got["a"] != 2 || got["b"] != 2 {
			t.Errorf("a worker that goes on does not take part: %v", got)
		}
		if !h.caughtUp() {
			t.Error("not all is handled")
		}
		endA()
		endB()
	})
}

// TestIdleWorkerKeepsItsLeases counts what an idle hour costs: a renewal of each lease
// in 17 seconds, and no lease is acquired again.
func TestIdleWorkerKeepsItsLeases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, quarters()...)
		end, _ := newHandling(t, s).worker("a")
		time.Sleep(time.Hour)
		leases, writes := s.all()
		for _, l := range leases {
			if l.Owner != "a" || l.Epoch != 1 {
				t.Errorf("after an hour, %s has the owner %q and the epoch %d", l.ID, l.Owner, l.Epoch)
			}
		}
		if most := 4 * int(time.Hour/renew+2); writes > most {
			t.Errorf("%d writes in an hour, more than %d", writes, most)
		}
		end()
	})
}

// TestWorkersAgainstModel lets workers come, be stopped for up to three intervals,
// go on and end, while requests fail and leases are divided. Then all but some are
// quiet, and all is handled within two intervals.
func TestWorkersAgainstModel(t *testing.T) {
	for seed := range seeds.Of(60) {
		synctest.Test(t, func(t *testing.T) { testWorkers(t, int(seed)) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func testWorkers(t *testing.T, seed int) {
	random := rand.New(rand.NewPCG(uint64(seed), 15))
	s := newService(t, quarters()[:1+seed%4]...)
	h := newHandling(t, s)
	h.divide = seed%2 == 0
	s.faults = 0.1 * float64(seed%3)
	type member struct {
		end     func()
		machine *machine
		resume  func()
	}
	var members []member
	for step := range 60 {
		time.Sleep(time.Duration(random.IntN(20)) * time.Second)
		h.mu.Lock()
		h.end += random.IntN(30)
		h.mu.Unlock()
		switch n := random.IntN(10); {
		case n < 3 && len(members) < 8 || len(members) == 0:
			end, m := h.worker(fmt.Sprint("w", step))
			members = append(members, member{end, m, nil})
		case n < 7:
			m := &members[random.IntN(len(members))]
			if m.resume == nil {
				m.resume = m.machine.stop()
			} else {
				m.resume()
				m.resume = nil
			}
		case n == 7 && len(members) > 1:
			i := random.IntN(len(members))
			if members[i].resume == nil {
				members[i].end()
				members = append(members[:i], members[i+1:]...)
			}
		}
	}
	s.mu.Lock()
	s.faults = 0
	s.mu.Unlock()
	h.mu.Lock()
	h.divide, h.end = false, h.end+10
	h.mu.Unlock()
	end, _ := h.worker("last")
	// Handlers have up to 500 ms for a batch of three on average.
	work := time.Duration(h.end) * 200 * time.Millisecond
	time.Sleep(2*expiry + work)
	if !h.caughtUp() {
		t.Errorf("seed %d: %d changes, and not all are handled", seed, h.end)
	}
	var ranges []Range
	leases, _ := s.all()
	for _, l := range leases {
		for _, other := range ranges {
			if l.Range.overlaps(other) {
				t.Errorf("seed %d: two leases have %v", seed, *l.Range)
				for _, l := range leases {
					t.Logf("%v owner %q epoch %d tag %s written %v ago", *l.Range, l.Owner, l.Epoch, l.Tag, time.Since(l.Time))
				}
			}
		}
		ranges = append(ranges, *l.Range)
	}
	all := quarters()[:1+seed%4]
	if gap := uncovered(ranges, Range{"", all[len(all)-1].Max}); gap != nil {
		t.Errorf("seed %d: nobody has %v", seed, gap)
	}
	for _, m := range members {
		if m.resume != nil {
			m.resume()
		}
		m.end()
	}
	end()
}

// overlaps reports whether r and other have keys in common.
func (r Range) overlaps(other Range) bool {
	return partition.CompareEPK(r.Min, other.Max) < 0 && partition.CompareEPK(other.Min, r.Max) < 0
}
