package server

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// TestHotKeyIsThrottled writes to one key of a container on five physical
// partitions: a fifth of the throughput is all that it gets, and the other
// partitions do not notice.
func TestHotKeyIsThrottled(t *testing.T) {
	now := time.Now() // within one second, however long the test takes
	r := newRig(t, Options{Partitions: 5, Throughput: 1000, Clock: func() time.Time { return now }})
	r.container("")
	create := func(key string, i int) *answer {
		return r.send("POST", docs, fmt.Sprintf(`{"id":"%d","pk":"%s"}`, i, key), pkKey, `["`+key+`"]`)
	}
	_, c := r.account.Find("db", "c")
	written := 0
	var refused *answer
	for i := range 100 {
		if refused = create("hot", i); refused.Code != 201 {
			break
		}
		written++
	}
	if written != 40 { // 200 RU/s at 5 RU
		t.Errorf("%d documents were written to the hot key, want 40", written)
	}
	refused.status(429, "3200")
	if wait, err := strconv.Atoi(refused.Header().Get("x-ms-retry-after-ms")); err != nil || wait < 1 || wait > 1000 {
		t.Errorf("retry after %q ms", refused.Header().Get("x-ms-retry-after-ms"))
	}
	r.query("SELECT * FROM c", pkKey, `["hot"]`).status(429, "3200")
	r.batch(`["hot"]`, []string{`{"operationType":"Read","id":"0"}`}).status(429, "3200")
	r.send("GET", docs, "", "A-IM", "Incremental feed", pkKey, `["hot"]`).status(429, "3200")
	hot := c.RangeIDOf(mustKey(t, c, `["hot"]`))
	for i := range 20 {
		key := fmt.Sprint("k", i)
		want := 201
		if c.RangeIDOf(mustKey(t, c, `["`+key+`"]`)) == hot {
			want = 429
		}
		if got := create(key, 0); got.Code != want {
			t.Errorf("key %s: status %d, want %d", key, got.Code, want)
		}
	}
	r.Advance(time.Second)
	create("hot", 99).status(201, "")
	last := r.Requests()
	if entry := last[len(last)-1]; entry.Charge != 5 || entry.Range != hot {
		t.Errorf("journal: %+v", entry)
	}
}

func mustKey(t *testing.T, c *store.Container, header string) *store.Key {
	t.Helper()
	k, err := c.ParseKey(header)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestThroughputOfTheDatabase(t *testing.T) {
	r := newRig(t, Options{Throughput: 100_000})
	r.send("POST", "/dbs", `{"id":"db"}`, "x-ms-offer-throughput", "400").status(201, "")
	r.container("")
	_, c := r.account.Find("db", "c")
	if rate := c.Rate(); rate != 400 {
		t.Errorf("rate %v, want that of the database", rate)
	}
	r.send("POST", "/dbs", `{"id":"own"}`).status(201, "")
	r.send("POST", "/dbs/own/colls", `{"id":"c",`+hashDefinition+`}`).status(201, "")
	_, c = r.account.Find("own", "c")
	if rate := c.Rate(); rate != 10_000 || len(c.Ranges) != 10 {
		t.Errorf("rate %v on %d ranges, want 10000 on 10", rate, len(c.Ranges))
	}
}
