package move

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// rig is an emulator with a shared container, own ones and a directory.
type rig struct {
	*harness.Account
	t       testing.TB
	records *tenancy.Records
}

// process returns the context of a process that crashes at a request.
func process(at int, after bool) (ctx context.Context, crashed func() bool) {
	c := &harness.Crash{At: at, After: after}
	return c.Context(context.Background())
}

// tenantPath is the path of the partition key.
const tenantPath = "/tenantId"

func newRig(t testing.TB, regions ...string) *rig {
	t.Helper()
	r := &rig{Account: harness.New(t, emulator.Options{Partitions: 3, Regions: regions}, configured()), t: t}
	r.records = tenancy.NewRecords(r.container("directory", "/id", nil))
	if _, err := r.records.SetTimes(t.Context(), tenancy.Times{TTL: 100 * time.Millisecond, Grace: 400 * time.Millisecond}, true); err != nil {
		t.Fatal(err)
	}
	return r
}

// configured returns the options of a client.
func configured() *azcosmos.ClientOptions {
	options := harness.PerCall(harness.Intercepted)
	wire.AddPolicies(options)
	return options
}

func (r *rig) container(id, path string, ttl *int32) *azcosmos.ContainerClient {
	r.t.Helper()
	properties := harness.Properties(id, path)
	properties.DefaultTimeToLive = ttl
	return r.Create(properties)
}

func (r *rig) client(id string) *azcosmos.ContainerClient {
	c, err := r.DB.NewContainer(id)
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
		Container: r.DB.NewContainer, Records: r.records, Shared: "orders", Tenant: tenant, To: to,
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
