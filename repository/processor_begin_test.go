package repository_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestProcessorBeginsWhileTheServiceIsBusy lets the first requests for a lease fail.
func TestProcessorBeginsWhileTheServiceIsBusy(t *testing.T) {
	t.Parallel()
	things := newThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	leases := newLeases(t, things.server)
	all := things.add(t, "a", 10)
	things.server.Inject(emulator.Fault{Path: "/colls/leases", Operation: emulator.OpReadItem, Count: 2, Status: http.StatusServiceUnavailable})
	var got handled
	var told atomic.Int64
	end := process(t, things.Processor("projection", leases, func(_ context.Context, changes []repository.Delivery[thing]) error {
		got.note(changes)
		return nil
	}, quick, repository.OnRequestError(func(context.Context, error) { told.Add(1) })))
	got.await(t, all)
	end()
	if told.Load() == 0 {
		t.Error("nothing was told of the requests that failed")
	}
}

// TestLagBeforeTheFirstRun reads the lag without leases, and by an answer that lacks its
// body.
func TestLagBeforeTheFirstRun(t *testing.T) {
	t.Parallel()
	things := newThings(t, emulator.Options{}, repository.Configure(nil), false)
	p := things.Processor("it's \"ü\" %2F..", newLeases(t, things.server), func(context.Context, []repository.Delivery[thing]) error { return nil }, quick)
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
	all := things.add(t, "a", 2)
	var got handled
	end := process(t, things.Processor("it's \"ü\" %2F..", newLeases(t, things.server), func(_ context.Context, changes []repository.Delivery[thing]) error {
		got.note(changes)
		return nil
	}, quick))
	got.await(t, all)
	end()
	things.add(t, "b", 1)
	things.server.Inject(emulator.Fault{Path: "/colls/things/docs", Method: http.MethodGet, Body: func([]byte) []byte { return nil }})
	if lags, err := p.Lag(t.Context()); err != nil || len(lags) != 1 || lags[0].Changes != 1 {
		t.Errorf("the lag is %v, %v", lags, err)
	}
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
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	err = repository.New(container, &thingModel).Processor("projection", container, func(context.Context, []repository.Delivery[thing]) error { return nil }).Run(ctx)
	if ctx.Err() != nil || err == nil || !strings.Contains(err.Error(), "does not trust") {
		t.Errorf("Run ended with %v", err)
	}
}
