package repository_test

import (
	"context"
	"encoding/json"
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
)

// TestProcessorUndecodable has a document that does not decode: its range waits, and
// another processor leaves the document out.
func TestProcessorUndecodable(t *testing.T) {
	t.Parallel()
	c := newThings(t, emulator.Options{}, repository.Configure(nil), false)
	leases := newLeases(t, c.server)
	all := c.add(t, "a", 6)
	broken := errors.New("broken")
	things := repository.New(c.server.Container("things", repository.Configure(nil)), &thingModel, repository.WithUnmarshal(func(data []byte, v any) error {
		if strings.Contains(string(data), `"`+all[2].ID) { // an ETag may have the digits
			return broken
		}
		return v.(*thing).UnmarshalJSON(data)
	}))
	var got handled
	handle := func(_ context.Context, changes []repository.Delivery[thing]) error {
		got.note(changes)
		return nil
	}
	var once sync.Once
	told := make(chan error)
	end := process(t, things.Processor("projection", leases, handle, quick, repository.OnRequestError(func(_ context.Context, err error) {
		once.Do(func() { told <- err })
	})))
	err := <-told
	end()
	var own *repository.Error
	if !errors.Is(err, broken) || !errors.As(err, &own) || own.ID != all[2].ID || !strings.Contains(err.Error(), "OnUndecodable") {
		t.Errorf("the error is %v", err)
	}
	if len(got.times) > 0 {
		t.Errorf("of a page with a document that does not decode, %d were handled", len(got.times))
	}
	var letters atomic.Int64
	end = process(t, things.Processor("projection", leases, handle, quick, repository.OnUndecodable(func(_ context.Context, document []byte, err error) bool {
		var stored struct{ ID string }
		if json.Unmarshal(document, &stored) != nil || stored.ID != all[2].ID || !errors.As(err, &own) || own.ID != all[2].ID {
			t.Errorf("left out is %s: %v", document, err)
		}
		letters.Add(1)
		return true
	})))
	if again := got.await(t, append(all[:2:2], all[3:]...)); again != 0 || letters.Load() != 1 || got.times[all[2].ID] != 0 {
		t.Errorf("%d documents were handled again, %d left out", again, letters.Load())
	}
	end()
	c.add(t, all[2].ID, 1) // it does not decode, either
	more := c.add(t, "b", 2)
	stored := make(chan []byte, 1)
	end = process(t, things.Processor("projection", leases, handle, quick, exampleProcessorUndecodable(func(_ context.Context, document []byte) error {
		stored <- document
		return nil
	})))
	got.await(t, more)
	if document := string(<-stored); !strings.Contains(document, `"`+all[2].ID) {
		t.Errorf("stored is %s", document)
	}
	end()
}

// TestProcessorObserver adds up what a dashboard shows.
func TestProcessorObserver(t *testing.T) {
	t.Parallel()
	things := newThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	leases := newLeases(t, things.server)
	all := things.add(t, "a", 20)
	var mu sync.Mutex
	counts, documents, behind, failures := map[string]int{}, 0, map[string]int64{}, 0
	observe := repository.ProcessorObserver(func(_ context.Context, e repository.ProcessorEvent) {
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
	var got handled
	end := process(t, things.Processor("projection", leases, func(_ context.Context, changes []repository.Delivery[thing]) error {
		time.Sleep(2 * time.Millisecond)
		if calls.Add(1) == 1 {
			return errors.New("not yet")
		}
		got.note(changes)
		return nil
	}, quick, repository.ProcessPageSize(3), observe))
	got.await(t, all)
	if err := things.server.Split("db", "things", "1"); err != nil {
		t.Fatal(err)
	}
	got.await(t, things.add(t, "b", 20))
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
	things := newThings(t, emulator.Options{Partitions: 8}, repository.Configure(nil), false)
	all := things.add(t, "a", 40)
	two := repository.New(things.server.Container("things", repository.Configure(nil)), &thingModel, repository.WithConcurrency(2))
	var at, most atomic.Int64
	var got handled
	end := process(t, two.Processor("projection", newLeases(t, things.server), func(_ context.Context, changes []repository.Delivery[thing]) error {
		most.Store(max(most.Load(), at.Add(1)))
		defer at.Add(-1)
		time.Sleep(2 * time.Millisecond)
		got.note(changes)
		return nil
	}, quick))
	got.await(t, all)
	end()
	if n := most.Load(); n > 2 {
		t.Errorf("%d pages at once", n)
	}
}

// TestProcessorOfAContainerMadeAgain deletes the container and makes it again. Run
// ends, and the next Run handles what the new one has.
func TestProcessorOfAContainerMadeAgain(t *testing.T) {
	t.Parallel()
	things := newThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	leases := newLeases(t, things.server)
	var got handled
	p := things.Processor("projection", leases, func(_ context.Context, changes []repository.Delivery[thing]) error {
		got.note(changes)
		return nil
	}, quick, repository.ProcessPollEvery(20*time.Millisecond))
	done := make(chan error)
	go func() { done <- p.Run(t.Context()) }()
	got.await(t, things.add(t, "a", 4))
	watching := things.Processor("projection", leases, func(context.Context, []repository.Delivery[thing]) error { return nil })
	if lags, err := watching.Lag(t.Context()); err != nil || len(lags) != 2 {
		t.Errorf("the lag is %v, %v", lags, err)
	}
	things.server.Recreate(things.server.Container("things", repository.Configure(nil)), harness.Properties("things", "/pk"))

	select {
	case err := <-done:
		var own *repository.Error
		if !errors.As(err, &own) || !strings.Contains(fmt.Sprint(err), "deleted and made again") || !strings.Contains(fmt.Sprint(err), "call Run again") {
			t.Errorf("Run ends with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("Run goes on")
	}
	if _, err := watching.Lag(t.Context()); err == nil || !strings.Contains(err.Error(), "deleted and made again") {
		t.Errorf("the lag is refused by %v", err)
	}
	end := process(t, p)
	got.await(t, things.add(t, "b", 4))
	end()
	if lags, err := watching.Lag(t.Context()); err != nil || len(lags) == 0 {
		t.Errorf("after a Run in the new container, the lag is %v, %v", lags, err)
	}
}
