package lease

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// runWorker starts a worker whose handler is handle. The functions end it, and return
// what Run returned or panicked with.
func runWorker(store Store, handle func(context.Context, *Held) error) (end func() error, done func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				result <- fmt.Errorf("panic: %v", v)
			}
		}()
		w := &Worker{Store: store, Name: "a", Look: look, Renew: renew, Expire: expiry, Handle: handle}
		result <- w.Run(ctx)
	}()
	done = func() error { return <-result }
	return func() error { cancel(); return done() }, done
}

func TestHandlersThatDoNotReturn(t *testing.T) {
	for name, test := range map[string]struct {
		handle func()
		want   string
	}{
		"panic": {func() { panic("no such projection") }, "panic: no such projection"},
		"exit":  {runtime.Goexit, "a handler has ended its goroutine"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t, quarters()...)
			var once atomic.Bool
			_, done := runWorker(s, func(ctx context.Context, _ *Held) error {
				time.Sleep(time.Second)
				if once.CompareAndSwap(false, true) {
					test.handle()
				}
				<-ctx.Done()
				return nil
			})
			err := done()
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("%s: Run ends with %v", name, err)
			}
			if name == "panic" && !strings.Contains(err.Error(), "handler_test.go") {
				t.Errorf("the panic does not say where it was: %v", err)
			}
			if got := s.owners(); got[""] != 4 {
				t.Errorf("%s: when Run has ended, leases are %v", name, got)
			}
			time.Sleep(time.Minute)
			if _, writes := s.all(); writes != 8 {
				t.Errorf("%s: %d writes of 4 leases: somebody goes on", name, writes)
			}
		})
	}
}

// TestHandlerIgnoresItsContext has one range in ten minutes' work when the worker is to
// stop: the others are free at once, and Run does not wait longer than for its lease.
func TestHandlerIgnoresItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, quarters()...)
		var once atomic.Bool
		end, _ := runWorker(s, func(ctx context.Context, _ *Held) error {
			if once.CompareAndSwap(false, true) {
				time.Sleep(10 * time.Minute)
				return nil
			}
			<-ctx.Done()
			return nil
		})
		time.Sleep(5 * time.Minute)
		if leases, _ := s.all(); s.owners()["a"] != 4 || leases[0].Epoch != 1 {
			t.Errorf("after five minutes of handling, the worker has %v", s.owners())
		}
		stopped := time.Now()
		go func() {
			time.Sleep(time.Second)
			if got := s.owners(); got[""] != 3 {
				t.Errorf("a second after the stop, leases are %v", got)
			}
		}()
		if err := end(); !errors.Is(err, context.Canceled) || !errors.Is(err, ErrRunning) {
			t.Errorf("Run ends with %v", err)
		}
		if d := time.Since(stopped); d > expiry+time.Second {
			t.Errorf("Run waits for %s", d)
		}
		time.Sleep(10 * time.Minute) // the handler returns
	})
}

// TestLeaseIsLostDuringHandling has the service fail until the lease is lost, while a
// handler does not look at its context: the worker does not start a second one.
func TestLeaseIsLostDuringHandling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, quarters()[:1]...)
		var handlers, most, calls atomic.Int64
		end, _ := runWorker(s, func(ctx context.Context, _ *Held) error {
			most.Store(max(most.Load(), handlers.Add(1)))
			defer handlers.Add(-1)
			calls.Add(1)
			time.Sleep(5 * time.Minute)
			return ctx.Err()
		})
		time.Sleep(10 * time.Second)
		fail := func(share float64) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.faults = share
		}
		fail(2)
		time.Sleep(2 * expiry)
		fail(0)
		time.Sleep(7 * time.Minute) // the second call has begun, and has not returned
		if most.Load() != 1 || calls.Load() != 2 {
			t.Errorf("%d handlers of one range at once, %d calls", most.Load(), calls.Load())
		}
		_ = end()
		time.Sleep(5 * time.Minute)
	})
}

// hanging is a store whose every third write does not answer.
type hanging struct {
	*service
	writes atomic.Int64
}

func (s *hanging) Replace(ctx context.Context, l Lease) (Lease, error) {
	if s.writes.Add(1)%3 == 0 {
		<-ctx.Done()
		return l, ctx.Err()
	}
	return s.service.Replace(ctx, l)
}

func TestRequestsThatHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, quarters()[0])
		end, _ := runWorker(&hanging{service: s}, func(ctx context.Context, _ *Held) error {
			<-ctx.Done()
			return nil
		})
		time.Sleep(time.Hour)
		if leases, _ := s.all(); leases[0].Epoch != 1 || leases[0].Owner != "a" {
			t.Errorf("the lease of a worker whose writes hang sometimes was lost: %+v", leases[0])
		}
		_ = end()
	})
}
