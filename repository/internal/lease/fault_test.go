package lease

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// idle is a handler that has nothing to do.
func idle(ctx context.Context, _ *Held) error {
	<-ctx.Done()
	return nil
}

// TestContextWithACause: the context of signal.NotifyContext ends with a cause that is
// not context.Canceled.
func TestContextWithACause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(context.Background())
		interrupt := errors.New("interrupt signal received")
		time.AfterFunc(time.Minute, func() { cancel(interrupt) })
		w := &Worker{Store: newService(t, quarters()...), Name: "a", Look: look, Renew: renew, Expire: expiry, Handle: idle}
		if err := w.Run(ctx); !errors.Is(err, context.Canceled) || !errors.Is(err, interrupt) {
			t.Errorf("Run ends with %v", err)
		}
	})
}

// silent is a store that does not answer some requests, after the first write was lost.
type silent struct {
	*service
	writes, reads atomic.Int64
}

func (s *silent) Replace(ctx context.Context, l Lease) (Lease, error) {
	if s.writes.Add(1) == 1 {
		return l, errService
	}
	return s.service.Replace(ctx, l)
}

func (s *silent) Read(ctx context.Context, id string) (Lease, error) {
	if s.reads.Add(1) == 1 {
		<-ctx.Done()
		return Lease{}, ctx.Err()
	}
	return s.service.Read(ctx, id)
}

func TestReadThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, quarters()[0])
		end, _ := runWorker(&silent{service: s}, idle)
		time.Sleep(expiry)
		if got := s.owners(); got["a"] != 1 {
			t.Errorf("%s after a request that does not answer, leases are %v", expiry, got)
		}
		_ = end()
	})
}

// TestHandlerReturnsLate stops a machine until another one has its leases. Its handlers do not
// check their contexts. Meanwhile it steals leases, but not the ones it lost, and it keeps the
// ones it has.
func TestHandlerReturnsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, quarters()...)
		m := newMachine(s)
		var at [4]atomic.Int64
		var twice, calls atomic.Int64
		number := func(h *Held) int { return strings.Index("048C", (h.Lease().Range.Min + "0")[:1]) }
		endA, _ := runWorker(m, func(ctx context.Context, h *Held) error {
			calls.Add(1)
			if at[number(h)].Add(1) > 1 {
				twice.Add(1)
			}
			defer at[number(h)].Add(-1)
			if calls.Load() > 4 {
				<-ctx.Done()
				return nil
			}
			time.Sleep(10 * time.Minute)
			return nil
		})
		time.Sleep(time.Second)
		resume := m.stop()
		h := newHandling(t, s)
		endB, _ := h.worker("b")
		time.Sleep(2 * expiry)
		resume()
		time.Sleep(30 * time.Minute)
		if twice.Load() > 0 {
			t.Errorf("%d times a worker handles a lease that it handles already", twice.Load())
		}
		if got := s.owners(); got["a"] != 2 || got["b"] != 2 || calls.Load() != 6 {
			t.Errorf("after the late handlers have returned, leases are %v, after %d calls", got, calls.Load())
		}
		_ = endA()
		endB()
	})
}

// faulty is a store that loses the first requests to make each lease free: one before it
// has taken effect, and one after that.
type faulty struct {
	*service
	frees atomic.Int64
}

func (s *faulty) Replace(ctx context.Context, l Lease) (Lease, error) {
	if l.Owner != "" {
		return s.service.Replace(ctx, l)
	}
	if n := s.frees.Add(1); n == 1 {
		return l, errService
	} else if n > 2 {
		return s.service.Replace(ctx, l)
	}
	_, err := s.service.Replace(ctx, l)
	return l, errors.Join(errService, err)
}

func TestReleaseIsSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, quarters()[0])
		var changes []Change
		w := &Worker{
			Store: &faulty{service: s}, Name: "a", Look: look, Renew: renew, Expire: expiry,
			Handle: func(ctx context.Context, h *Held) error {
				<-ctx.Done()
				return h.Save(ctx, "7")
			},
			Changed: func(_ Lease, c Change, _ error) { changes = append(changes, c) },
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := w.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Run ends with %v", err)
		}
		if leases, _ := s.all(); leases[0].Owner != "" || leases[0].Tag != "7" {
			t.Errorf("after requests that failed at the end, the lease is %+v", leases[0])
		}
		if len(changes) != 2 || changes[1] != Released {
			t.Errorf("Changed is told of %v", changes)
		}
	})
}

// TestLeaseIsDeleted deletes a lease while a worker runs: it is restored once it has been
// missing for some looks, since a query in the midst of a division may miss one.
func TestLeaseIsDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, quarters()...)
		missing := errors.New("a lease is missing")
		var restored atomic.Int32
		var back Lease // under the mutex of s
		remove := func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			for id, l := range s.leases {
				delete(s.leases, id)
				back = l
				return
			}
		}
		put := func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.leases[back.ID] = back
		}
		failures := []error{errService, nil, fmt.Errorf("%w: it cannot be read again", ErrUnusable)}
		w := &Worker{
			Store: s, Name: "a", Look: look, Renew: renew, Expire: expiry, Handle: idle,
			Whole: func(all []Lease) error {
				if len(all) < 4 {
					return missing
				}
				return nil
			},
			Restore: func(context.Context) error {
				failure := failures[restored.Add(1)-1]
				if failure == nil {
					put()
				}
				return failure
			},
		}
		done := make(chan error, 1)
		go func() { done <- w.Run(context.Background()) }()
		time.Sleep(time.Minute)
		remove() // as a query finds it that reads in the midst of a division
		time.Sleep(2 * look)
		put()
		if time.Sleep(5 * look); restored.Load() != 0 {
			t.Fatal("a lease was restored that was missing in two looks")
		}
		remove()
		if time.Sleep(6 * look); restored.Load() != 2 {
			t.Fatalf("Restore was called %d times, the first of which failed", restored.Load())
		}
		if leases, _ := s.all(); len(leases) != 4 {
			t.Fatalf("there are %d leases", len(leases))
		}
		remove()
		select {
		case err := <-done:
			if !errors.Is(err, ErrUnusable) {
				t.Errorf("Run ends with %v", err)
			}
		case <-time.After(5 * look):
			t.Fatal("Run goes on without a lease")
		}
	})
}
