package move

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// TestFollow deletes and stores documents while they are copied: the destination has what
// the old place has, without a comparison.
func TestFollow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shared := r.container("orders", tenantPath, nil)
	r.container("orders-own", tenantPath, nil)
	want := some(fewLeft + 10)
	r.store(shared, "a", want)
	key := azcosmos.NewPartitionKeyString("a")
	fenced := func(add func(b *azcosmos.TransactionalBatch)) {
		b := shared.NewTransactionalBatch(key)
		b.PatchItem(tenancy.FenceID, tenancy.FencePatch().SDK(), nil)
		add(&b)
		response, err := shared.ExecuteTransactionalBatch(t.Context(), b, nil)
		if err != nil || !response.Success {
			t.Errorf("%v, %+v", err, response.OperationResults)
		}
	}
	gone := func(b *azcosmos.TransactionalBatch, id string) {
		b.DeleteItem(id, nil)
		b.UpsertItem(tenancy.NewTombstone(tenantPath, "a", id), nil)
	}
	settings := r.settings("a", "orders-own")
	changed := false
	settings.Progress = func(s Summary) {
		if s.Documents == 0 || changed {
			return
		}
		changed = true
		fenced(func(b *azcosmos.TransactionalBatch) { gone(b, "o0") })
		fenced(func(b *azcosmos.TransactionalBatch) { gone(b, "o1") })
		fenced(func(b *azcosmos.TransactionalBatch) { b.UpsertItem(object(t, "a", "o1", "again"), nil) })
		fenced(func(b *azcosmos.TransactionalBatch) { // in one transaction
			gone(b, "o2")
			b.CreateItem(object(t, "a", "o2", "again"), nil)
		})
		fenced(func(b *azcosmos.TransactionalBatch) { b.CreateItem(object(t, "a", "new", "new"), nil) })
		fenced(func(b *azcosmos.TransactionalBatch) { b.CreateItem(object(t, "a", "short", "lived"), nil) })
		fenced(func(b *azcosmos.TransactionalBatch) { gone(b, "short") })
	}
	done, err := Run(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	if done.Mended != 0 || done.Deleted == 0 || done.Fenced != 7 {
		t.Errorf("%+v", done)
	}
	delete(want, "o0")
	want["o1"], want["o2"], want["new"] = "again", "again", "new"
	r.check("a", "orders-own", "orders-own settled", want)
}

// TestMends copies what programs without the directory have written in the pause, and
// says so.
func TestMends(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shared, own := r.container("orders", tenantPath, nil), r.container("orders-own", tenantPath, nil)
	want := some(5)
	r.store(shared, "a", want)
	settings := r.settings("a", "orders-own")
	settings.Progress = func(s Summary) {
		if s.Step == Closing && s.Mended == 0 && len(want) == 5 {
			want["late"] = "late"
			r.store(own, "a", map[string]string{"odd": "odd"})
			for _, id := range []string{"o1", "o2"} {
				if _, err := own.DeleteItem(t.Context(), azcosmos.NewPartitionKeyString("a"), id, nil); err != nil {
					t.Error(err)
				}
			}
			r.store(shared, "a", map[string]string{"late": "late"})
		}
	}
	done, err := Run(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	if done.Mended != 3 {
		t.Errorf("%+v", done)
	}
	r.check("a", "orders-own", "orders-own settled", want)
}

// TestBrokenPages cuts the first answer of each query: a page that lacks documents is not
// taken for fewer documents, which would be left at the old place, or removed from the new one.
func TestBrokenPages(t *testing.T) {
	for _, path := range []string{tenantPath, tenantPath + " /id"} {
		for name, cut := range map[string]func(body []byte) []byte{
			"empty": func([]byte) []byte { return []byte("{}") },
			"half":  func(body []byte) []byte { return body[:len(body)/2] },
		} {
			harness.Bubble(t, path+" "+name, func(t *testing.T) {
				r := newRig(t)
				shared, own := r.Create(harness.Properties("orders", strings.Fields(path)...)), r.Create(harness.Properties("orders-own", strings.Fields(path)...))
				want := some(5)
				key := func(id string) azcosmos.PartitionKey {
					if path == tenantPath {
						return azcosmos.NewPartitionKeyString("a")
					}
					return azcosmos.NewPartitionKeyString("a").AppendString(id)
				}
				for id, text := range want {
					if _, err := shared.UpsertItem(t.Context(), key(id), object(t, "a", id, text), nil); err != nil {
						t.Fatal(err)
					}
				}
				settings, odd := r.settings("a", "orders-own"), false
				settings.Progress = func(s Summary) {
					if s.Step == Closing && !odd {
						odd = true
						if _, err := own.UpsertItem(t.Context(), key("odd"), object(t, "a", "odd", "odd"), nil); err != nil {
							t.Error(err)
						}
					}
				}
				var queries atomic.Int64
				r.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Path: "colls/orders", Count: -1, Body: func(body []byte) []byte {
					if queries.Add(1)%2 == 1 {
						return cut(body)
					}
					return body
				}})
				if _, err := Run(t.Context(), settings); err != nil {
					t.Fatal(err)
				}
				r.ClearFaults()
				for container, want := range map[*azcosmos.ContainerClient]int{shared: 0, own: len(want)} {
					n := 0
					pager := container.NewQueryItemsPager("SELECT c.id FROM c WHERE "+tenancy.HiddenCondition, azcosmos.NewPartitionKey(), nil)
					for pager.More() {
						page, err := pager.NextPage(t.Context())
						if err != nil {
							t.Fatal(err)
						}
						n += len(page.Items)
					}
					if n != want {
						t.Errorf("%s has %d documents, want %d", container.ID(), n, want)
					}
				}
			})
		}
	}
}

