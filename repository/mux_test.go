package repository_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// seen is what handlers of several types have got, in order.
type seen struct {
	mu  sync.Mutex
	all []string
}

func (s *seen) note(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, id)
}

func (s *seen) await(t *testing.T, n int) []string {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		all := slices.Clone(s.all)
		s.mu.Unlock()
		if len(all) >= n {
			return all
		}
		if time.Now().After(deadline) {
			t.Fatalf("the handlers got %q, and not %d documents", all, n)
		}
	}
}

// TestMux has orders and payments handled in the order of their writes, and memos as
// what nobody handles.
func TestMux(t *testing.T) {
	t.Parallel()
	c := newCustomers(t)
	leases := newLeases(t, c.server)
	var got seen
	failed := false
	var mux repository.Mux
	c.orders.HandleBy(&mux, func(_ context.Context, changes []repository.Delivery[fixtures.Purchase]) error {
		for _, change := range changes {
			got.note(change.Doc.ID)
		}
		return nil
	})
	c.payments.HandleBy(&mux, func(_ context.Context, changes []repository.Delivery[fixtures.Payment]) error {
		if !failed {
			failed = true
			return errors.New("not yet")
		}
		for _, change := range changes {
			got.note(change.Doc.ID)
		}
		return nil
	})
	told := make(chan error, 100)
	end := process(t, mux.Processor("p", leases, quick, repository.OnRequestError(func(_ context.Context, err error) { told <- err })))
	err := <-told
	end()
	var own *repository.Error
	if !errors.As(err, &own) || own.ID != "n1" || !strings.Contains(err.Error(), "LeaveOutOtherTypes") {
		t.Errorf("of a memo: %v", err)
	}
	if slices.Contains(got.all, "o1") || slices.Contains(got.all, "p1") {
		t.Errorf("of a page with a memo, %q were handled", got.all)
	}

	mux.LeaveOutOtherTypes = true
	var events seen
	end = process(t, mux.Processor("p", leases, quick, repository.ProcessorObserver(func(_ context.Context, e repository.ProcessorEvent) {
		if e.Op == "handle" {
			events.note(fmt.Sprint(e.Type, " ", e.Documents, " ", e.Err))
		}
	})))
	got.await(t, 3)
	err = errors.Join(
		c.orders.Create(t.Context(), &fixtures.Purchase{ID: "o3", Customer: "ann"}),
		c.payments.Create(t.Context(), &fixtures.Payment{ID: "p3", Customer: "ann"}),
		c.memos.Create(t.Context(), &fixtures.Memo{ID: "n3", Customer: "ann"}),
		c.payments.Create(t.Context(), &fixtures.Payment{ID: "p4", Customer: "ann"}),
		c.orders.Create(t.Context(), &fixtures.Purchase{ID: "o4", Customer: "ann"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	all := got.await(t, 7)
	end()
	all = slices.DeleteFunc(all, func(id string) bool { return id == "o2" }) // of another customer
	if want := []string{"o1", "p1", "o3", "p3", "p4", "o4"}; !slices.Equal(all, want) {
		t.Errorf("the handlers got %q, want %q", all, want)
	}
	if i := slices.Index(events.all, "Payment 1 not yet"); i < 1 || i+1 >= len(events.all) || !slices.Contains(events.all[i+1:], "Payment 1 <nil>") {
		t.Errorf("the events are %q", events.all)
	}
}

func TestMuxesThatAreRefused(t *testing.T) {
	t.Parallel()
	c, other := newCustomers(t), newCustomers(t)
	leases := newLeases(t, c.server)
	orders := func(context.Context, []repository.Delivery[fixtures.Purchase]) error { return nil }
	for want, set := range map[string]func(*repository.Mux){
		"has no handlers":             func(*repository.Mux) {},
		"handler of Purchase is nil":  func(m *repository.Mux) { c.orders.HandleBy(m, nil) },
		"have the same discriminator": func(m *repository.Mux) { c.orders.HandleBy(m, orders); c.orders.HandleBy(m, orders) },
		"by a type= tag": func(m *repository.Mux) {
			repository.New(c.container, &thingModel).HandleBy(m, func(context.Context, []repository.Delivery[thing]) error { return nil })
		},
		"a processor for each container": func(m *repository.Mux) {
			c.orders.HandleBy(m, orders)
			other.payments.HandleBy(m, func(context.Context, []repository.Delivery[fixtures.Payment]) error { return nil })
		},
	} {
		var mux repository.Mux
		set(&mux)
		err := mux.Processor("p", leases).Run(t.Context())
		var own *repository.Error
		if !errors.As(err, &own) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if lags, err := exampleMux(c.orders, c.payments, leases).Lag(t.Context()); err != nil || len(lags) > 0 {
		t.Errorf("before the first Run: %v, %v", lags, err)
	}
	if ids := leaseIDs(t, leases); len(ids) > 0 {
		t.Errorf("before an error there were written %q", ids)
	}
}

// TestTypesWithOneProcessorName: two types in one container would take changes from each
// other. A Mux may take over, and types of other containers have other leases.
func TestTypesWithOneProcessorName(t *testing.T) {
	t.Parallel()
	c := newCustomers(t)
	leases := newLeases(t, c.server)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	handled, others := make(chan string, 20), make(chan string, 20)
	orders := c.orders.Processor("p", leases, func(_ context.Context, changes []repository.Delivery[fixtures.Purchase]) error {
		handled <- changes[0].Doc.ID
		return nil
	}, quick)
	ended := make(chan error, 2)
	for range 2 { // one processor may run several times
		go func() { ended <- orders.Run(ctx) }()
	}
	<-handled
	payments := func(context.Context, []repository.Delivery[fixtures.Payment]) error { return nil }
	err := c.payments.Processor("p", leases, payments, quick).Run(ctx)
	var own *repository.Error
	if !errors.As(err, &own) || !strings.Contains(err.Error(), "documents of another type") {
		t.Errorf("payments by the leases of orders: %v", err)
	}
	things := newThingsBeside(t, c.server)
	end := process(t, things.Processor("p", leases, func(_ context.Context, changes []repository.Delivery[thing]) error {
		others <- changes[0].Doc.ID
		return nil
	}, quick))
	if err := things.Create(ctx, &thing{ID: "t1", Base: "x"}); err != nil {
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
	var mux repository.Mux
	c.orders.HandleBy(&mux, func(context.Context, []repository.Delivery[fixtures.Purchase]) error { return nil })
	c.payments.HandleBy(&mux, func(_ context.Context, changes []repository.Delivery[fixtures.Payment]) error {
		others <- changes[0].Doc.ID
		return nil
	})
	end = process(t, mux.Processor("p", leases, quick))
	if err := c.payments.Create(t.Context(), &fixtures.Payment{ID: "last", Customer: "ann"}); err != nil {
		t.Fatal(err)
	}
	<-others // what comes after the progress of orders
	end()
	// The Mux has said what it handles, so that a process of one type cannot follow it.
	never := func(context.Context, []repository.Delivery[fixtures.Purchase]) error {
		t.Error("a process of one type handles changes")
		return nil
	}
	if err := c.orders.Processor("p", leases, never, quick).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "documents of another type") {
		t.Errorf("orders by the leases of a Mux: %v", err)
	}
}

// newThingsBeside returns things in another container of a server.
func newThingsBeside(t *testing.T, server *harness.Account) *repository.Documents[thing, thingKey] {
	t.Helper()
	return repository.New(server.Create(harness.Properties("things", "/pk")), &thingModel)
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
	c := newCustomers(t)
	options := repository.Configure(nil)
	options.PerCallPolicies = append(options.PerCallPolicies, lagless{})
	container := c.server.Container("customers", options)
	var got, lags seen
	mux := repository.Mux{LeaveOutOtherTypes: true}
	fixtures.NewPurchaseRepository(container).HandleBy(&mux, func(context.Context, []repository.Delivery[fixtures.Purchase]) error { got.note("order"); return nil })
	fixtures.NewPaymentRepository(container).HandleBy(&mux, func(context.Context, []repository.Delivery[fixtures.Payment]) error { got.note("payment"); return nil })
	end := process(t, mux.Processor("p", newLeases(t, c.server), quick, repository.ProcessorObserver(func(_ context.Context, e repository.ProcessorEvent) {
		if e.Op == "handle" {
			lags.note(fmt.Sprint(e.Lag))
		}
	})))
	got.await(t, 2)
	for _, lag := range lags.await(t, 2) {
		if lag != "-1" {
			t.Errorf("where the service does not tell the lag, it is %s", lag)
		}
	}
	end()
}
