package provision

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// manualRUs is throughput of azcosmos.
func manualRUs(ru int32) *azcosmos.ThroughputProperties {
	p := azcosmos.NewManualThroughputProperties(ru)
	return &p
}

// changesOfThroughput counts the changes of throughput that took effect.
func changesOfThroughput(server *harness.Account) int {
	n := 0
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpReplaceOffer && r.Status == http.StatusOK {
			n++
		}
	}
	return n
}

// TestThroughputOfAnotherKindThatIsBounded wants less than the service allows of the kind.
func TestThroughputOfAnotherKindThatIsBounded(t *testing.T) {
	_, db := made(t, emulator.Options{}, nil, manualRUs(30_000))
	_, err := admin.Ensure(t.Context(), db, wanted(nil), admin.Autoscale(1000), admin.FixDifferences())
	const line = "throughput: have autoscale up to 3000 RU/s, want autoscale up to 1000 RU/s; it was changed from manual 30000 RU/s; the service allows no less than 3000 RU/s here, because of the stored data or earlier throughput"
	var differs *admin.ContainerError
	if !errors.As(err, &differs) || len(differs.Differences) != 1 || !differs.Differences[0].Changed || differs.Differences[0].Fixable || differs.Differences[0].String() != line {
		t.Fatalf("got  %v\nwant %s", err, line)
	}
	ensure(t, db, wanted(nil), admin.Autoscale(3000))
	ensure(t, db, wanted(nil), admin.LeastThroughput())
}

// TestThroughputOfAnotherKindInRequests says which requests that takes, and when the second
// change is not needed.
func TestThroughputOfAnotherKindInRequests(t *testing.T) {
	for want, changes := range map[admin.Throughput]int{admin.Autoscale(2000): 2, admin.Autoscale(1000): 1} {
		server, db := made(t, emulator.Options{}, nil, manualRUs(400))
		server.ResetRequests()
		ensure(t, db, wanted(nil), want, admin.FixDifferences())
		if got := changesOfThroughput(server); got != changes {
			t.Errorf("%v: %d changes, want %d", want, got, changes)
		}
		if got := len(ensureOperations(server)); got != 4+7+4*(changes-1) {
			t.Errorf("%v: %d requests: %v", want, got, ensureOperations(server))
		}
	}
}

// TestThroughputOfAnotherKindFromManyAtOnce has eight programs with clients of their own
// switch one container. They may not change it more often than one of them has to.
func TestThroughputOfAnotherKindFromManyAtOnce(t *testing.T) {
	t.Parallel()
	server, db := made(t, emulator.Options{}, nil, manualRUs(400))
	for _, want := range []admin.Throughput{admin.Autoscale(4000), admin.Manual(700)} {
		server.ResetRequests()
		start := make(chan struct{})
		var wg sync.WaitGroup
		for range 8 {
			own := server.Database(repository.Configure(nil))
			wg.Go(func() {
				<-start
				if _, err := admin.Ensure(t.Context(), own, wanted(nil), want, admin.FixDifferences()); err != nil {
					t.Error(err)
				}
			})
		}
		close(start)
		wg.Wait()
		ensure(t, db, wanted(nil), want)
		if got := changesOfThroughput(server); got != 2 {
			t.Errorf("%v: %d changes took effect, want 2", want, got)
		}
	}
}

// TestThroughputOfAnotherKindSurvives lets the first or the second change fail.
func TestThroughputOfAnotherKindSurvives(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]emulator.Fault{
		"429":          {Status: http.StatusTooManyRequests, RetryAfter: time.Millisecond},
		"503":          {Status: http.StatusServiceUnavailable, RetryAfter: time.Millisecond},
		"503 after":    {Status: http.StatusServiceUnavailable, RetryAfter: time.Millisecond, After: true},
		"400 after":    {Status: http.StatusBadRequest, After: true}, // as if another program were faster
		"dropped":      {Drop: true},
		"lost answer":  {Drop: true, After: true},
		"half a reply": {Body: func(body []byte) []byte { return body[:len(body)/2] }},
	} {
		for skip := range 2 {
			if name == "400 after" && skip == 1 {
				continue
			}
			fault := fault // for a parallel subtest
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				server, db := made(t, emulator.Options{}, nil, manualRUs(400))
				fault.Operation, fault.Skip = emulator.OpReplaceOffer, skip
				server.Inject(fault)
				ensure(t, db, wanted(nil), admin.Autoscale(4000), admin.FixDifferences())
				ensure(t, db, wanted(nil), admin.Autoscale(4000))
			})
		}
	}
}

// TestThroughputOfAnotherKindHalfway has an account whose throughput may be changed once
// more, and not twice.
func TestThroughputOfAnotherKindHalfway(t *testing.T) {
	t.Parallel()
	server, db := made(t, emulator.Options{}, nil, manualRUs(400))
	server.Inject(emulator.Fault{Operation: emulator.OpReplaceOffer, Skip: 1, Count: -1, Status: http.StatusTooManyRequests, RetryAfter: time.Hour})
	_, err := admin.Ensure(t.Context(), db, wanted(nil), admin.Autoscale(4000), admin.FixDifferences())
	var differs *admin.ContainerError
	var failed *repository.Error
	if !errors.As(err, &differs) || !errors.As(err, &failed) || !errors.Is(err, repository.ErrThrottled) || failed.Status != http.StatusTooManyRequests {
		t.Fatalf("got %v", err)
	}
	d := differs.Differences[0]
	if !d.Changed || !d.Fixable || d.Have != "autoscale up to 1000 RU/s" || !strings.Contains(d.Why, "it was changed from manual 400 RU/s; ") {
		t.Errorf("got %v", d)
	}
	server.ClearFaults()
	ensure(t, db, wanted(nil), admin.Autoscale(4000), admin.FixDifferences())
}

