package server

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// changes reads a page of the change feed: the ids, and the etag.
func (r *rig) changes(headers ...string) ([]string, string) {
	r.t.Helper()
	a := r.send("GET", docs, "", append([]string{"A-IM", "Incremental feed"}, headers...)...)
	if a.Code == http.StatusNotModified {
		if a.Body.Len() > 0 {
			r.t.Errorf("304 with the body %s", a.Body)
		}
		return nil, a.Header().Get("etag")
	}
	a.status(200, "")
	var ids []string
	for _, d := range a.json()["Documents"].([]any) {
		m := d.(map[string]any)
		if _, ok := m["_lsn"].(float64); !ok {
			r.t.Errorf("no _lsn in %v", m)
		}
		ids = append(ids, m["id"].(string))
	}
	return ids, a.Header().Get("etag")
}

func TestChangeFeed(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	if ids, etag := r.changes(); ids != nil || etag != `"0"` {
		t.Errorf("empty: %v, %s", ids, etag)
	}
	for i := range 5 {
		r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"%d","pk":"%d"}`, i, i))
	}
	page, etag := r.changes("x-ms-max-item-count", "3")
	if fmt.Sprint(page) != "[0 1 2]" || etag != `"3"` {
		t.Errorf("first page: %v, %s", page, etag)
	}
	// The latest version only, at the place of the last write; no deletions.
	r.send("PUT", docs+"/0", `{"id":"0","pk":"0","n":1}`, pkKey, `["0"]`).status(200, "")
	r.send("DELETE", docs+"/4", "", pkKey, `["4"]`).status(204, "")
	page, etag = r.changes("If-None-Match", etag)
	if fmt.Sprint(page) != "[3 0]" || etag != `"7"` {
		t.Errorf("second page: %v, %s", page, etag)
	}
	if page, again := r.changes("If-None-Match", etag); page != nil || again != etag {
		t.Errorf("nothing new: %v, %s", page, again)
	}
	if page, now := r.changes("If-None-Match", "*"); page != nil || now != `"7"` {
		t.Errorf("from now: %v, %s", page, now)
	}
	if page, _ := r.changes(pkKey, `["2"]`); fmt.Sprint(page) != "[2]" {
		t.Errorf("of one key: %v", page)
	}
	for _, bad := range [][]string{
		{"If-None-Match", "x"}, {"If-None-Match", `"-1"`}, {"If-Modified-Since", "yesterday"},
		{"x-ms-max-item-count", "x"}, {pkKey, "x"}, {"A-IM", "Full-Fidelity Feed"},
	} {
		r.send("GET", docs, "", append([]string{"A-IM", "Incremental feed"}, bad...)...).status(400, "")
	}
	r.send("GET", "/dbs/db/colls/none/docs", "", "A-IM", "Incremental feed").status(404, "1003")
}

func TestChangeFeedFromATime(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	r.Advance(time.Hour)
	r.create(`["a"]`, `{"id":"2","pk":"a"}`)
	since := time.Now().Add(30 * time.Minute).UTC()
	for _, format := range []string{http.TimeFormat, time.RFC1123} { // azcosmos writes the latter
		if ids, etag := r.changes("If-Modified-Since", since.Format(format)); fmt.Sprint(ids) != "[2]" || etag != `"2"` {
			t.Errorf("since %s: %v, %s", since.Format(format), ids, etag)
		}
	}
	// With an etag the time does not count, though azcosmos sends both.
	later := since.Add(time.Hour).Format(http.TimeFormat)
	ids, etag := r.changes("If-Modified-Since", later)
	if ids != nil {
		t.Errorf("since a time to come: %v", ids)
	}
	r.create(`["a"]`, `{"id":"3","pk":"a"}`)
	if ids, _ := r.changes("If-Modified-Since", later, "If-None-Match", etag); fmt.Sprint(ids) != "[3]" {
		t.Errorf("with an etag and a time: %v", ids)
	}
}

func TestChangeFeedKeepsTransactionsTogether(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"0","pk":"a"}`)
	var operations []string
	for i := range 4 {
		operations = append(operations, fmt.Sprintf(`{"operationType":"Create","resourceBody":{"id":"b%d","pk":"a"}}`, i))
	}
	r.batch(`["a"]`, operations).status(200, "")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	page, etag := r.changes("x-ms-max-item-count", "2")
	if fmt.Sprint(page) != "[0 b0 b1 b2 b3]" || etag != `"2"` {
		t.Errorf("first page: %v, %s", page, etag)
	}
	if page, _ := r.changes("If-None-Match", etag); fmt.Sprint(page) != "[1]" {
		t.Errorf("second page: %v", page)
	}
}

func TestChangeFeedAcrossASplit(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	write := func(n int) {
		for i := range n {
			r.send("POST", docs, fmt.Sprintf(`{"id":"1","pk":"%d"}`, i), pkKey, fmt.Sprintf(`["%d"]`, i), "x-ms-documentdb-is-upsert", "True")
		}
	}
	write(40)
	seen, etag := r.changes(rangeID, "0", "x-ms-max-item-count", "15")
	if err := r.Split("db", "c", "0"); err != nil {
		t.Fatal(err)
	}
	r.send("GET", docs, "", "A-IM", "Incremental feed", rangeID, "0", "If-None-Match", etag).status(410, "1002")
	etags := map[string]string{"1": etag, "2": etag}
	n := len(seen)
	for id := range etags {
		page, next := r.changes(rangeID, id, "If-None-Match", etag)
		n += len(page)
		etags[id] = next
	}
	if n != 40 {
		t.Errorf("%d changes were seen, want 40", n)
	}
	write(40)
	n = 0
	for id := range etags {
		page, _ := r.changes(rangeID, id, "If-None-Match", etags[id])
		n += len(page)
	}
	if n != 40 {
		t.Errorf("%d changes were seen after the split, want 40", n)
	}
}
