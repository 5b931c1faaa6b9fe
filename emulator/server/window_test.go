package server

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// windowHeaders are those by which SDKs name a feed range.
func windowHeaders(from, to string) []string {
	return []string{"x-ms-read-key-type", "EffectivePartitionKeyRange", "x-ms-start-epk", from, "x-ms-end-epk", to}
}

// TestWindows scopes queries, feeds and the change feed to parts of the key space
// that are no physical partitions: every document is in one of them.
func TestWindows(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	const n = 60
	for i := range n {
		r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"%d","pk":"%d"}`, i, i))
	}
	bounds := []string{"", "05", "10", "1fffffffffffffffffffffffffffffff", "30", "FF"}
	seen := map[string][]string{}
	for i, from := range bounds[:len(bounds)-1] {
		to := bounds[i+1]
		headers := append(windowHeaders(from, to), "x-ms-max-item-count", "-1")
		rows := r.query("SELECT VALUE c.id FROM c ORDER BY c.id", headers...).status(200, "").rows()
		seen["ordered"] = append(seen["ordered"], rows...)
		rows = r.query("SELECT VALUE c.id FROM c", headers...).status(200, "").rows()
		seen["query"] = append(seen["query"], rows...)
		seen["feed"] = append(seen["feed"], r.send("GET", docs, "", headers...).status(200, "").rows()...)
		ids, _ := r.changes(headers...)
		seen["changes"] = append(seen["changes"], ids...)
		for _, row := range rows {
			epk, err := partition.EPK(row[1 : len(row)-1])
			if err != nil || partition.CompareEPK(epk, from) < 0 || to != "1fffffffffffffffffffffffffffffff" && partition.CompareEPK(epk, to) >= 0 {
				t.Errorf("document %s with the effective key %s is in %s to %s", row, epk, from, to)
			}
		}
	}
	for what, rows := range seen {
		slices.Sort(rows)
		if len(slices.Compact(rows)) != n {
			t.Errorf("%s: %d documents in all windows together, want %d", what, len(rows), n)
		}
	}
	// A window and a range: what is in both.
	in := func(headers ...string) int {
		return len(r.query("SELECT * FROM c", append(headers, "x-ms-max-item-count", "-1")...).status(200, "").rows())
	}
	if a, b := in(append(windowHeaders("10", "30"), rangeID, "0")...), in(windowHeaders("10", "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF")...); a != b || a == 0 {
		t.Errorf("%d documents in a window of range 0, want %d", a, b)
	}
	_, c := r.account.Find("db", "c")
	k := mustKey(t, c, `["7"]`)
	if got := in(append(windowHeaders(k.EPK, k.EPK+"01"), rangeID, "0")...) + in(append(windowHeaders(k.EPK, k.EPK+"01"), rangeID, "1")...); got != 1 {
		t.Errorf("%d documents in the window of one key, want 1", got)
	}
	if got := in(append(windowHeaders("", "FF"), pkKey, `["7"]`)...); got != 1 {
		t.Errorf("%d documents of a key in the window of all, want 1", got)
	}
	// The gateway does not combine two ranges, whatever names them.
	r.query("SELECT * FROM c ORDER BY c.id", append(windowHeaders("10", "30"), "x-ms-documentdb-query-enablecrosspartition", "True")...).status(400, "1004")
}

func TestBadWindows(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	for _, headers := range [][]string{
		{"x-ms-start-epk", "10", "x-ms-end-epk", "20"},
		{"x-ms-read-key-type", "EffectivePartitionKey", "x-ms-start-epk", "10", "x-ms-end-epk", "20"},
		windowHeaders("20", "10"), windowHeaders("10", "10"), windowHeaders("x", "10"), windowHeaders("10", "2 "),
	} {
		r.query("SELECT * FROM c", headers...).status(400, "")
	}
}
