package server

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestJournalIsBounded(t *testing.T) {
	var j journal
	for i := range 2*maxJournal + 10 {
		j.add(Request{Status: i})
	}
	if list := j.all(); len(list) != maxJournal || list[len(list)-1].Status != 2*maxJournal+9 {
		t.Errorf("%d requests, want the last %d", len(list), maxJournal)
	}
	j.reset()
	query := strings.Repeat("x", 1<<20)
	for i := range 200 {
		j.add(Request{Status: i, Query: query})
	}
	bytes := 0
	for _, r := range j.all() {
		bytes += len(r.Query)
	}
	if list := j.all(); bytes > maxJournalBytes || len(list) < 30 || list[len(list)-1].Status != 199 {
		t.Errorf("%d requests with %d bytes of queries", len(list), bytes)
	}
}

// TestJournalOfRefusedRequests sends what a client without the key can send.
func TestJournalOfRefusedRequests(t *testing.T) {
	r := newRig(t, Options{})
	long := strings.Repeat("x", 100_000)
	req := httptest.NewRequest("GET", "/dbs/"+long, nil)
	req.Header.Set(pkKey, `["`+long+`"]`)
	req.Header.Set(rangeID, long)
	r.ServeHTTP(httptest.NewRecorder(), req)
	r.container("")
	r.query("SELECT * FROM c WHERE "+long+" +").status(400, "")
	for i, line := range r.Requests() {
		kept := lineOf(&line)
		if size := kept.size() - lineSize; size > 2*maxRefusedText {
			t.Errorf("line %d, %s, keeps %d bytes of texts", i, line.Operation, size)
		}
	}
	if first := r.Requests()[0]; first.Status != 401 || first.PartitionKey+first.RangeHeader != "" {
		t.Errorf("a request without a signature, status %d, leaves key %.20q and range %.20q", first.Status, first.PartitionKey, first.RangeHeader)
	}
}