// TestGivesUp lets writers go on at the old place if the sides cannot be made the same.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shared, own := r.container("orders", tenantPath, nil), r.container("orders-own", tenantPath, nil)
	want := some(5)
	r.store(shared, "a", want)
	settings := r.settings("a", "orders-own")
	n := 0
	settings.Progress = func(s Summary) {
		if s.Step == Closing { // somebody writes to the destination all the time
			n++
			r.store(own, "a", map[string]string{fmt.Sprintf("odd%d", n): "odd"})
		}
	}
	if _, err := Run(t.Context(), settings); err == nil || !strings.Contains(err.Error(), "The tenant was not moved") {
		t.Fatal(err)
	}
	if got := r.residence("a"); got != " moving with a move" {
		t.Errorf("the directory says %q", got)
	}
	program := r.program("a")
	if err := program.write(t.Context(), "o9", "goes on", func() {}); err != nil {
		t.Error(err)
	}
	want["o9"] = "goes on"
	if done, err := Run(t.Context(), r.settings("a", "orders-own")); err != nil || !done.Resumed {
		t.Errorf("%+v, %v", done, err)
	}
	r.check("a", "orders-own", "orders-own settled", want)
}

// TestHostileTenants moves tenants whose names are hostile, and whose documents are: each
// arrives byte for byte, and those of tenants with similar names stay.
func TestHostileTenants(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shared, own := r.container("orders", tenantPath, nil), r.container("orders-own", tenantPath, nil)
	names := []string{
		`"`, `\`, `a'b"c`, "ä\t\n", "/", "..", "a/b?c#d", " ", "null", "[]", `{"a":1}`, "A", "a", "a ", "_41", "日本", "\u2028",
		`' OR true --`, strings.Repeat("x", 400), "<script>", "%2e", "a.b",
	}
	body := func(tenant string) []byte {
		raw, err := json.Marshal(tenant)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Appendf(nil, `{ "id":"1", "tenantId":%s , "_rid2":{"_rid":"x","_ts":1},"n":1.50e2,"e":"\u00e4\/","list":[ 1, {"_etag":2}], "ttl" : 7 }`, raw)
	}
	for _, name := range names {
		if _, err := shared.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(name), body(name), nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range names {
		key := azcosmos.NewPartitionKeyString(name)
		before, err := shared.ReadItem(t.Context(), key, "1", nil)
		if err != nil {
			t.Fatal(err)
		}
		done, err := Run(t.Context(), r.settings(name, "orders-own"))
		if err != nil || done.Documents != 1 {
			t.Fatalf("%q: %+v, %v", name, done, err)
		}
		after, err := own.ReadItem(t.Context(), key, "1", nil)
		if err != nil {
			t.Fatal(err)
		}
		stripped := func(raw []byte) string { return string(text.Without(raw, system.Fed)) }
		if got, want := stripped(after.Value), stripped(before.Value); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
		for j, other := range names {
			lives := shared
			if j <= i {
				lives = own
			}
			if got := r.stored(lives, other); len(got) != 1 {
				t.Fatalf("after %q has moved, %q has %v", name, other, got)
			}
		}
	}
}

// TestTTL keeps what is left of the time that documents live.
func TestTTL(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	hundred := int32(100)
	shared, own := r.container("orders", tenantPath, &hundred), r.container("orders-own", tenantPath, &hundred)
	key := azcosmos.NewPartitionKeyString("a")
	for _, text := range []string{
		`{"id":"usual","tenantId":"a"}`, `{"id":"longer","tenantId":"a","ttl":1000}`, `{"id":"forever","tenantId":"a","ttl":-1}`, `{"id":"short","tenantId":"a","ttl":10}`,
	} {
		if _, err := shared.CreateItem(t.Context(), key, []byte(text), nil); err != nil {
			t.Fatal(err)
		}
	}
	r.Advance(60 * time.Second)
	if _, err := Run(t.Context(), r.settings("a", "orders-own")); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"usual": "", "longer": "", "forever": ""}
	r.check("a", "orders-own", "orders-own settled", want)
	for id, most := range map[string]int{"usual": 40, "longer": 940, "forever": -1} {
		response, err := own.ReadItem(t.Context(), key, id, nil)
		if err != nil {
			t.Fatal(err)
		}
		var d struct{ TTL int }
		if err := json.Unmarshal(response.Value, &d); err != nil || d.TTL > most || d.TTL < most-30 {
			t.Errorf("%s lives for %d seconds, want %d", id, d.TTL, most)
		}
	}
	r.Advance(60 * time.Second)
	delete(want, "usual")
	if got := r.stored(own, "a"); !maps.Equal(got, want) {
		t.Errorf("a minute later there are %v", got)
	}
}

// untagged is a policy that takes the ETag from every third page of a change feed.
func untagged() harness.Policy {
	var n atomic.Int64
	return func(r *policy.Request) (*http.Response, error) {
		response, err := r.Next()
		if err == nil && r.Raw().Header.Get("A-IM") != "" && strings.HasSuffix(r.Raw().URL.Path, "/docs") && n.Add(1)%3 == 0 {
			response.Header.Del("ETag")
		}
		return response, err
	}
}

// TestMoveWithoutETags has a move read such a feed.
func TestMoveWithoutETags(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shared := r.container("orders", tenantPath, nil)
	r.container("orders-own", tenantPath, nil)
	want := some(3*feedPage + 120)
	r.store(shared, "a", want)
	done, err := Run(harness.Intercept(t.Context(), untagged()), r.settings("a", "orders-own"))
	if err != nil {
		t.Fatal(err)
	}
	if done.Documents != int64(len(want)) {
		t.Errorf("%d documents were copied, want %d", done.Documents, len(want))
	}
	r.check("a", "orders-own", "orders-own settled", want)
}
