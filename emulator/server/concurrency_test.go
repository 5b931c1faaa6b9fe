package server

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestConcurrentUse has everything happen at once, for the race detector: no
// request may get an answer that no order of the requests explains.
func TestConcurrentUse(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	rid := r.container(hashDefinition + `,"defaultTtl":1000`)
	offer := "/" + r.offerOf(rid)["_self"].(string)
	const rounds = 40
	var wg sync.WaitGroup
	work := func(f func(worker, round int)) {
		for worker := range 3 {
			wg.Go(func() {
				for round := range rounds {
					f(worker, round)
				}
			})
		}
	}
	expect := func(a *answer, codes ...int) {
		if !slices.Contains(codes, a.Code) {
			t.Errorf("status %d, want one of %v: %s", a.Code, codes, a.Body)
		}
	}
	item := func(worker, round int) (path, key, body string) {
		return fmt.Sprint(docs, "/", worker), fmt.Sprintf(`["%d"]`, round%7), fmt.Sprintf(`{"id":"%d","pk":"%d","n":1}`, worker, round%7)
	}
	work(func(w, i int) {
		_, key, body := item(w, i)
		expect(r.send("POST", docs, body, pkKey, key, "x-ms-documentdb-is-upsert", "True"), 200, 201)
	})
	work(func(w, i int) {
		path, key, _ := item(w, i)
		expect(r.send("PATCH", path, `{"operations":[{"op":"incr","path":"/n","value":1}]}`, pkKey, key), 200, 404)
		expect(r.send("GET", path, "", pkKey, key), 200, 404)
		expect(r.send("DELETE", path, "", pkKey, key), 204, 404)
	})
	work(func(w, i int) {
		_, key, body := item(w, i)
		expect(r.batch(key, []string{`{"operationType":"Create","resourceBody":` + body + `}`, `{"operationType":"Delete","id":"none"}`}), 207)
		expect(r.query("SELECT * FROM c ORDER BY c.n", pkKey, key), 200)
	})
	work(func(_, i int) {
		expect(r.send("GET", docs, "", "A-IM", "Incremental feed", rangeID, fmt.Sprint(i%4)), 200, 304, 410)
		expect(r.send("GET", ranges, "", "A-IM", "Incremental Feed"), 200)
		expect(r.send("POST", "/offers", `{"query":"SELECT * FROM c"}`, "x-ms-documentdb-query", "True"), 200)
	})
	wg.Go(func() {
		for i := range rounds {
			_ = r.Split("db", "c", fmt.Sprint(i%6)) // some were split before
			r.Advance(100 * time.Second)
			r.Inject(Fault{Operation: OpReadAccount, Status: 503, Probability: 0.5})
			expect(r.send("PUT", offer, fmt.Sprintf(`{"content":{"offerThroughput":%d}}`, 400+100*i)), 200)
			r.ResetRequests()
			r.ClearFaults()
		}
	})
	wg.Wait()
}
