package processors

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestMux has orders and payments handled in the order of their writes, and memos as documents
// without a handler.
func TestMux(t *testing.T) {
	t.Parallel()
	c := kit.NewCustomers(t)
	leases := kit.NewLeases(t, c.Server)
	var got kit.SeenChanges
	failed := false
	var mux feed.Mux
	feed.Handle(c.Orders.Documents, &mux, func(_ context.Context, changes []feed.Delivery[fixtures.Purchase]) error {
		for _, change := range changes {
			got.Note(change.Doc.ID)
		}
		return nil
	})
	feed.Handle(c.Payments.Documents, &mux, func(_ context.Context, changes []feed.Delivery[fixtures.Payment]) error {
		if !failed {
			failed = true
			return errors.New("not yet")
		}
		for _, change := range changes {
			got.Note(change.Doc.ID)
		}
		return nil
	})
	told := make(chan error, 100)
	end := kit.RunProcessor(t, mux.Processor("p", leases, kit.Quick, kit.OnRequestError(func(_ context.Context, err error) { told <- err })))
	err := <-told
	end()
	var own *repository.Error
	if !errors.As(err, &own) || own.ID != "n1" || !strings.Contains(err.Error(), "LeaveOutOtherTypes") {
		t.Errorf("of a memo: %v", err)
	}
	if slices.Contains(got.All, "o1") || slices.Contains(got.All, "p1") {
		t.Errorf("of a page with a memo, %q were handled", got.All)
	}

	mux.LeaveOutOtherTypes = true
	var events kit.SeenChanges
	end = kit.RunProcessor(t, mux.Processor("p", leases, kit.Quick, kit.Observe(func(_ context.Context, e feed.Event) {
		if e.Op == "handle" {
			events.Note(fmt.Sprint(e.Type, " ", e.Documents, " ", e.Err))
		}
	})))
	got.Await(t, 3)
	err = errors.Join(
		c.Orders.Create(t.Context(), &fixtures.Purchase{ID: "o3", Customer: "ann"}),
		c.Payments.Create(t.Context(), &fixtures.Payment{ID: "p3", Customer: "ann"}),
		c.Memos.Create(t.Context(), &fixtures.Memo{ID: "n3", Customer: "ann"}),
		c.Payments.Create(t.Context(), &fixtures.Payment{ID: "p4", Customer: "ann"}),
		c.Orders.Create(t.Context(), &fixtures.Purchase{ID: "o4", Customer: "ann"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	all := got.Await(t, 7)
	end()
	all = slices.DeleteFunc(all, func(id string) bool { return id == "o2" }) // of another customer
	if want := []string{"o1", "p1", "o3", "p3", "p4", "o4"}; !slices.Equal(all, want) {
		t.Errorf("the handlers got %q, want %q", all, want)
	}
	if i := slices.Index(events.All, "Payment 1 not yet"); i < 1 || i+1 >= len(events.All) || !slices.Contains(events.All[i+1:], "Payment 1 <nil>") {
		t.Errorf("the events are %q", events.All)
	}
}

// TestTypesWithOneProcessorName: two types in one container would take changes from each
// other. A Mux may take over, and types of other containers have other leases.
func TestTypesWithOneProcessorName(t *testing.T) {
	t.Parallel()
	c := kit.NewCustomers(t)
	leases := kit.NewLeases(t, c.Server)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	handled, others := make(chan string, 20), make(chan string, 20)
	orders := feed.NewProcessor(c.Orders.Documents, "p", leases, func(_ context.Context, changes []feed.Delivery[fixtures.Purchase]) error {
		handled <- changes[0].Doc.ID
		return nil
	}, kit.Quick)
	ended := make(chan error, 2)
	for range 2 { // one processor may run several times
		go func() { ended <- orders.Run(ctx) }()
	}
	<-handled
	payments := func(context.Context, []feed.Delivery[fixtures.Payment]) error { return nil }
	err := feed.NewProcessor(c.Payments.Documents, "p", leases, payments, kit.Quick).Run(ctx)
	var own *repository.Error
	if !errors.As(err, &own) || !strings.Contains(err.Error(), "documents of another type") {
		t.Errorf("payments by the leases of orders: %v", err)
	}
	things := newThingsBeside(t, c.Server)
	end := kit.RunProcessor(t, feed.NewProcessor(things, "p", leases, func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		others <- changes[0].Doc.ID
		return nil
	}, kit.Quick))
	if err := things.Create(ctx, &kit.Thing{ID: "t1", Base: "x"}); err != nil {
		t.Fatal(err)
	}
	if id := <-others; id != "t1" {
		t.Errorf("handled is %s", id)
	}
	end()
	cancel()
	for range 2 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	var mux feed.Mux
	feed.Handle(c.Orders.Documents, &mux, func(context.Context, []feed.Delivery[fixtures.Purchase]) error { return nil })
	feed.Handle(c.Payments.Documents, &mux, func(_ context.Context, changes []feed.Delivery[fixtures.Payment]) error {
		others <- changes[0].Doc.ID
		return nil
	})
	end = kit.RunProcessor(t, mux.Processor("p", leases, kit.Quick))
	if err := c.Payments.Create(t.Context(), &fixtures.Payment{ID: "last", Customer: "ann"}); err != nil {
		t.Fatal(err)
	}
	<-others // what comes after the progress of orders
	end()
	// The Mux has said what it handles, so that a process of one type cannot follow it.
	never := func(context.Context, []feed.Delivery[fixtures.Purchase]) error {
		t.Error("a process of one type handles changes")
		return nil
	}
	if err := feed.NewProcessor(c.Orders.Documents, "p", leases, never, kit.Quick).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "documents of another type") {
		t.Errorf("orders by the leases of a Mux: %v", err)
	}
}

// newThingsBeside returns things in another container of a server.
func newThingsBeside(t *testing.T, server *harness.Account) *repository.Documents[kit.Thing, kit.ThingKey] {
	t.Helper()
	return repository.New(server.Create(harness.Properties("things", "/pk")), &kit.ThingModel)
}

// lagless leaves out the session tokens of answers, by which the lag is known.
type lagless struct{}

func (lagless) Do(request *policy.Request) (*http.Response, error) {
	response, err := request.Next()
	if response != nil {
		response.Header.Del("x-ms-session-token")
	}
	return response, err
}

func TestMuxWithoutTheLag(t *testing.T) {
	t.Parallel()
	c := kit.NewCustomers(t)
	options := repository.Configure(nil)
	options.PerCallPolicies = append(options.PerCallPolicies, lagless{})
	container := c.Server.Container("customers", options)
	var got, lags kit.SeenChanges
	mux := feed.Mux{LeaveOutOtherTypes: true}
	feed.Handle(fixtures.NewPurchaseRepository(container).Documents, &mux, func(context.Context, []feed.Delivery[fixtures.Purchase]) error { got.Note("order"); return nil })
	feed.Handle(fixtures.NewPaymentRepository(container).Documents, &mux, func(context.Context, []feed.Delivery[fixtures.Payment]) error { got.Note("payment"); return nil })
	end := kit.RunProcessor(t, mux.Processor("p", kit.NewLeases(t, c.Server), kit.Quick, kit.Observe(func(_ context.Context, e feed.Event) {
		if e.Op == "handle" {
			lags.Note(fmt.Sprint(e.Lag))
		}
	})))
	got.Await(t, 2)
	for _, lag := range lags.Await(t, 2) {
		if lag != "-1" {
			t.Errorf("where the service does not tell the lag, it is %s", lag)
		}
	}
	end()
}
