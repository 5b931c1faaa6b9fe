package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// This file holds the examples of docs/processor.md, which a test compares with it.
// They run below.

func exampleProcessor(ctx context.Context, db *azcosmos.DatabaseClient, events *fleet.VehicleEventRepository, handle func(context.Context, *fleet.VehicleEvent) error) error {
	leases, err := admin.EnsureLeases(ctx, db, "leases", admin.Autoscale(1000))
	if err != nil {
		return err
	}
	p := feed.NewProcessor(events.Documents, "daily-sums", leases, func(ctx context.Context, changes []feed.Delivery[fleet.VehicleEvent]) error {
		for _, change := range changes {
			if err := handle(ctx, change.Doc); err != nil {
				return err
			}
		}
		return nil
	})
	return p.Run(ctx) // until ctx ends
}

type unusableError struct{}

func (*unusableError) Error() string { return "it can never be handled" }

func exampleProcessorError() feed.Option {
	leaveOut := feed.OnEvent(func(ctx context.Context, e feed.Event) bool {
		if e.Op != "fail" {
			return false
		}
		slog.ErrorContext(ctx, "a page was not handled", "error", e.Err)
		var bad *unusableError
		return errors.As(e.Err, &bad) // its page is left out; other pages are tried again
	})
	return leaveOut
}

func exampleMux(orders *fixtures.PurchaseRepository, payments *fixtures.PaymentRepository, leases *azcosmos.ContainerClient) *feed.Processor {
	handleOrders := func(context.Context, []feed.Delivery[fixtures.Purchase]) error { return nil }
	handlePayments := func(context.Context, []feed.Delivery[fixtures.Payment]) error { return nil }

	mux := feed.Mux{LeaveOutOtherTypes: true}
	feed.Handle(orders.Documents, &mux, handleOrders)
	feed.Handle(payments.Documents, &mux, handlePayments)
	p := mux.Processor("projection", leases)

	return p
}

func exampleVersions(events *fleet.VehicleEventRepository, leases *azcosmos.ContainerClient, index, remove func(ctx context.Context, id string) error) *feed.Processor {
	p := feed.NewVersionProcessor(events.Documents, "index", leases, func(ctx context.Context, changes []feed.Version[fleet.VehicleEvent]) error {
		for _, change := range changes {
			update := index
			if change.Operation == feed.VersionDeleted { // change.Doc is nil
				update = remove
			}
			if err := update(ctx, change.ID); err != nil {
				return err
			}
		}
		return nil
	})
	return p
}

func exampleProcessorUndecodable(store func(ctx context.Context, document []byte) error) feed.Option {
	deadLetters := feed.OnEvent(func(ctx context.Context, e feed.Event) bool {
		return e.Op == "undecodable" && store(ctx, e.Document) == nil // if that fails, the page comes again
	})
	return deadLetters
}

func exampleProcessorLag(ctx context.Context, p *feed.Processor) error {
	lags, err := p.Lag(ctx)
	if err != nil {
		return err
	}
	for _, l := range lags {
		fmt.Println(l.Lease, l.Owner, l.Changes)
	}
	return nil
}

func exampleProcessorReset(ctx context.Context, leases *azcosmos.ContainerClient, account string) error {
	query := "SELECT c.id FROM c WHERE STARTSWITH(c.id, @prefix)"
	prefix := []azcosmos.QueryParameter{{Name: "@prefix", Value: "daily-sums" + account + "."}}
	pager := leases.NewQueryItemsPager(query, azcosmos.NewPartitionKey(), &azcosmos.QueryOptions{QueryParameters: prefix})
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			var lease struct{ ID string }
			if err := json.Unmarshal(item, &lease); err != nil {
				return err
			}
			if _, err := leases.DeleteItem(ctx, azcosmos.NewPartitionKeyString(lease.ID), lease.ID, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestExamplesOfProcessors has a processor handle a day, goes on where it was, leaves
// out what cannot be handled, and begins anew.
func TestExamplesOfProcessors(t *testing.T) {
	t.Parallel()
	server, events := kit.NewFleet(t)
	kit.Fill(t, events, 12)
	db := server.Database(repository.Configure(nil))
	all := func() (handled int64) {
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
		defer stop()
		var n atomic.Int64
		err := exampleProcessor(ctx, db, events, func(context.Context, *fleet.VehicleEvent) error {
			if n.Add(1) == 12 {
				stop()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%d of 12 documents: %v", n.Load(), err)
		}
		return n.Load()
	}
	if n := all(); n != 12 {
		t.Errorf("%d documents were handled, want 12", n)
	}
	leases, err := db.NewContainer("leases")
	if err != nil {
		t.Fatal(err)
	}
	p := feed.NewProcessor(events.Documents, "daily-sums", leases, func(context.Context, []feed.Delivery[fleet.VehicleEvent]) error {
		return &unusableError{}
	}, exampleProcessorError())
	if err := exampleProcessorLag(t.Context(), p); err != nil {
		t.Error(err)
	}
	if err := exampleProcessorReset(t.Context(), leases, "127"); err != nil { // of 127.0.0.1
		t.Fatal(err)
	}
	lags, err := p.Lag(t.Context())
	if err != nil || len(lags) != 0 {
		t.Errorf("after a reset there are the leases %+v, %v", lags, err)
	}
	if n := all(); n != 12 {
		t.Errorf("after a reset %d documents were handled, want 12", n)
	}
}
