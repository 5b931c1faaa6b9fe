package tenancy

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// TestDocumentIDs has ids of tenants that try to be those of others.
func TestDocumentIDs(t *testing.T) {
	ids := map[string]string{"settings": "the times"}
	tenants := []string{"a", "A", "a.b", "b", "_61", "a/b", "a#b", "ü", "~a", strings.Repeat("a", 300), strings.Repeat("A", 300), strings.Repeat("ü", 100)}
	for _, shared := range []string{"orders", "orders.a", "Orders", "orders-2"} {
		for _, tenant := range tenants {
			id := DocumentID(shared, tenant)
			if other, taken := ids[id]; taken || len(id) > 255 || strings.ContainsAny(id, `/\\?#`) {
				t.Errorf("%s of %.9q is that of %s, or no id", id, tenant, other)
			}
			ids[id] = shared + " " + tenant
		}
	}
	for tenant, want := range map[string]string{"contoso": "orders.contoso", "Con/toso": "orders._43on_2ftoso"} { // stored data
		if got := DocumentID("orders", tenant); got != want {
			t.Errorf("%q: %s, want %s", tenant, got, want)
		}
	}
}

// TestParseDocument reads documents as they are stored, and what others have stored there.
func TestParseDocument(t *testing.T) {
	const stored = `{"id":"orders.contoso","shared":"orders","tenant":"contoso","container":"orders-contoso","state":"moving","version":3,"switches":1,"_etag":"x","_ts":1}`
	d, err := ParseDocument([]byte(stored))
	if err != nil || d.ETag != azcore.ETag("x") {
		t.Fatal(d, err)
	}
	began := time.Now()
	want := Residence{"orders-contoso", Moving, 3, 1, began.Add(time.Minute), time.Second}
	if got := d.Residence(began, Times{time.Minute, time.Second}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	for name, raw := range map[string]string{
		"another tenant":   strings.Replace(stored, `"tenant":"contoso"`, `"tenant":"fabrikam"`, 1),
		"another state":    strings.Replace(stored, "moving", "gone", 1),
		"no document":      `[]`,
		"another document": `{"id":"orders.contoso","name":"x"}`,
	} {
		if _, err := ParseDocument([]byte(raw)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestMarks has fences and tombstones under keys at several paths.
func TestMarks(t *testing.T) {
	for path, want := range map[string]string{"/tenant": `"tenant":"t\"x"`, "/who/tenant": `"who":{"tenant":"t\"x"}`} {
		fence, stone := NewFence(path, `t"x`, 7, true, false), NewTombstone(path, `t"x`, "a/b")
		for _, raw := range [][]byte{fence, stone} {
			if !json.Valid(raw) || !strings.Contains(string(raw), want) || !IsHidden(raw) {
				t.Errorf("%s: %s", path, raw)
			}
		}
		if m, found, err := MarkOf(fence); err != nil || !found || m != (Mark{Kind: KindFence, Epoch: 7, Open: true}) {
			t.Errorf("%s: %v, %v", path, m, err)
		}
		if m, found, err := MarkOf(stone); err != nil || !found || m != (Mark{Kind: KindGone, ID: "a/b"}) {
			t.Errorf("%s: %v, %v", path, m, err)
		}
	}
	if _, found, err := MarkOf([]byte(`{"id":"x"}`)); found || err != nil || IsHidden([]byte(`{"id":"x"}`)) {
		t.Error("a document is a mark", err)
	}
	if _, found, err := MarkOf([]byte(`{"_pkgenMove":1}`)); !found || err == nil {
		t.Error("something else is a mark", err)
	}
	seen := map[string]bool{}
	for i := range 100 {
		seen[TombstoneID(fmt.Sprint(i))] = true
	}
	if len(seen) != 100 || TombstoneID("a") != "_pkgen-gone-ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" {
		t.Errorf("%d ids, %s", len(seen), TombstoneID("a"))
	}
}
