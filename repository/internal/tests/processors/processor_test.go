package processors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestProcessorHandlesAll(t *testing.T) {
	t.Parallel()
	for _, dialect := range []feed.LeaseDialect{feed.DotNet, feed.JavaRange, feed.JavaEPK} {
		things := kit.NewThings(t, emulator.Options{Partitions: 5}, repository.Configure(nil), false)
		leases := kit.NewLeases(t, things.Server)
		all := things.Add(t, "a", 60)
		var got kit.Handled
		handle := func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
			if len(changes) == 0 || len(changes) > 4 {
				t.Errorf("a batch of %d changes", len(changes))
			}
			got.Note(changes)
			return nil
		}
		options := []feed.Option{kit.Quick, feed.WithLeaseDialect(dialect), feed.PageSize(4), feed.PollEvery(20 * time.Millisecond)}
		p := feed.NewProcessor(things.Documents, "projection", leases, handle, options...)
		end := kit.RunProcessor(t, p)
		if again := got.Await(t, all); again != 0 {
			t.Errorf("%d documents were handled again", again)
		}
		end()
		lags, err := p.Lag(context.Background())
		if err != nil || len(lags) != 5 {
			t.Fatalf("%v, %v", lags, err)
		}
		for _, l := range lags {
			if l.Changes != 0 || l.Owner != "" {
				t.Errorf("after all was handled: %+v", l)
			}
		}
		more := things.Add(t, "b", 20)
		behind := int64(0)
		if lags, err = p.Lag(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, l := range lags {
			behind += l.Changes
		}
		if behind < 10 { // a transaction counts as one
			t.Errorf("the lag is %d after 20 documents", behind)
		}
		kit.RunProcessor(t, feed.NewProcessor(things.Documents, "projection", leases, handle, options...))
		got.Await(t, more)
		if again := got.Await(t, all); again != 0 {
			t.Errorf("another process handles %d documents again", again)
		}
	}
}

// TestProcessorSavesAtItsEnd ends a processor while its handler works.
func TestProcessorSavesAtItsEnd(t *testing.T) {
	t.Parallel()
	things := kit.NewThings(t, emulator.Options{}, repository.Configure(nil), false)
	things.Add(t, "a", 3)
	ctx, cancel := context.WithCancel(context.Background())
	p := feed.NewProcessor(things.Documents, "projection", kit.NewLeases(t, things.Server), func(context.Context, []feed.Delivery[kit.Thing]) error {
		cancel()
		return nil
	}, kit.Quick)
	if err := p.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	lags, err := p.Lag(context.Background())
	if err != nil || len(lags) != 1 || lags[0].Changes != 0 || lags[0].Owner != "" {
		t.Errorf("after the handler has returned nil: %+v, %v", lags, err)
	}
}

func TestProcessorTriesAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		things := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
		all := things.Add(t, "a", 10)
		var got kit.Handled
		failures := map[string]int{}
		var mu sync.Mutex
		end := kit.RunProcessor(t, feed.NewProcessor(things.Documents, "projection", kit.NewLeases(t, things.Server), func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
			mu.Lock()
			defer mu.Unlock()
			if id := changes[0].Doc.ID; failures[id] < 2 {
				failures[id]++
				return errors.New("not yet")
			}
			got.Note(changes)
			return nil
		}, kit.Quick, feed.PageSize(3), kit.OnError(func(_ context.Context, err error) bool {
			if err.Error() != "not yet" {
				t.Errorf("the error is %v", err)
			}
			return false
		})))
		if again := got.Await(t, all); again != 0 {
			t.Errorf("%d documents were handled again", again)
		}
		end()
	})
}

