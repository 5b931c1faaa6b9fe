package server

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

func TestBudget(t *testing.T) {
	var b budget
	at := func(ms int64) time.Time { return time.UnixMilli(5_000 + ms) }
	steps := []struct {
		ms    int64
		wait  time.Duration
		spend float64
	}{
		{0, 0, 60}, {10, 0, 60}, // 120 of 100 are spent: the last request may cost too much
		{400, 600 * time.Millisecond, 0},
		{1000, 0, 230}, // 20 from before
		{1500, 1500 * time.Millisecond, 0},
		{3000, 0, 100}, // 50 from before
		{3999, time.Millisecond, 0},
		{60_000, 0, 99.9},
		{60_500, 0, 0.1},
		{60_500, 500 * time.Millisecond, 0},
	}
	for i, step := range steps {
		if wait := b.admit(at(step.ms), 100); wait != step.wait {
			t.Errorf("step %d at %d ms: wait %v, want %v", i, step.ms, wait, step.wait)
		}
		b.spend(step.spend)
	}
	if wait := b.admit(at(60_500), 0); wait != 0 {
		t.Errorf("without a limit: wait %v", wait)
	}
}

// TestHotKeyIsThrottled writes to one key of a container on five physical
// partitions: a fifth of the throughput is all that it gets, and the other
// partitions do not notice.
func TestHotKeyIsThrottled(t *testing.T) {
	r := newRig(t, Options{Partitions: 5, Throughput: 1000})
	r.clock.frozen = time.Now() // within one second, however long the test takes
	r.container("")
	create := func(key string, i int) *answer {
		return r.send("POST", docs, fmt.Sprintf(`{"id":"%d","pk":"%s"}`, i, key), pkKey, `["`+key+`"]`)
	}
	_, c := r.account.find("db", "c")
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
	hot := c.rangeIDOf(mustKey(t, `["hot"]`))
	for i := range 20 {
		key := fmt.Sprint("k", i)
		want := 201
		if c.rangeIDOf(mustKey(t, `["`+key+`"]`)) == hot {
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

func mustKey(t *testing.T, header string) *key {
	t.Helper()
	k, err := parseKey(header)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestThroughputOfTheDatabase(t *testing.T) {
	r := newRig(t, Options{Throughput: 100_000})
	r.send("POST", "/dbs", `{"id":"db"}`, "x-ms-offer-throughput", "400").status(201, "")
	r.container("")
	_, c := r.account.find("db", "c")
	if rate := c.rate(); rate != 400 {
		t.Errorf("rate %v, want that of the database", rate)
	}
	r.send("POST", "/dbs", `{"id":"own"}`).status(201, "")
	r.send("POST", "/dbs/own/colls", `{"id":"c",`+hashDefinition+`}`).status(201, "")
	_, c = r.account.find("own", "c")
	if rate := c.rate(); rate != 10_000 || len(c.ranges) != 10 {
		t.Errorf("rate %v on %d ranges, want 10000 on 10", rate, len(c.ranges))
	}
}
