package server

import (
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
