package tenants

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	residence "github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

var (
	bidValue = documents.Number[fixtures.Bid, int]("/value")
	bidPatch = repository.PatchNumber[fixtures.Bid, int]("/value")
)

// tiersHarness is a database with the container that tenants share, bids, and one of the
// tenant "t", bids-t.
type tiersHarness struct {
	t      testing.TB
	server *harness.Account
	db     *azcosmos.DatabaseClient
}

func newTiers(t testing.TB) *tiersHarness {
	t.Helper()
	return newTiersOf(t, "bids")
}

// newTiersOf is newTiers for another container that tenants share.
func newTiersOf(t testing.TB, shared string) *tiersHarness {
	t.Helper()
	server, db := kit.NewDatabase(t, emulator.Options{Partitions: 2}, nil)
	h := &tiersHarness{t, server, db}
	for _, id := range []string{shared, shared + "-t"} {
		if _, err := db.CreateContainer(context.Background(), kit.HashContainer(id, "/tenant"), nil); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h *tiersHarness) container(id string) *azcosmos.ContainerClient {
	h.t.Helper()
	c, err := h.db.NewContainer(id)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

var bidPartition = azcosmos.NewPartitionKeyString("t")

// fence stores the fence in a container.
func (h *tiersHarness) fence(id string, open bool) {
	h.t.Helper()
	if _, err := h.container(id).UpsertItem(context.Background(), bidPartition, residence.NewFence("/tenant", "t", 1, open, false), nil); err != nil {
		h.t.Fatal(err)
	}
}

// stored returns what a container has: the values of bids, and which ids have tombstones.
func (h *tiersHarness) stored(id string) (values map[string]int, gone map[string]bool, fence *residence.Mark) {
	h.t.Helper()
	values, gone = map[string]int{}, map[string]bool{}
	pager := h.container(id).NewQueryItemsPager("SELECT * FROM c", bidPartition, nil)
	for pager.More() {
		page, err := pager.NextPage(context.Background())
		if err != nil {
			h.t.Fatal(err)
		}
		for _, raw := range page.Items {
			mark, marked, err := residence.MarkOf(raw)
			if err != nil {
				h.t.Fatal(err)
			}
			switch {
			case marked && mark.Kind == residence.KindFence:
				fence = &mark
			case marked:
				gone[mark.ID] = true
			default:
				var b fixtures.Bid
				if err := json.Unmarshal(raw, &b); err != nil {
					h.t.Fatal(err)
				}
				values[b.ID] = b.Value
			}
		}
	}
	return values, gone, fence
}

// copyTo copies the bids of a container to another one, without marks.
func (h *tiersHarness) copyTo(from, to string) {
	h.t.Helper()
	values, _, _ := h.stored(from)
	for id, value := range values {
		body, err := json.Marshal(kit.BidOf(id, value))
		if err == nil {
			_, err = h.container(to).UpsertItem(context.Background(), bidPartition, body, nil)
		}
		if err != nil {
			h.t.Fatal(err)
		}
	}
}

// remove removes the bids of a container.
func (h *tiersHarness) remove(from string) {
	h.t.Helper()
	values, _, _ := h.stored(from)
	for id := range values {
		if _, err := h.container(from).DeleteItem(context.Background(), bidPartition, id, nil); err != nil {
			h.t.Fatal(err)
		}
	}
}

// ledger is a directory in memory. Its memory can be held although it is out of date, as
// that of a process is.
type ledger struct {
	ttl, grace time.Duration

	mu      sync.Mutex
	now     tenancy.Residence
	held    *tenancy.Residence // what Residence answers, with its own end
	lookUps int
	waiting chan struct{} // is told of each lookup, if it is not nil
}

func newLedger(ttl time.Duration) *ledger { return &ledger{ttl: ttl, grace: ttl} }

func (l *ledger) Residence(_ context.Context, shared, tenant string) (tenancy.Residence, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains([]string{"bids", "shared-bids", "lots", "holds"}, shared) || tenant != "t" {
		panic(shared + " " + tenant)
	}
	if l.held != nil {
		return *l.held, nil
	}
	return l.read(), nil
}

func (l *ledger) Refresh(context.Context, string, string) (tenancy.Residence, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lookUps++
	l.held = nil
	if l.waiting != nil {
		select {
		case l.waiting <- struct{}{}:
		default:
		}
	}
	return l.read(), nil
}

func (l *ledger) read() tenancy.Residence {
	r := l.now
	r.Until, r.Grace = time.Now().Add(l.ttl), l.grace
	return r
}

// hold keeps the directory's current answer for programs that do not ask again.
func (l *ledger) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.read()
	l.held = &r
}

// says changes the directory.
func (l *ledger) says(container string, state tenancy.ResidenceState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if container != l.now.Container {
		l.now.Switches++
	}
	l.now.Container, l.now.State = container, state
	l.now.Version++
}

func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lookUps
}

// slowAnswers is a policy by which the answers to some requests come late: when the
// function that it calls has returned.
type slowAnswers func(*http.Request)

func (p slowAnswers) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err == nil {
		p(r.Raw())
	}
	return response, err
}

// slowly returns the database by a client whose answers come late.
func (h *tiersHarness) slowly(late func(*http.Request)) *azcosmos.DatabaseClient {
	h.t.Helper()
	options := &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{PerCallPolicies: []policy.Policy{slowAnswers(late)}}}
	return h.server.Database(repository.Configure(options))
}