// TestThroughputOfAnotherKindWithoutConfigure has a client without the policy that asks.
func TestThroughputOfAnotherKindWithoutConfigure(t *testing.T) {
	server, _ := made(t, emulator.Options{}, nil, manualRUs(400))
	plain := server.Database(&azcosmos.ClientOptions{})
	_, err := admin.Ensure(t.Context(), plain, wanted(nil), admin.Autoscale(4000), admin.FixDifferences())
	const want = `ensure container "vehicle-event": changing between manual and autoscale throughput takes a policy: the client was made without repository.Configure`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	ensure(t, plain, wanted(nil), admin.Manual(400))
}

// headerWatch keeps which requests have the headers of a change of kind.
type headerWatch struct{ seen *sync.Map }

func (w headerWatch) Do(r *policy.Request) (*http.Response, error) {
	for _, header := range []string{"X-Ms-Cosmos-Migrate-Offer-To-Autopilot", "X-Ms-Cosmos-Migrate-Offer-To-Manual-Throughput"} {
		if r.Raw().Header.Get(header) != "" {
			w.seen.Store(r.Raw().Method+" "+strings.SplitN(r.Raw().URL.Path, "/", 3)[1], header)
		}
	}
	return r.Next()
}

// TestThroughputOfAnotherKindSendsOneHeader looks at the requests that find the offer, too.
func TestThroughputOfAnotherKindSendsOneHeader(t *testing.T) {
	server, _ := made(t, emulator.Options{}, nil, manualRUs(400))
	seen := headerWatch{new(sync.Map)}
	o := repository.Configure(nil)
	o.PerRetryPolicies = append(o.PerRetryPolicies, seen)
	ensure(t, server.Database(o), wanted(nil), admin.Autoscale(4000), admin.FixDifferences())
	n := 0
	seen.seen.Range(func(request, header any) bool {
		if n++; request != "PUT offers" || header != "X-Ms-Cosmos-Migrate-Offer-To-Autopilot" {
			t.Errorf("%v has %v", request, header)
		}
		return true
	})
	if n != 1 {
		t.Errorf("%d kinds of requests have such a header, want 1", n)
	}
}

func TestEnsureInAFullAccount(t *testing.T) {
	_, db := kit.NewDatabase(t, emulator.Options{MaxResources: 1}, nil)
	_, err := admin.Ensure(t.Context(), db, wanted(nil), admin.Manual(400))
	const want = `ensure container "vehicle-event": the account has reached its limit of databases and containers, 500 unless Microsoft has raised it: drop some, or use another account (status 403/1005)`
	if err == nil || err.Error() != want || !errors.Is(err, repository.ErrAccountFull) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	server, db := kit.NewDatabase(t, emulator.Options{}, manualRUs(400))
	for substatus, want := range map[int]string{
		1019: "25 containers share the throughput of its database",
		1028: "the account has a limit on its total throughput, which this would exceed",
	} {
		server.Inject(emulator.Fault{Operation: emulator.OpCreateContainer, Status: http.StatusForbidden, Substatus: substatus})
		if _, err := admin.Ensure(t.Context(), db, wanted(nil), admin.SharedThroughput()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: got %v, want %s", substatus, err, want)
		}
	}
}

// TestTenantsWithoutRoom makes containers of tenants until the account is full: the next
// one is refused, by Ensure and by a write that would make it, and has stored nothing.
func TestTenantsWithoutRoom(t *testing.T) {
	t.Parallel()
	const limit = 7
	server, db := kit.NewDatabase(t, emulator.Options{MaxResources: limit}, nil)
	client := server.Client(repository.Configure(nil))
	ctx := t.Context()
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "other"}, nil); err != nil {
		t.Fatal(err)
	}
	ensure := admin.WithEnsureContainer(func(string) admin.Throughput { return admin.Manual(400) })
	model := fixtures.RegionBillModel
	bills := repository.NewIn(db, model, ensure)
	for n := 0; ; n++ {
		have, err := admin.CountResources(ctx, client)
		if err != nil || have != (admin.Resources{Databases: 2, Containers: n}) {
			t.Fatalf("%+v, %v, want 2 databases and %d containers", have, err, n)
		}
		doc := &fixtures.Bill{ID: "1", Customer: "c", Region: fmt.Sprint("r", n), At: repository.NewTime(time.Unix(1, 0))}
		err = bills.Create(ctx, doc)
		if have.Total() < limit {
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		kit.WantError(t, "a write without room", err, repository.ErrAccountFull)
		_, err = admin.Ensure(ctx, db, model.Containers.Properties.(func(string) azcosmos.ContainerProperties)("bills-next"), admin.Manual(400))
		kit.WantError(t, "Ensure without room", err, repository.ErrAccountFull)
		if all, err := bills.Scan().Collect(ctx); err != nil || len(all) != limit-2 {
			t.Errorf("%d documents, %v", len(all), err)
		}
		break
	}
	server.Inject(emulator.Fault{Operation: emulator.OpQueryContainers, Status: http.StatusForbidden})
	_, err := admin.CountResources(ctx, client)
	var own *repository.Error
	if !errors.As(err, &own) || !strings.Contains(err.Error(), "count containers of database") {
		t.Errorf("a list that is refused: %v", err)
	}
}
