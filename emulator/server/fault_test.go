package server

import (
	"net/http"
	"testing"
	"time"
)

// dropped serves a request whose connection is closed, and reports whether it was.
func (r *rig) dropped(send func()) (dropped bool) {
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler {
				panic(p)
			}
			dropped = true
		}
	}()
	send()
	return false
}

func TestFaults(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	item := docs + "/1"
	read := func() *answer { return r.send("GET", item, "", pkKey, `["a"]`) }
	create := func() *answer { return r.send("POST", docs, `{"id":"1","pk":"a"}`, pkKey, `["a"]`) }

	r.Inject(Fault{Operation: OpCreateItem, Status: 429, Substatus: 3200, RetryAfter: 5 * time.Millisecond, Count: 2})
	read().status(404, "")
	throttled := create().status(429, "3200")
	if got := throttled.Header().Get("x-ms-retry-after-ms"); got != "5" {
		t.Errorf("retry after %q ms, want 5", got)
	}
	create().status(429, "3200")
	create().status(201, "")

	r.Inject(Fault{Method: "GET", Path: "/docs/", PartitionKey: `[ "\u0061" ]`, Status: 503, Skip: 1})
	read().status(200, "")
	read().status(503, "")
	read().status(200, "")

	r.Inject(Fault{Operation: OpDeleteItem, Status: 500, After: true})
	r.send("DELETE", item, "", pkKey, `["a"]`).status(500, "")
	read().status(404, "")

	r.Inject(Fault{Operation: OpCreateItem, Drop: true})
	if !r.dropped(func() { create() }) {
		t.Error("the connection was not dropped")
	}
	read().status(404, "")
	r.Inject(Fault{Operation: OpCreateItem, Drop: true, After: true})
	if !r.dropped(func() { create() }) {
		t.Error("the connection was not dropped")
	}
	read().status(200, "")

	r.Inject(Fault{Range: "0", Delay: 20 * time.Millisecond})
	start := time.Now()
	r.query("SELECT * FROM c", rangeID, "0").status(200, "")
	if took := time.Since(start); took < 20*time.Millisecond {
		t.Errorf("a delay of 20 ms took %v", took)
	}

	r.Inject(Fault{Status: 503, Count: -1})
	read().status(503, "")
	read().status(503, "")
	r.ClearFaults()
	read().status(200, "")

	defer func() {
		if recover() == nil {
			t.Error("a fault of status 200 was accepted")
		}
	}()
	r.Inject(Fault{Status: 200})
}

func TestJournal(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	r.ResetRequests()
	r.create(`[ "é" ]`, `{"id":"1","pk":"é"}`)
	r.query("SELECT * FROM c", pkKey, `["\u00e9"]`)
	r.send("GET", docs+"/none", "", pkKey, `["é"]`)
	r.Inject(Fault{Drop: true})
	r.dropped(func() { r.send("DELETE", docs+"/1", "", pkKey, `["é"]`) })
	got := r.Requests()
	if len(got) != 4 {
		t.Fatalf("%d requests, want 4", len(got))
	}
	held := got[0].Range
	want := []Request{
		{Method: "POST", Path: docs, Operation: OpCreateItem, PartitionKey: `["é"]`, Range: held, Status: 201, Charge: 5},
		{Method: "POST", Path: docs, Operation: OpQueryItems, PartitionKey: `["é"]`, Range: held, Status: 200, Charge: 2.55, Query: "SELECT * FROM c", Items: 1},
		{Method: "GET", Path: docs + "/none", Operation: OpReadItem, PartitionKey: `["é"]`, Range: held, Status: 404, Charge: 1},
		{Method: "DELETE", Path: docs + "/1", Operation: OpDeleteItem, PartitionKey: `["é"]`, Faulted: true},
	}
	for i, w := range want {
		g := got[i]
		if g.Start.IsZero() || g.Duration <= 0 {
			t.Errorf("request %d started %v and took %v", i, g.Start, g.Duration)
		}
		g.Start, g.Duration = time.Time{}, 0
		if g != w {
			t.Errorf("request %d:\n got %+v\nwant %+v", i, g, w)
		}
	}
	r.ResetRequests()
	if n := len(r.Requests()); n != 0 {
		t.Errorf("%d requests after a reset", n)
	}
}

