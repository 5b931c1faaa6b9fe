package transactions

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestTransactionsObeyTheContext checks the headers and charges of a transaction
// under a session, a priority and a meter.
func TestTransactionsObeyTheContext(t *testing.T) {
	t.Parallel()
	var headers []http.Header
	seen := &altered{alter: func(r *http.Request, _ *http.Response) { headers = append(headers, r.Header) }}
	s := kit.NewShop(t, seen)
	var events []repository.Event
	observed := repository.New(s.Container, &kit.SaleModel, repository.WithObserver(func(_ context.Context, e repository.Event) {
		events = append(events, e)
	}))
	var meter repository.Meter
	var session repository.Session
	ctx := repository.WithMeter(repository.WithSession(context.Background(), &session), &meter)
	ctx = repository.WithPriority(ctx, azcosmos.PriorityLevelLow)
	p := fixtures.Sale{ID: "o1", Customer: "c"}
	if err := observed.Create(ctx, &p); err != nil {
		t.Fatal(err)
	}
	s.Server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true})
	if err := kit.Commit(ctx,
		func(tx *repository.Transaction) error { return observed.In(tx).Replace(&p) },
		func(tx *repository.Transaction) error {
			return s.Lines.In(tx).Create(&fixtures.Line{ID: "l1", Customer: "c"})
		},
	); err != nil {
		t.Fatal(err)
	}
	if len(headers) != 1 || headers[0].Get("x-ms-session-token") == "" || headers[0].Get("x-ms-cosmos-priority-level") != "Low" {
		t.Errorf("sent %v", headers)
	}
	if len(events) != 3 || events[1].Err == nil || events[2].Err != nil || events[2].RequestUnits == 0 {
		t.Fatalf("observed %+v", events)
	}
	if want := (repository.Event{Op: "commit", Type: "Sale", PartitionKey: `"c"`}); slices.ContainsFunc(events[1:], func(e repository.Event) bool {
		return e.Op != want.Op || e.Type != want.Type || e.PartitionKey != want.PartitionKey || e.ID != ""
	}) {
		t.Errorf("observed %+v", events[1:])
	}
	if meter.Requests() != 3 || meter.RequestUnits() < 15 {
		t.Errorf("metered %d requests of %v request units", meter.Requests(), meter.RequestUnits())
	}
	// A read of the session sees what the transaction wrote.
	if got, err := observed.Get(ctx, p.Key()); err != nil || *got != p {
		t.Errorf("got %+v, %v", got, err)
	}
	// A session without the policies is of no use, and is not silently ignored.
	plain := s.Server.Container("shop", nil)
	if err := kit.Commit(ctx, func(tx *repository.Transaction) error {
		return repository.New(plain, &kit.LineModel).In(tx).Upsert(&fixtures.Line{ID: "l1", Customer: "c"})
	}); err == nil {
		t.Error("a session without Configure")
	}
}
