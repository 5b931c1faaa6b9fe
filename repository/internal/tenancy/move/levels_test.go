package move

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// levelled makes a container whose partition key is the tenant, a day and a number.
func (r *rig) levelled(id string) *azcosmos.ContainerClient {
	r.t.Helper()
	return r.Create(harness.Properties(id, tenantPath, "/at/day", "/n"))
}

// levelsOf returns the key of the document of a number.
func levelsOf(tenant string, n int) azcosmos.PartitionKey {
	return azcosmos.NewPartitionKeyString(tenant).AppendString(fmt.Sprintf("day %d", n%5)).AppendNumber(float64(n % 3))
}

func levelBody(t testing.TB, tenant string, n int, text string) []byte {
	raw, err := json.Marshal(map[string]any{"id": fmt.Sprintf("o%d", n/2), "tenantId": tenant, "at": map[string]string{"day": fmt.Sprintf("day %d", n%5)}, "n": n % 3, "text": text})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// storedLevels returns what is stored of a tenant, by id and key.
func (r *rig) storedLevels(c *azcosmos.ContainerClient, tenant string) map[string]string {
	r.t.Helper()
	all := map[string]string{}
	pager := c.NewQueryItemsPager("SELECT * FROM c WHERE c.tenantId = @t", azcosmos.NewPartitionKey(), &azcosmos.QueryOptions{QueryParameters: []azcosmos.QueryParameter{{Name: "@t", Value: tenant}}})
	for pager.More() {
		page, err := pager.NextPage(context.Background())
		if err != nil {
			r.t.Fatal(err)
		}
		for _, raw := range page.Items {
			var d struct {
				ID, Text string
				At       struct{ Day string }
				N        int
			}
			if err := json.Unmarshal(raw, &d); err != nil {
				r.t.Fatal(err)
			}
			all[fmt.Sprintf("%s in %s %d", d.ID, d.At.Day, d.N)] = d.Text
		}
	}
	return all
}

// TestLevels moves tenants that are the first level of a key, with crashes at every fifth
// request of the move, and at each one for many tenants, before it is sent and after it
// took effect. Others in the containers stay.
func TestLevels(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		harness.Bubble(t, fmt.Sprintf("after %v", after), func(t *testing.T) {
			r := newRig(t)
			r.levelled("orders")
			r.levelled("orders-own")
			for n := range 14 {
				for _, tenant := range []string{"a", "b", "aa"} {
					if _, err := r.client("orders").CreateItem(t.Context(), levelsOf(tenant, n), levelBody(t, tenant, n, fmt.Sprint(n)), nil); err != nil {
						t.Fatal(err)
					}
				}
			}
			want, others := r.storedLevels(r.client("orders"), "a"), r.storedLevels(r.client("orders"), "aa")
			places := []string{"orders-own", "orders"}
			step := 5
			if *tenants > 50 {
				step = 1
			}
			for at, turn := rand.N(step), 0; ; at, turn = at+step, turn+1 {
				to, from := places[turn%2], places[(turn+1)%2]
				settings := r.settings("a", to)
				settings.Rhythm = 20 * time.Millisecond
				ctx, crashed := process(at, after)
				_, err := Run(ctx, settings)
				dead := crashed()
				if dead {
					_, err = Run(t.Context(), settings)
				}
				if err != nil {
					t.Fatalf("after a crash at request %d: %v", at, err)
				}
				if got := r.storedLevels(r.client(to), "a"); !maps.Equal(got, want) {
					t.Fatalf("after a crash at request %d there are %v, want %v", at, got, want)
				}
				if got := r.storedLevels(r.client(from), "a"); len(got) > 0 {
					t.Fatalf("after a crash at request %d there are %v at the old place", at, got)
				}
				if !dead {
					break
				}
			}
			for _, other := range []string{"b", "aa"} {
				if got := r.storedLevels(r.client("orders"), other); len(got) != len(others) {
					t.Errorf("another tenant has %v", got)
				}
			}
		})
	}
}

// TestLevelsUnderLoad moves a tenant of levels while a program writes and deletes by the
// rule of package tenancy: plain requests, while the directory does not say that writes
// wait. Physical partitions are split meanwhile.
func TestLevelsUnderLoad(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.levelled("orders")
	r.levelled("orders-own")
	var mu sync.Mutex
	want := map[string]string{}
	stop := make(chan struct{})
	var group sync.WaitGroup
	for w := range 3 {
		p := r.program("a")
		group.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				n := rand.N(10)*3 + w
				text := fmt.Sprintf("version %d", i)
				if rand.N(4) == 0 {
					text = ""
				}
				for {
					done, err := p.writeLevels(t.Context(), n, text)
					if err != nil {
						t.Error(err)
						return
					}
					if done {
						break
					}
				}
				mu.Lock()
				name := fmt.Sprintf("o%d in day %d %d", n/2, n%5, n%3)
				if want[name] = text; text == "" {
					delete(want, name)
				}
				mu.Unlock()
				time.Sleep(rand.N(4 * time.Millisecond))
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	if err := r.Split(harness.Database, "orders", "0"); err != nil {
		t.Error(err)
	}
	settings := r.settings("a", "orders-own")
	settings.Sleep, settings.Rhythm = nil, 300*time.Millisecond
	settings.Progress = func(s Summary) {
		if s.Step == Copying && s.Documents > 0 && s.Deleted == 0 {
			_ = r.Split(harness.Database, "orders", "1") // once; then there is no such physical partition
		}
	}
	done, err := Run(t.Context(), settings)
	close(stop)
	group.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if got := r.storedLevels(r.client("orders-own"), "a"); !maps.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
	if got := r.storedLevels(r.client("orders"), "a"); len(got) > 0 {
		t.Errorf("%v is at the old place", got)
	}
	if done.Mended > 0 || done.Pause < 500*time.Millisecond {
		t.Errorf("%+v", done)
	}
}

// writeLevels stores a document, or deletes it if text is empty, and reports whether that
// counts.
func (p *program) writeLevels(ctx context.Context, n int, text string) (bool, error) {
	at, c, err := p.place(ctx)
	if err != nil {
		return false, err
	}
	if at.State == tenancy.Closed {
		time.Sleep(5 * time.Millisecond)
		return false, nil
	}
	if text == "" {
		_, err = c.DeleteItem(ctx, levelsOf(p.tenant, n), fmt.Sprintf("o%d", n/2), nil)
		if wire.StatusOf(err) == 404 {
			err = nil
		}
	} else {
		_, err = c.UpsertItem(ctx, levelsOf(p.tenant, n), levelBody(p.r.t, p.tenant, n, text), nil)
	}
	return time.Now().Before(at.Until.Add(at.Grace)), err
}

// TestLevelsWithoutKey refuses a document that lacks a level.
func TestLevelsWithoutKey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.levelled("orders")
	r.levelled("orders-own")
	if _, err := r.client("orders").CreateItem(t.Context(), azcosmos.NewPartitionKeyString("a").AppendNull().AppendNumber(1), []byte(`{"id":"1","tenantId":"a","at":{"day":null},"n":1}`), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), r.settings("a", "orders-own")); err == nil || !strings.Contains(err.Error(), `the document "1" lacks a level`) {
		t.Error(err)
	}
}
