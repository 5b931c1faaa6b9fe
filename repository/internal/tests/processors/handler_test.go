package processors

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestProcessorObserver adds up what a dashboard shows.
func TestProcessorObserver(t *testing.T) {
	t.Parallel()
	things := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, things.Server)
	all := things.Add(t, "a", 20)
	var mu sync.Mutex
	counts, documents, behind, failures := map[string]int{}, 0, map[string]int64{}, 0
	observe := kit.Observe(func(_ context.Context, e feed.Event) {
		mu.Lock()
		defer mu.Unlock()
		counts[e.Op]++
		if e.Processor != "projection" || e.Type != "thing" || e.Lease == "" {
			t.Errorf("an event is %+v", e)
		}
		if e.Op != "handle" {
			return
		}
		if e.Duration < time.Millisecond || e.Documents == 0 {
			t.Errorf("a call of the handler is %+v", e)
		}
		if e.Err != nil {
			failures++
			return
		}
		documents += e.Documents
		if before, ok := behind[e.Lease]; ok && documents <= len(all) && e.Lag != before-int64(e.Documents) {
			t.Errorf("after %d more documents, %d changes come after, not %d", e.Documents, e.Lag, before)
		}
		behind[e.Lease] = e.Lag
	})
	var calls atomic.Int64
	var got kit.Handled
	end := kit.RunProcessor(t, feed.NewProcessor(things.Documents, "projection", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		time.Sleep(2 * time.Millisecond)
		if calls.Add(1) == 1 {
			return errors.New("not yet")
		}
		got.Note(changes)
		return nil
	}, kit.Quick, feed.PageSize(3), observe))
	got.Await(t, all)
	if err := things.Server.Split("db", "things", "1"); err != nil {
		t.Fatal(err)
	}
	got.Await(t, things.Add(t, "b", 20))
	end()
	mu.Lock()
	defer mu.Unlock()
	if documents != 40 || failures != 1 || counts["divide"] != 1 || counts["acquire"] != 4 || counts["release"] != 3 || counts["lose"] != 0 {
		t.Errorf("%d documents, %d failures, and of events %v", documents, failures, counts)
	}
	for lease, n := range behind {
		if n != 0 && lease != "1" { // which was divided
			t.Errorf("after all was handled, %d changes of lease %s come after", n, lease)
		}
	}
}

// TestProcessorBoundsMemory gives a process eight ranges and two slots.
func TestProcessorBoundsMemory(t *testing.T) {
	t.Parallel()
	things := kit.NewThings(t, emulator.Options{Partitions: 8}, repository.Configure(nil), false)
	all := things.Add(t, "a", 40)
	two := repository.New(things.Server.Container("things", repository.Configure(nil)), &kit.ThingModel, repository.WithConcurrency(2))
	var at, most atomic.Int64
	var got kit.Handled
	end := kit.RunProcessor(t, feed.NewProcessor(two, "projection", kit.NewLeases(t, things.Server), func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		most.Store(max(most.Load(), at.Add(1)))
		defer at.Add(-1)
		time.Sleep(2 * time.Millisecond)
		got.Note(changes)
		return nil
	}, kit.Quick))
	got.Await(t, all)
	end()
	if n := most.Load(); n > 2 {
		t.Errorf("%d pages at once", n)
	}
}

// TestProcessorOfAContainerMadeAgain deletes the container and makes it again. Run
// ends, and the next Run handles what the new one has.
func TestProcessorOfAContainerMadeAgain(t *testing.T) {
	t.Parallel()
	things := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, things.Server)
	var got kit.Handled
	p := feed.NewProcessor(things.Documents, "projection", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		got.Note(changes)
		return nil
	}, kit.Quick, feed.PollEvery(20*time.Millisecond))
	done := make(chan error)
	go func() { done <- p.Run(t.Context()) }()
	got.Await(t, things.Add(t, "a", 4))
	watching := feed.NewProcessor(things.Documents, "projection", leases, func(context.Context, []feed.Delivery[kit.Thing]) error { return nil })
	if lags, err := watching.Lag(t.Context()); err != nil || len(lags) != 2 {
		t.Errorf("the lag is %v, %v", lags, err)
	}
	things.Server.Recreate(things.Server.Container("things", repository.Configure(nil)), harness.Properties("things", "/pk"))

	select {
	case err := <-done:
		var own *repository.Error
		if !errors.As(err, &own) || !strings.Contains(fmt.Sprint(err), "deleted and created again") || !strings.Contains(fmt.Sprint(err), "call Run again") {
			t.Errorf("Run ends with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("Run goes on")
	}
	if _, err := watching.Lag(t.Context()); err == nil || !strings.Contains(err.Error(), "deleted and created again") {
		t.Errorf("the lag is refused by %v", err)
	}
	end := kit.RunProcessor(t, p)
	got.Await(t, things.Add(t, "b", 4))
	end()
	if lags, err := watching.Lag(t.Context()); err != nil || len(lags) == 0 {
		t.Errorf("after a Run in the new container, the lag is %v, %v", lags, err)
	}
}
