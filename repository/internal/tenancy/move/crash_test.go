package move

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// TestCrashes has moves that crash at each of their requests, before it is sent and after
// it took effect, and another machine that goes on. At the end the tenant is at the
// destination, with each document once.
func TestCrashes(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after %v", after), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.container("orders", tenantPath, nil)
			r.container("orders-own", tenantPath, nil)
			want := some(7)
			r.store(r.client("orders"), "a", want)
			places := []string{"orders-own", "orders"}
			resumed := 0
			for at := 0; ; at++ {
				to := places[at%2]
				ctx, crashed := process(at, after)
				_, err := Run(ctx, r.settings("a", to))
				if !crashed() {
					if err != nil {
						t.Fatal(err)
					}
					break
				}
				if err == nil && !after {
					t.Fatalf("request %d: no error", at)
				}
				done, err := Run(t.Context(), r.settings("a", to))
				if err != nil {
					t.Fatalf("after a crash at request %d: %v", at, err)
				}
				if done.Resumed {
					resumed++
				}
				residence := to + " settled"
				if to == "orders" {
					residence = " settled"
				}
				if r.check("a", to, residence, want); t.Failed() {
					t.Fatalf("after a crash at request %d", at)
				}
			}
			if resumed < 15 {
				t.Errorf("%d moves were resumed", resumed)
			}
		})
	}
}

// TestCrashesTwice has moves whose continuation crashes as well, at each of its requests.
func TestCrashesTwice(t *testing.T) {
	t.Parallel()
	seeds.Gate(t, "many moves")
	r := newRig(t)
	r.container("orders", tenantPath, nil)
	r.container("orders-own", tenantPath, nil)
	want := some(3)
	r.store(r.client("orders"), "a", want)
	places := []string{"orders-own", "orders"}
	turn := 0
	for first := 8; first < 26; first += 3 {
		for second := 3; ; second += 2 {
			to := places[turn%2]
			turn++
			var crashed bool
			for _, at := range []int{first, second} {
				ctx, dead := process(at, at%2 == 0)
				_, _ = Run(ctx, r.settings("a", to))
				crashed = dead()
			}
			if _, err := Run(t.Context(), r.settings("a", to)); err != nil {
				t.Fatalf("after crashes at %d and %d: %v", first, second, err)
			}
			residence := to + " settled"
			if to == "orders" {
				residence = " settled"
			}
			if r.check("a", to, residence, want); t.Failed() {
				t.Fatalf("after crashes at %d and %d", first, second)
			}
			if !crashed {
				break
			}
		}
	}
}

