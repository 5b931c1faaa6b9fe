package api

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ways are Each and InOrder.
var ways = map[string]func(context.Context, int, int, Reader[int]) iter.Seq2[int, error]{
	"each": Each[int], "in order": InOrder[int],
}

// pages emits 0 to 9 pages of 3 items for job i, and asserts how many run at once.
func pages(t *testing.T, most int) Reader[int] {
	var running atomic.Int64
	return func(ctx context.Context, i int, emit func([]int) bool) error {
		if n := running.Add(1); n > int64(most) {
			t.Errorf("%d run at once", n)
		}
		defer running.Add(-1)
		for p := range i % 10 {
			if !emit([]int{i*100 + p*3, i*100 + p*3 + 1, i*100 + p*3 + 2}) {
				return ctx.Err()
			}
		}
		return nil
	}
}

func TestEachJobOnce(t *testing.T) {
	for name, way := range ways {
		for _, n := range []int{0, 1, 2, 31, 400} {
			for _, concurrency := range []int{0, 1, 7, 1000} {
				t.Run(fmt.Sprint(name, n, concurrency), func(t *testing.T) {
					var want, got []int
					for i := range n {
						for p := range i % 10 * 3 {
							want = append(want, i*100+p)
						}
					}
					for v, err := range way(context.Background(), n, concurrency, pages(t, max(concurrency, 1))) {
						if err != nil {
							t.Fatal(err)
						}
						got = append(got, v)
					}
					if name == "each" {
						slices.Sort(got)
					}
					if !slices.Equal(got, want) {
						t.Errorf("got %d values, want %d", len(got), len(want))
					}
				})
			}
		}
	}
}

// TestFirstErrorEndsAll has the error last, once, and no job begun long after it.
func TestFirstErrorEndsAll(t *testing.T) {
	broken := errors.New("broken")
	for name, way := range ways {
		for _, n := range []int{1, 50} {
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				var errs []error
				for _, err := range way(context.Background(), n, 4, func(_ context.Context, i int, emit func([]int) bool) error {
					if i == n/2 {
						return broken
					}
					emit([]int{i})
					return nil
				}) {
					errs = append(errs, err)
				}
				if len(errs) == 0 || errs[len(errs)-1] != broken || slices.Index(errs, broken) != len(errs)-1 {
					t.Errorf("got %v", errs)
				}
				if name == "in order" && len(errs) != n/2+1 {
					t.Errorf("%d values before the error", len(errs)-1)
				}
			})
		}
	}
}

// TestLeftLoop leaves the loop, panics in it, and ends its context: no goroutine is left,
// and the context's error comes once.
func TestLeftLoop(t *testing.T) {
	for name, way := range ways {
		for _, n := range []int{1, 2, 40} {
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				endless := func(_ context.Context, i int, emit func([]int) bool) error {
					more := true
					for more {
						more = emit([]int{i})
					}
					return nil
				}
				for range way(context.Background(), n, 4, endless) {
					break
				}
				func() {
					defer func() { _ = recover() }()
					for range way(context.Background(), n, 4, endless) {
						panic("in the loop")
					}
				}()
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
				defer cancel()
				var last error
				count := 0
				for _, err := range way(ctx, n, 4, func(ctx context.Context, _ int, emit func([]int) bool) error {
					for ctx.Err() == nil {
						emit([]int{1})
					}
					return ctx.Err()
				}) {
					if last = err; err != nil {
						count++
					}
				}
				if count != 1 || !errors.Is(last, context.DeadlineExceeded) {
					t.Errorf("%d errors, the last is %v", count, last)
				}
			})
		}
	}
	goleak.VerifyNone(t)
}
