package processors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestProcessorBeginsWhileTheServiceIsBusy lets the first requests for a lease fail.
func TestProcessorBeginsWhileTheServiceIsBusy(t *testing.T) {
	t.Parallel()
	things := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, things.Server)
	all := things.Add(t, "a", 10)
	things.Server.Inject(emulator.Fault{Path: "/colls/leases", Operation: emulator.OpReadItem, Count: 2, Status: http.StatusServiceUnavailable})
	var got kit.Handled
	var told atomic.Int64
	end := kit.RunProcessor(t, feed.NewProcessor(things.Documents, "projection", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		got.Note(changes)
		return nil
	}, kit.Quick, kit.OnRequestError(func(context.Context, error) { told.Add(1) })))
	got.Await(t, all)
	end()
	if told.Load() == 0 {
		t.Error("nothing was told of the requests that failed")
	}
}

// TestLagBeforeTheFirstRun reads the lag without leases, by an answer that lacks its body, and
// while a split completes.
func TestLagBeforeTheFirstRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		things := kit.NewThings(t, emulator.Options{}, repository.Configure(nil), false)
		p := feed.NewProcessor(things.Documents, "it's \"ü\" %2F..", kit.NewLeases(t, things.Server), func(context.Context, []feed.Delivery[kit.Thing]) error { return nil }, kit.Quick)
		if lags, err := p.Lag(t.Context()); err != nil || len(lags) != 0 {
			t.Errorf("before the first Run, the lag is %v, %v", lags, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, err := range []error{p.Run(ctx), func() error { _, err := p.Lag(ctx); return err }()} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("under a context that has ended: %v", err)
			}
		}
		all := things.Add(t, "a", 2)
		var got kit.Handled
		end := kit.RunProcessor(t, feed.NewProcessor(things.Documents, "it's \"ü\" %2F..", kit.NewLeases(t, things.Server), func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
			got.Note(changes)
			return nil
		}, kit.Quick))
		got.Await(t, all)
		end()
		things.Add(t, "b", 1)
		things.Server.Inject(emulator.Fault{Path: "/colls/things/docs", Method: http.MethodGet, Body: func([]byte) []byte { return nil }})
		if lags, err := p.Lag(t.Context()); err != nil || len(lags) != 1 || lags[0].Changes != 1 {
			t.Errorf("the lag is %v, %v", lags, err)
		}
		things.Server.Inject(emulator.Fault{Operation: emulator.OpReadChangeFeed, Status: http.StatusGone, Substatus: 1007, Count: 8})
		if lags, err := p.Lag(t.Context()); err != nil || len(lags) != 1 || lags[0].Changes != 1 {
			t.Errorf("while a split completes, the lag is %v, %v", lags, err)
		}
	})
}

// TestProcessorNames are refused before anything is sent.
func TestProcessorNames(t *testing.T) {
	t.Parallel()
	things := kit.NewThings(t, emulator.Options{}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, things.Server)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // with which nothing can be sent
	for _, name := range []string{"", "a/b", `a\\b`, "a?", "#", "a\x00", "\xff", "😀", strings.Repeat("n", 201)} {
		p := feed.NewProcessor(things.Documents, name, leases, func(context.Context, []feed.Delivery[kit.Thing]) error { return nil })
		if err := p.Run(ctx); err == nil || errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "of the processor") {
			t.Errorf("%.10q: %v", name, err)
		}
	}
}

// TestLagAfterASplit: what was written before counts in both halves, and nothing else.
func TestLagAfterASplit(t *testing.T) {
	t.Parallel()
	things := kit.NewThings(t, emulator.Options{}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, things.Server)
	var got kit.Handled
	p := feed.NewProcessor(things.Documents, "p", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		got.Note(changes)
		return nil
	}, kit.Quick, feed.PollEvery(20*time.Millisecond))
	lag := func(when string, least, most int64) {
		t.Helper()
		lags, err := p.Lag(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all int64
		for _, l := range lags {
			all += l.Changes
		}
		if all < least || all > most {
			t.Errorf("%s, the lag is %d, want %d to %d", when, all, least, most)
		}
	}
	end := kit.RunProcessor(t, p)
	got.Await(t, things.Add(t, "a", 10))
	end()
	add := func(name string, n int) (all []*kit.Thing) {
		for i := range n {
			x := &kit.Thing{ID: fmt.Sprint(name, i), Base: fmt.Sprint("key", i)} // about half of them in each half
			if err := things.Create(t.Context(), x); err != nil {
				t.Fatal(err)
			}
			all = append(all, x)
		}
		return all
	}
	waiting := add("b", 20)
	lag("before the split", 20, 20)
	if err := things.Server.Split("db", "things", "0"); err != nil {
		t.Fatal(err)
	}
	lag("after the split", 30, 40) // the first of a half is not the first of all
	waiting = append(waiting, add("c", 10)...)
	lag("with changes after the split", 40, 50)
	end = kit.RunProcessor(t, p)
	got.Await(t, waiting)
	end()
	lag("when all is handled", 0, 0)
	add("d", 7)
	lag("when progress has passed the split", 7, 7)
}

// TestProcessorOfAnUntrustedServer ends at once: nothing would change.
func TestProcessorOfAnUntrustedServer(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // the handshake fails
	server.StartTLS()
	defer server.Close()
	client, err := azcosmos.NewClientFromConnectionString("AccountEndpoint="+server.URL+"/;AccountKey="+emulator.WellKnownKey, repository.Configure(nil))
	if err != nil {
		t.Fatal(err)
	}
	container, err := client.NewContainer("db", "things")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err = feed.NewProcessor(repository.New(container, &kit.ThingModel), "projection", container, func(context.Context, []feed.Delivery[kit.Thing]) error { return nil }).Run(ctx)
	if ctx.Err() != nil || err == nil || !strings.Contains(err.Error(), "does not trust") {
		t.Errorf("Run ended with %v", err)
	}
}
