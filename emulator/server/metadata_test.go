package server

import (
	"strconv"
	"testing"
	"time"
)

// TestAnswersTellTheirDuration reads x-ms-request-duration-ms, with which SDKs separate the
// time of the service from the time of the network.
func TestAnswersTellTheirDuration(t *testing.T) {
	const least = 20 * time.Millisecond
	r := newRig(t, Options{Latency: least})
	r.container("")
	for _, path := range []string{"/", "/dbs/db", "/dbs/none", docs, docs + "/none", "/dbs/db/users"} {
		text := r.send("GET", path, "", pkKey, `["a"]`).Header().Get("x-ms-request-duration-ms")
		if ms, err := strconv.ParseFloat(text, 64); err != nil || ms < float64(least.Milliseconds()) {
			t.Errorf("%s took %q ms: %v", path, text, err)
		}
	}
}

// TestRefusalsOfAPartitionTellItsState reads the headers by which a client in a session
// learns from a 404 how far the partition was that has no such item.
func TestRefusalsOfAPartitionTellItsState(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	written := r.send("PUT", docs+"/1", `{"id":"1","pk":"a","n":1}`, pkKey, `["a"]`).status(200, "")
	for _, a := range []*answer{
		r.send("GET", docs+"/2", "", pkKey, `["a"]`).status(404, ""),
		r.send("DELETE", docs+"/2", "", pkKey, `["a"]`).status(404, ""),
		r.send("POST", docs, `{"id":"1","pk":"a"}`, pkKey, `["a"]`).status(409, ""),
		r.send("DELETE", docs+"/1", "", pkKey, `["a"]`, "If-Match", `"x"`).status(412, ""),
	} {
		for _, name := range []string{"x-ms-session-token", "lsn", rangeID} {
			if got, want := a.Header().Get(name), written.Header().Get(name); got != want || got == "" {
				t.Errorf("status %d: the header %s is %q, want %q", a.Code, name, got, want)
			}
		}
	}
	// No partition was asked for an item of a container that does not exist.
	a := r.send("GET", "/dbs/db/colls/x/docs/1", "", pkKey, `["a"]`).status(404, "1003")
	if token := a.Header().Get("x-ms-session-token"); token != "" {
		t.Errorf("a missing container has the session token %q", token)
	}
}

// TestReadsTellTheVersionOfTheItem compares the header x-ms-item-lsn with the writes.
func TestReadsTellTheVersionOfTheItem(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	read := func() (item, partition string) {
		h := r.send("GET", docs+"/1", "", pkKey, `["a"]`).status(200, "").Header()
		return h.Get("x-ms-item-lsn"), h.Get("lsn")
	}
	lsn := r.send("POST", docs, `{"id":"1","pk":"a"}`, pkKey, `["a"]`).status(201, "").Header().Get("lsn")
	r.create(`["a"]`, `{"id":"2","pk":"a"}`)
	if item, partition := read(); item != lsn || partition == lsn {
		t.Errorf("an item of LSN %s is read as %s, in a partition at %s", lsn, item, partition)
	}
	lsn = r.send("PATCH", docs+"/1", `[{"op":"set","path":"/n","value":1}]`, pkKey, `["a"]`).status(200, "").Header().Get("lsn")
	if item, partition := read(); item != lsn || partition != lsn {
		t.Errorf("an item of LSN %s is read as %s, in a partition at %s", lsn, item, partition)
	}
}
