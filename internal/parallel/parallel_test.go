package parallel

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEach(t *testing.T) {
	for _, test := range []struct{ n, most, atOnce int }{{0, 4, 0}, {1, 4, 1}, {9, 4, 4}, {3, 4, 3}, {3, 0, 1}} {
		synctest.Test(t, func(t *testing.T) {
			var running, peak atomic.Int64
			done := make([]int, test.n)
			err := Each(t.Context(), test.n, test.most, func(_ context.Context, i int) error {
				now := running.Add(1)
				for peak.Load() < now {
					peak.CompareAndSwap(peak.Load(), now)
				}
				time.Sleep(time.Second)
				running.Add(-1)
				done[i]++
				return nil
			})
			if err != nil || int(peak.Load()) != test.atOnce {
				t.Errorf("%+v: %d at once, %v", test, peak.Load(), err)
			}
			for i, n := range done {
				if n != 1 {
					t.Errorf("%+v: %d was done %d times", test, i, n)
				}
			}
		})
	}
}

func TestEachEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := errors.New("failed")
		var begun atomic.Int64
		err := Each(t.Context(), 100, 3, func(ctx context.Context, i int) error {
			begun.Add(1)
			if i == 1 {
				time.Sleep(time.Second)
				return failed
			}
			<-ctx.Done()
			return ctx.Err()
		})
		if !errors.Is(err, failed) || begun.Load() != 3 {
			t.Errorf("%d begun, %v", begun.Load(), err)
		}
	})
}