func TestFaultsOfARange(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	_, c := r.account.Find("db", "c")
	r.Inject(Fault{Range: "1", Status: 503, Count: -1})
	for _, key := range []string{`["a"]`, `["b"]`, `["c"]`, `["d"]`, `["e"]`} {
		want := 404
		if c.RangeIDOf(mustKey(t, c, key)) == "1" {
			want = 503
		}
		r.send("GET", docs+"/1", "", pkKey, key).status(want, "")
	}
	r.query("SELECT * FROM c", rangeID, "0").status(200, "")
	r.query("SELECT * FROM c", rangeID, "1").status(503, "")
	r.send("GET", "/dbs/db/colls/none/docs/1", "", pkKey, `["a"]`).status(404, "1003")
	r.send("GET", docs+"/1", "").status(400, "1001")
}

func TestFaultsByChance(t *testing.T) {
	outcome := func(seed uint64) (line string, failed int) {
		r := newRig(t, Options{})
		r.container("")
		r.Inject(Fault{Operation: OpReadItem, Status: 503, Probability: 0.3, Seed: seed, Count: -1})
		for range 200 {
			if code := r.send("GET", docs+"/1", "", pkKey, `["a"]`).Code; code == 503 {
				failed++
				line += "x"
			} else {
				line += "."
			}
		}
		return line, failed
	}
	first, failed := outcome(1)
	if failed < 30 || failed > 90 {
		t.Errorf("%d of 200 requests failed, want about 60", failed)
	}
	if again, _ := outcome(1); again != first {
		t.Errorf("the same seed gave\n%s\n%s", first, again)
	}
	if other, _ := outcome(2); other == first {
		t.Errorf("two seeds gave the same:\n%s", other)
	}
}

func TestReset(t *testing.T) {
	r := newRig(t, Options{})
	old := r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	r.Inject(Fault{Operation: OpReadItem, Status: 503})
	r.Reset()
	if n := len(r.Requests()); n != 0 {
		t.Errorf("%d requests are left in the journal", n)
	}
	r.send("GET", "/dbs/db", "").status(404, "")
	if n := r.send("GET", "/offers", "").json()["_count"]; n != 0.0 {
		t.Errorf("%v offers are left", n)
	}
	if r.container("") == old {
		t.Error("the new container has the rid of the old one")
	}
	r.send("GET", docs+"/1", "", pkKey, `["a"]`).status(404, "")
}

// TestFaultsOfBodies changes the bodies of answers, and nothing else of them.
func TestFaultsOfBodies(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	read := func() *answer { return r.send("GET", docs+"/1", "", pkKey, `["a"]`) }
	whole := read()
	for _, change := range []func([]byte) []byte{
		func([]byte) []byte { return nil },
		func([]byte) []byte { return []byte("{}") },
		func(body []byte) []byte { return body[:len(body)/2] },
	} {
		r.Inject(Fault{Operation: OpReadItem, Body: change})
		changed := read().status(200, "")
		if want := string(change(whole.Body.Bytes())); changed.Body.String() != want || changed.Header().Get("etag") != whole.Header().Get("etag") {
			t.Errorf("the body is %q, want %q, and the etag %s", changed.Body, want, changed.Header().Get("etag"))
		}
		if got := read(); got.Body.String() != whole.Body.String() {
			t.Errorf("the stored document is %s", got.Body)
		}
	}
	// Errors, and answers without a body, are as they are.
	lost := func([]byte) []byte { return []byte("null") }
	r.Inject(Fault{Operation: OpReadItem, Path: "/docs/2", Body: lost})
	if r.send("GET", docs+"/2", "", pkKey, `["a"]`).status(404, "").message() == "" {
		t.Error("an error has lost its message")
	}
	r.Inject(Fault{Operation: OpDeleteItem, Body: lost})
	if got := r.send("DELETE", docs+"/1", "", pkKey, `["a"]`).status(204, ""); got.Body.Len() > 0 {
		t.Errorf("a deletion is answered with %s", got.Body)
	}
}
