package server

import (
	"fmt"
	"reflect"
	"testing"
)

const ranges = "/dbs/db/colls/c/pkranges"

// rangeList reads the ranges of a pkranges answer as id, parents and bounds.
func (a *answer) rangeList() [][]string {
	a.t.Helper()
	var list [][]string
	for _, r := range a.json()["PartitionKeyRanges"].([]any) {
		m := r.(map[string]any)
		line := []string{m["id"].(string), fmt.Sprint(m["parents"]), m["minInclusive"].(string), m["maxExclusive"].(string)}
		if _, ok := m["_ts"].(float64); !ok {
			a.t.Errorf("_ts of range %s is %v", line[0], m["_ts"])
		}
		list = append(list, line)
	}
	return list
}

func TestRangeFeed(t *testing.T) {
	const f = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	feed := []string{"A-IM", "Incremental Feed"}
	first := r.send("GET", ranges, "", feed...).status(200, "")
	want := [][]string{{"0", "[]", "", "1" + f}, {"1", "[]", "1" + f, "FF"}}
	if got := first.rangeList(); !reflect.DeepEqual(got, want) {
		t.Errorf("ranges %q, want %q", got, want)
	}
	etag := first.Header().Get("etag")
	none := r.send("GET", ranges, "", append(feed, "If-None-Match", etag)...).status(304, "")
	if none.Header().Get("etag") != etag {
		t.Errorf("the etag of a 304 is %q, want %q", none.Header().Get("etag"), etag)
	}

	for _, id := range []string{"0", "2"} {
		if err := r.Split("db", "c", id); err != nil {
			t.Fatal(err)
		}
	}
	want = [][]string{
		{"4", "[0 2]", "", "07" + f[1:]}, {"5", "[0 2]", "07" + f[1:], "0" + f}, {"3", "[0]", "0" + f, "1" + f},
	}
	next := r.send("GET", ranges, "", append(feed, "If-None-Match", etag)...).status(200, "")
	if got := next.rangeList(); !reflect.DeepEqual(got, want) {
		t.Errorf("incremental ranges %q, want %q", got, want)
	}
	all := r.send("GET", ranges, "", append(feed, "If-None-Match", `"foreign"`)...).status(200, "")
	if got := all.rangeList(); len(got) != 4 {
		t.Errorf("all ranges: %q", got)
	}
	r.query("SELECT * FROM c", "x-ms-documentdb-partitionkeyrangeid", "0").status(410, "1002")
	r.query("SELECT * FROM c", "x-ms-documentdb-partitionkeyrangeid", "77").status(410, "1002")
	r.query("SELECT * FROM c", "x-ms-documentdb-partitionkeyrangeid", "5").status(200, "")
	r.query("SELECT * FROM c", "x-ms-documentdb-partitionkeyrangeid", "AbC=,5").status(200, "")
	for _, bad := range [][3]string{{"db", "c", "0"}, {"db", "x", "1"}, {"x", "c", "1"}} {
		if err := r.Split(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("Split(%q) succeeded", bad)
		}
	}
}

func TestSplitKeepsDocuments(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	for i := range 200 {
		r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"1","pk":"%d"}`, i))
	}
	if err := r.Split("db", "c", "0"); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, id := range []string{"1", "2"} {
		n := len(r.query("SELECT * FROM c", "x-ms-documentdb-partitionkeyrangeid", id, "x-ms-max-item-count", "1000").rows())
		if n < 60 {
			t.Errorf("range %s holds %d of 200 documents", id, n)
		}
		sum += n
	}
	if sum != 200 {
		t.Errorf("the children hold %d documents, want 200", sum)
	}
	for i := range 200 {
		r.send("GET", docs+"/1", "", pkKey, fmt.Sprintf(`["%d"]`, i)).status(200, "")
	}
}