// TestProcessorsShareTheWork ends and starts processes while documents are written and
// physical partitions are split and merged.
func TestProcessorsShareTheWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		things := kit.NewThings(t, emulator.Options{Partitions: 4}, repository.Configure(nil), false)
		leases := kit.NewLeases(t, things.Server)
		var got kit.Handled
		start := func() func() {
			own := repository.New(things.Server.Container("things", repository.Configure(nil)), &kit.ThingModel)
			return kit.RunProcessor(t, feed.NewProcessor(own, "projection", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
				time.Sleep(time.Millisecond)
				got.Note(changes)
				return nil
			}, kit.Quick, feed.PageSize(5), feed.PollEvery(20*time.Millisecond)))
		}
		ends := []func(){start(), start()}
		var all []*kit.Thing
		for round := range 8 {
			all = append(all, things.Add(t, fmt.Sprint("r", round, "-"), 30)...)
			switch round {
			case 1:
				if err := things.Server.Split("db", "things", "1"); err != nil {
					t.Fatal(err)
				}
			case 3:
				if err := things.Server.Merge("db", "things", "2", "3"); err != nil {
					t.Fatal(err)
				}
			case 5:
				ends[0]()
				ends = ends[1:]
			}
			ends = append(ends, start())
			time.Sleep(100 * time.Millisecond)
		}
		again := got.Await(t, all)
		if most := len(all) / 4; again > most {
			t.Errorf("%d of %d documents were handled again, more than %d", again, len(all), most)
		}
		lags, err := feed.NewProcessor(things.Documents, "projection", leases, func(context.Context, []feed.Delivery[kit.Thing]) error { return nil }).Lag(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var tokens []string
		for _, l := range lags {
			tokens = append(tokens, l.Lease)
		}
		if len(tokens) != 5 || slices.Contains(tokens, "1") {
			t.Errorf("after physical partition 1 of 4 was split, there are the leases %q", tokens)
		}
		t.Logf("%d of %d documents were handled again", again, len(all))
		for _, end := range ends {
			end()
		}
	})
}

// TestProcessorsUnderFaults loses a fifth of the answers of the lease container, after
// its writes took effect, and refuses some requests.
func TestProcessorsUnderFaults(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		things := kit.NewThings(t, emulator.Options{Partitions: 4}, repository.Configure(nil), false)
		leases := kit.NewLeases(t, things.Server)
		const path = "/colls/leases/docs"
		things.Server.Inject(emulator.Fault{Path: path, Operation: emulator.OpReplaceItem, Probability: 0.2, Seed: 1, Count: -1, Drop: true, After: true})
		things.Server.Inject(emulator.Fault{Path: path, Probability: 0.1, Seed: 2, Count: -1, Status: 429, RetryAfter: time.Millisecond})
		var got kit.Handled
		var ends []func()
		var failures atomic.Int64
		for range 3 {
			own := repository.New(things.Server.Container("things", repository.Configure(nil)), &kit.ThingModel)
			ends = append(ends, kit.RunProcessor(t, feed.NewProcessor(own, "projection", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
				got.Note(changes)
				return nil
			}, kit.Quick, feed.PageSize(3), feed.PollEvery(20*time.Millisecond),
				kit.OnRequestError(func(_ context.Context, err error) {
					var own *repository.Error
					if !errors.As(err, &own) {
						t.Errorf("the error is %v", err)
					}
					failures.Add(1)
				}))))
		}
		var all []*kit.Thing
		for round := range 5 {
			all = append(all, things.Add(t, fmt.Sprint("r", round, "-"), 20)...)
			time.Sleep(100 * time.Millisecond)
		}
		again := got.Await(t, all)
		t.Logf("%d of %d documents were handled again, and %d requests were told of", again, len(all), failures.Load())
		if failures.Load() == 0 {
			t.Error("nobody was told of an answer that was lost")
		}
		for _, end := range ends {
			end()
		}
	})
}

func TestProcessorsThatAreRefused(t *testing.T) {
	t.Parallel()
	things := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, things.Server)
	handle := func(context.Context, []feed.Delivery[kit.Thing]) error { return nil }
	for i, test := range []struct {
		processor *feed.Processor
		want      string
	}{
		{feed.NewProcessor(things.Documents, "p", nil, handle), "lease container of the processor is nil"},
		{feed.NewProcessor(things.Documents, "p", leases, nil), "handler of the processor is nil"},
		{feed.NewProcessor(things.Documents, "p", leases, handle, nil), "an Option is nil"},
		{feed.NewProcessor(things.Documents, "p", leases, handle, feed.WithLeaseDialect(7)), "lease dialect 7"},
		{feed.NewProcessor(things.Documents, "p", leases, handle, feed.WithLeaseTimes(feed.LeaseTimes{Expire: time.Second})), "renewed every 17s"},
		{feed.NewProcessor(things.Documents, "p", leases, handle, feed.WithLeaseTimes(feed.LeaseTimes{Acquire: -time.Second})), "looked for every -1s"},
		{feed.NewProcessor(things.Documents, "p", leases, handle, feed.Begin(feed.FromCursor("x"))), "cannot begin at a cursor"},
		{feed.NewProcessor(things.Documents, "p", things.Server.Container("things", repository.Configure(nil)), handle), "leases need a container of their own"},
	} {
		err := test.processor.Run(context.Background())
		var own *repository.Error
		if !errors.As(err, &own) || !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("%d: %v", i, err)
		}
		if _, err := test.processor.Lag(context.Background()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d: the lag is refused by %v", i, err)
		}
	}
}
