package kit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// SeenChanges is what handlers of several types have got, in order.
type SeenChanges struct {
	mu  sync.Mutex
	All []string
}

func (s *SeenChanges) Note(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.All = append(s.All, id)
}

func (s *SeenChanges) Await(t *testing.T, n int) []string {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		all := slices.Clone(s.All)
		s.mu.Unlock()
		if len(all) >= n {
			return all
		}
		if time.Now().After(deadline) {
			t.Fatalf("the handlers got %q, and not %d documents", all, n)
		}
	}
}

func LeaseIDs(t *testing.T, leases *azcosmos.ContainerClient) (ids []string) {
	t.Helper()
	pager := leases.NewQueryItemsPager("SELECT c.id FROM c", azcosmos.NewPartitionKey(), nil)
	for pager.More() {
		page, err := pager.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			var lease struct{ ID string }
			if err := json.Unmarshal(item, &lease); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, lease.ID)
		}
	}
	return ids
}

// Quick are lease times for tests: short, but leases do not expire, nor are requests given
// up after a quarter of that time, while a busy machine leaves a process waiting.
var Quick = feed.WithLeaseTimes(feed.LeaseTimes{
	Acquire: 130 * time.Millisecond, Renew: 170 * time.Millisecond, Expire: 30 * time.Second,
})

// NewLeases makes a lease container on the server of things.
func NewLeases(t *testing.T, server *harness.Account) *azcosmos.ContainerClient {
	t.Helper()
	client := server.Client(repository.Configure(nil))
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	leases, err := admin.EnsureLeases(context.Background(), db, "leases", admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	return leases
}

// Add stores n more documents.
func (c Things) Add(t *testing.T, name string, n int) []*Thing {
	t.Helper()
	all := make([]*Thing, n)
	for i := range all {
		all[i] = &Thing{ID: fmt.Sprintf("%s%04d", name, i), Base: []string{"x", "y"}[i%2]}
		if err := c.Create(context.Background(), all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// Handled counts how often each document was handled, by id.
type Handled struct {
	Mu    sync.Mutex
	Times map[string]int
}

func (h *Handled) Note(changes []feed.Delivery[Thing]) {
	h.Mu.Lock()
	defer h.Mu.Unlock()
	if h.Times == nil {
		h.Times = map[string]int{}
	}
	for _, c := range changes {
		h.Times[c.Doc.ID]++
	}
}

// Await waits until all were handled, and returns how many were more than once.
func (h *Handled) Await(t *testing.T, all []*Thing) (again int) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		h.Mu.Lock()
		missing, again := 0, 0
		for _, x := range all {
			switch n := h.Times[x.ID]; {
			case n == 0:
				missing++
			case n > 1:
				again++
			}
		}
		h.Mu.Unlock()
		if missing == 0 {
			return again
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d documents were not handled", missing, len(all))
		}
	}
}

// RunProcessor runs a processor as a process of its own would. The function ends it.
func RunProcessor(t *testing.T, p *feed.Processor) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	var once sync.Once
	end = func() {
		once.Do(func() {
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("a processor ended with %v", err)
			}
		})
	}
	t.Cleanup(end)
	return end
}

// AwaitPositions waits until n leases say where they go on.
func AwaitPositions(t *testing.T, leases *azcosmos.ContainerClient, n int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		have := 0
		pager := leases.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil)
		for pager.More() {
			page, err := pager.NextPage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range page.Items {
				var lease struct {
					ContinuationToken *string
					Mode              *string
				}
				if err := json.Unmarshal(item, &lease); err != nil {
					t.Fatal(err)
				}
				if lease.ContinuationToken != nil {
					have++
				}
				if lease.Mode != nil && *lease.Mode != "Full-Fidelity Feed" {
					t.Fatalf("a lease is of the mode %s", *lease.Mode)
				}
			}
		}
		if have == n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d leases say where they go on", have, n)
		}
	}
}