// TestStoppedProcess has a process that is stopped while each of its writes is under way,
// and whose write arrives after another process has ended the move, and the tenant has
// been written at the destination. It takes no effect.
func TestStoppedProcess(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.container("orders", tenantPath, nil)
	r.container("orders-own", tenantPath, nil)
	places := []string{"orders-own", "orders"}
	r.store(r.client("orders"), "a", some(4))
	for at := 0; ; at++ {
		to := places[at%2]
		want := r.stored(r.client(places[(at+1)%2]), "a")
		stop := harness.NewHold(at)
		ended := make(chan error, 1)
		go func() {
			settings := r.settings("a", to)
			_, err := Run(stop.Context(t.Context()), settings)
			ended <- err
		}()
		reached := false
		select {
		case <-stop.Reached:
			reached = true
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
		}
		if !reached {
			return // it has fewer requests
		}
		if _, err := Run(t.Context(), r.settings("a", to)); err != nil {
			t.Fatalf("stopped at request %d: %v", at, err)
		}
		delete(want, "o0")
		want["o1"], want[fmt.Sprintf("new%d", at)] = fmt.Sprintf("changed %d", at), "new"
		client := r.client(to)
		_, err := client.DeleteItem(t.Context(), azcosmos.NewPartitionKeyString("a"), "o0", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.store(client, "a", map[string]string{"o1": want["o1"], fmt.Sprintf("new%d", at): "new"})
		close(stop.Release)
		if err := <-ended; err != nil && !errors.Is(err, ErrRunning) && !strings.Contains(err.Error(), "of the tenant, which is not in this container") {
			t.Errorf("stopped at request %d: %v", at, err)
		}
		if got := r.stored(client, "a"); !maps.Equal(got, want) {
			t.Fatalf("stopped at request %d: %v, want %v", at, got, want)
		}
		r.store(client, "a", map[string]string{"o0": "again"})
	}
}

// TestEndedWhileWatched has a process that finds the move of another one at work, which
// ends while it is watched. The tenant stays where it is by then.
func TestEndedWhileWatched(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.container("orders", tenantPath, nil)
	r.container("orders-own", tenantPath, nil)
	want := some(5)
	r.store(r.client("orders"), "a", want)
	watched := 0
	for at, to := 0, "orders-own"; ; at++ {
		first := harness.NewHold(at)
		ended := make(chan error, 1)
		go func() {
			_, err := Run(first.Context(t.Context()), r.settings("a", to))
			ended <- err
		}()
		select {
		case <-first.Reached:
		case err := <-ended:
			if err != nil || watched < 10 {
				t.Fatalf("%d moves were watched, and then: %v", watched, err)
			}
			return // it has fewer requests
		}
		var release sync.Once
		end := func() {
			close(first.Release)
			if err := <-ended; err != nil && !errors.Is(err, ErrRunning) {
				t.Errorf("held at request %d: %v", at, err)
			}
		}
		second := r.settings("a", to)
		second.Rhythm = time.Second // the first one is not dead
		second.Sleep = func(ctx context.Context, d time.Duration) error {
			release.Do(func() {
				watched++
				end()
			})
			return sleepAtMost(ctx, d, time.Millisecond)
		}
		// It is taken over itself where the other one was held before it claimed the move.
		if _, err := Run(t.Context(), second); err != nil && !errors.Is(err, ErrRunning) {
			t.Errorf("while the other one was held at request %d: %v", at, err)
		}
		release.Do(end)
		if got := r.stored(r.client(to), "a"); !maps.Equal(got, want) {
			t.Fatalf("held at request %d: %v, want %v", at, got, want)
		}
		if to == "orders" {
			to = "orders-own"
		} else {
			to = "orders"
		}
	}
}

// TestTwoMovers has several processes move one tenant at once, to several places.
func TestTwoMovers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.container("orders", tenantPath, nil)
	r.container("orders-own", tenantPath, nil)
	want := some(30)
	r.store(r.client("orders"), "a", want)
	var group sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		group.Go(func() {
			settings := r.settings("a", "orders-own")
			settings.Rhythm = 100 * time.Millisecond // nobody is dead
			_, errs[i] = Run(t.Context(), settings)
		})
	}
	group.Wait()
	ended := 0
	for _, err := range errs {
		switch {
		case err == nil:
			ended++
		case !errors.Is(err, ErrRunning):
			t.Error(err)
		}
	}
	if ended == 0 {
		t.Error("all were refused")
	}
	r.check("a", "orders-own", "orders-own settled", want)
}

// TestOtherDestination refuses to move a tenant elsewhere while a move is not ended.
func TestOtherDestination(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.container("orders", tenantPath, nil)
	r.container("orders-own", tenantPath, nil)
	r.container("orders-other", tenantPath, nil)
	want := some(2)
	r.store(r.client("orders"), "a", want)
	ctx, _ := process(16, true)
	if _, err := Run(ctx, r.settings("a", "orders-own")); err == nil {
		t.Fatal("no crash")
	}
	if _, err := Run(t.Context(), r.settings("a", "orders-other")); err == nil {
		t.Error("two moves at once")
	}
	if _, err := Run(t.Context(), r.settings("a", "orders-own")); err != nil {
		t.Fatal(err)
	}
	r.check("a", "orders-own", "orders-own settled", want)
	if got := r.hidden(r.client("orders-other"), "a"); got != "" {
		t.Errorf("%s is in the other container", got)
	}
}
