package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// rig is an emulator with a shared container, own ones and a directory.
type rig struct {
	*emulator.Server
	t       testing.TB
	db      *azcosmos.DatabaseClient
	records *tenancy.Records
}

// crash ends a process at one of its requests: before it is sent, or after it took effect.
// No later request of the process is sent.
type crash struct {
	mu     sync.Mutex
	n, at  int // at is counted from 0; -1 for never
	after  bool
	dead   bool
	cancel func()
}

// crashing is the key of a crash in a context.
type crashing struct{}

var errCrash = errors.New("the process has crashed")

// interference is the policy of crashes and holds.
type interference struct{}

func (interference) Do(r *policy.Request) (*http.Response, error) {
	if h, ok := r.Raw().Context().Value(holding{}).(*hold); ok {
		h.wait()
	}
	if n, ok := r.Raw().Context().Value(untagged{}).(*atomic.Int64); ok && r.Raw().Header.Get("A-IM") != "" && strings.HasSuffix(r.Raw().URL.Path, "/docs") && n.Add(1)%3 == 0 {
		response, err := r.Next()
		if err == nil {
			response.Header.Del("ETag")
		}
		return response, err
	}
	c, ok := r.Raw().Context().Value(crashing{}).(*crash)
	if !ok {
		return r.Next()
	}
	c.mu.Lock()
	now, dead := c.n == c.at, c.dead
	c.n++
	c.dead = dead || now
	c.mu.Unlock()
	if dead || now && !c.after {
		c.cancel()
		return nil, errCrash
	}
	response, err := r.Next()
	if now {
		c.cancel()
		return nil, errCrash
	}
	return response, err
}

// hold stops a process at one of its requests.
type hold struct {
	at      int
	reached chan struct{}
	release chan struct{}

	mu sync.Mutex
	n  int
}

// holding is the key of a hold in a context.
type holding struct{}

// wait waits in the request at which the process stops, and in those after it.
func (h *hold) wait() {
	h.mu.Lock()
	h.n++
	now, after := h.n-1 == h.at, h.n-1 > h.at
	h.mu.Unlock()
	if now {
		close(h.reached)
	}
	if now || after {
		<-h.release
	}
}

// process returns the context of a process that crashes at a request.
func process(at int, after bool) (ctx context.Context, crashed func() bool) {
	c := &crash{at: at, after: after}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), crashing{}, c))
	c.cancel = cancel
	return ctx, func() bool {
		cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.dead
	}
}

// tenantPath is the path of the partition key.
const tenantPath = "/tenantId"

func newRig(t testing.TB) *rig {
	t.Helper()
	server := emulator.New(t, emulator.Options{Partitions: 3})
	r := &rig{Server: server, t: t}
	options := azcosmos.ClientOptions{}
	options.PerCallPolicies = append(options.PerCallPolicies, interference{})
	wire.AddPolicies(&options)
	client := server.Client(&options)
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "shop"}, nil); err != nil {
		t.Fatal(err)
	}
	var err error
	if r.db, err = client.NewDatabase("shop"); err != nil {
		t.Fatal(err)
	}
	r.records = tenancy.NewRecords(r.container("directory", "/id", nil))
	if _, err := r.records.SetTimes(t.Context(), tenancy.Times{TTL: 100 * time.Millisecond, Grace: 400 * time.Millisecond}, true); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) container(id, path string, ttl *int32) *azcosmos.ContainerClient {
	r.t.Helper()
	_, err := r.db.CreateContainer(context.Background(), azcosmos.ContainerProperties{
		ID: id, DefaultTimeToLive: ttl, PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{path}, Kind: azcosmos.PartitionKeyKindHash, Version: 2},
	}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.client(id)
}

func (r *rig) client(id string) *azcosmos.ContainerClient {
	c, err := r.db.NewContainer(id)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// store stores documents of a tenant, each a JSON object without id and tenant.
func (r *rig) store(c *azcosmos.ContainerClient, tenant string, documents map[string]string) {
	r.t.Helper()
	for id, text := range documents {
		raw := object(r.t, tenant, id, text)
		if _, err := c.UpsertItem(context.Background(), azcosmos.NewPartitionKeyString(tenant), raw, nil); err != nil {
			r.t.Fatal(err)
		}
	}
}

func object(t testing.TB, tenant, id, text string) []byte {
	raw, err := json.Marshal(map[string]string{"id": id, "tenantId": tenant, "text": text})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// stored returns the documents of a tenant, without those of moves.
func (r *rig) stored(c *azcosmos.ContainerClient, tenant string) map[string]string {
	r.t.Helper()
	all := map[string]string{}
	pager := c.NewQueryItemsPager("SELECT * FROM c WHERE "+tenancy.HiddenCondition, azcosmos.NewPartitionKeyString(tenant), nil)
	for pager.More() {
		page, err := pager.NextPage(context.Background())
		if err != nil {
			r.t.Fatal(err)
		}
		for _, raw := range page.Items {
			var d struct{ ID, Text string }
			if err := json.Unmarshal(raw, &d); err != nil {
				r.t.Fatal(err)
			}
			if _, twice := all[d.ID]; twice {
				r.t.Fatalf("%q is there twice", d.ID)
			}
			all[d.ID] = d.Text
		}
	}
	return all
}

// hidden returns the ids of the documents of moves.
func (r *rig) hidden(c *azcosmos.ContainerClient, tenant string) string {
	r.t.Helper()
	var ids []string
	pager := c.NewQueryItemsPager("SELECT VALUE c.id FROM c WHERE NOT "+tenancy.HiddenCondition, azcosmos.NewPartitionKeyString(tenant), nil)
	for pager.More() {
		page, err := pager.NextPage(context.Background())
		if err != nil {
			r.t.Fatal(err)
		}
		for _, raw := range page.Items {
			ids = append(ids, strings.Trim(string(raw), `"`))
		}
	}
	return strings.Join(ids, " ")
}

// settings are those of a move without waiting.
func (r *rig) settings(tenant, to string) Settings {
	return Settings{
		Container: r.db.NewContainer, Records: r.records, Shared: "orders", Tenant: tenant, To: to,
		Rhythm: 5 * time.Millisecond,
		Sleep:  func(ctx context.Context, d time.Duration) error { return sleepAtMost(ctx, d, 2*time.Millisecond) },
	}
}

func sleepAtMost(ctx context.Context, d, most time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(min(d, most)):
		return nil
	}
}

// some returns documents.
func some(n int) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprintf("o%d", i)] = fmt.Sprintf("order %d", i)
	}
	return all
}
