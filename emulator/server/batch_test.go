package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// batch sends a transactional batch.
func (r *rig) batch(key string, operations []string, headers ...string) *answer {
	r.t.Helper()
	return r.send("POST", docs, "["+strings.Join(operations, ",")+"]", append(headers,
		"x-ms-cosmos-is-batch-request", "True", "x-ms-cosmos-batch-atomic", "True", pkKey, key)...)
}

// results are the statuses of a batch, and its results.
func (a *answer) results() ([]int, []map[string]any) {
	a.t.Helper()
	var list []map[string]any
	if err := json.Unmarshal(a.Body.Bytes(), &list); err != nil {
		a.t.Fatalf("%s: %v", a.Body, err)
	}
	var statuses []int
	for _, result := range list {
		statuses = append(statuses, int(result["statusCode"].(float64)))
	}
	return statuses, list
}

func TestBatch(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"0","pk":"a","n":0}`)
	got := r.batch(`["a"]`, []string{
		`{"operationType":"Create","resourceBody":{"id":"1","pk":"a"}}`,
		`{"operationType":"Upsert","resourceBody":{"id":"1","pk":"a","n":2}}`,
		`{"operationType":"Replace","id":"0","resourceBody":{"id":"0","pk":"a","n":1}}`,
		`{"operationType":"Patch","id":"0","resourceBody":{"operations":[{"op":"incr","path":"/n","value":4}]}}`,
		`{"operationType":"Read","id":"0"}`,
		`{"operationType":"Delete","id":"1"}`,
	}).status(200, "")
	statuses, results := got.results()
	if fmt.Sprint(statuses) != "[201 200 200 200 200 204]" {
		t.Errorf("statuses %v", statuses)
	}
	sum := 0.0
	for i, result := range results {
		sum += result["requestCharge"].(float64)
		if (result["resourceBody"] == nil) != (i == 5) || (result["eTag"] == nil) != (i == 5) {
			t.Errorf("result %d: %v", i, result)
		}
	}
	if n := results[4]["resourceBody"].(map[string]any)["n"]; n != 5.0 {
		t.Errorf("the read sees n = %v, want what the batch wrote, 5", n)
	}
	if charge := got.Header().Get("x-ms-request-charge"); charge != fmt.Sprintf("%.2f", sum) {
		t.Errorf("charge %s, want the sum %.2f", charge, sum)
	}
	statuses, results = r.batch(`["a"]`, []string{
		`{"operationType":"Create","resourceBody":{"id":"2","pk":"a"}}`,
		`{"operationType":"Read","id":"2"}`,
		`{"operationType":"Read","id":"2","ifNoneMatch":"*"}`,
	}, "Prefer", "return=minimal").status(200, "").results()
	if results[0]["resourceBody"] != nil || results[1]["resourceBody"] == nil || statuses[2] != 304 {
		t.Errorf("minimal results %v", results)
	}
}

func TestFailedBatchHasNoEffect(t *testing.T) {
	r := newRig(t, Options{})
	r.container(hashDefinition + `,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/u"]}]}`)
	r.create(`["a"]`, `{"id":"0","pk":"a","u":0}`)
	const create = `{"operationType":"Create","resourceBody":{"id":"1","pk":"a","u":1}}`
	before := r.send("GET", docs+"/0", "", pkKey, `["a"]`).status(200, "")
	tests := []struct {
		operation string
		status    int
		substatus string
	}{
		{`{"operationType":"Create","resourceBody":{"id":"0","pk":"a"}}`, 409, ""},
		{`{"operationType":"Create","resourceBody":{"id":"9","pk":"a","u":1}}`, 409, ""},
		{`{"operationType":"Create","resourceBody":{"id":"9","pk":"b"}}`, 400, "1001"},
		{`{"operationType":"Create"}`, 400, ""},
		{`{"operationType":"Replace","id":"9","resourceBody":{"id":"9","pk":"a"}}`, 404, ""},
		{`{"operationType":"Replace","id":"0","resourceBody":{"id":"9","pk":"a"}}`, 400, ""},
		{`{"operationType":"Replace","id":"0","ifMatch":"\"x\"","resourceBody":{"id":"0","pk":"a"}}`, 412, ""},
		{`{"operationType":"Delete","id":"9"}`, 404, ""},
		{`{"operationType":"Delete"}`, 400, ""},
		{`{"operationType":"Read","id":"9"}`, 404, ""},
		{`{"operationType":"Patch","id":"0","resourceBody":{"operations":[]}}`, 400, ""},
		{`{"operationType":"Execute","id":"0"}`, 400, ""},
		{`{"operationType":"Read","id":"0","partitionKey":"[\"b\"]"}`, 400, ""},
	}
	for _, test := range tests {
		got := r.batch(`["a"]`, []string{
			create,
			`{"operationType":"Delete","id":"0"}`,
			`{"operationType":"Create","resourceBody":{"id":"0","pk":"a","u":7}}`,
			`{"operationType":"Delete","id":"1"}`, create, test.operation,
			`{"operationType":"Read","id":"0"}`,
		}).status(207, test.substatus)
		if statuses, _ := got.results(); fmt.Sprint(statuses) != fmt.Sprintf("[424 424 424 424 424 %d 424]", test.status) {
			t.Errorf("%s: statuses %v", test.operation, statuses)
		}
		after := r.send("GET", docs+"/0", "", pkKey, `["a"]`).status(200, "")
		if after.Body.String() != before.Body.String() || after.Header().Get("lsn") != before.Header().Get("lsn") {
			t.Errorf("%s: the document was\n%s and is\n%s", test.operation, before.Body, after.Body)
		}
		if rows := r.query("SELECT * FROM c", pkKey, `["a"]`).rows(); len(rows) != 1 {
			t.Errorf("%s: %d documents, want 1", test.operation, len(rows))
		}
	}
	last := r.Requests()
	if entry := last[len(last)-3]; entry.Operation != OpExecuteBatch || entry.Status != 207 {
		t.Errorf("journal: %+v", entry)
	}
}

// TestBatchPatchConditions has patches with conditions, which are read while the container is
// locked: reading one must not wait for that lock.
func TestBatchPatchConditions(t *testing.T) {
	r := newRig(t, Options{})
	r.computed()
	patch := func(condition string) string {
		return fmt.Sprintf(`{"operationType":"Patch","id":"1","partitionKey":"[\"k\"]","resourceBody":{"condition":%q,"operations":[{"op":"incr","path":"/n","value":1}]}}`, condition)
	}
	for _, test := range []struct {
		conditions []string
		batch      string
		n          float64 // afterwards
	}{
		{[]string{"from c where c.n = 7"}, "[200]", 8},
		{[]string{"from c where c.n = 8", "from c where c.n = 9 and c.name = 'BOB'"}, "[200 200]", 10},
		{[]string{"from c where c.n = 10", "from c where c.n = 10"}, "[424 412]", 10},
		{[]string{"from c where c.lower = 'bob'", "from c"}, "[400 424]", 10},
		{[]string{"from c", "from c where c.n ="}, "[424 400]", 10},
	} {
		var operations []string
		for _, c := range test.conditions {
			operations = append(operations, patch(c))
		}
		if statuses, _ := r.batch(`["k"]`, operations).results(); fmt.Sprint(statuses) != test.batch {
			t.Errorf("%q: %v, want %s", test.conditions, statuses, test.batch)
		}
		if n := r.send("GET", docs+"/1", "", pkKey, `["k"]`).status(200, "").json()["n"]; n != test.n {
			t.Errorf("%q: n is %v, want %v", test.conditions, n, test.n)
		}
	}
	statuses, _ := r.bulk([]string{patch("from c where c.n = 10"), patch("from c where c.n = 10"), patch("from c where c.lower = 'bob'")}, rangeID, "0").results()
	if fmt.Sprint(statuses) != "[200 412 400]" {
		t.Errorf("a bulk request: %v", statuses)
	}
}

func TestBatchLimits(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	creates := func(n int) []string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"operationType":"Create","resourceBody":{"id":"%d","pk":"a"}}`, i))
		}
		return list
	}
	r.batch(`["a"]`, creates(101)).status(400, "")
	r.batch(`["a"]`, nil).status(400, "")
	r.batch(``, creates(1)).status(400, "1001")
	r.batch(`["a"]`, []string{`{"operationType":"Create","resourceBody":{"id":"1","pk":"a","x":"` + strings.Repeat("x", 2<<20) + `"}}`}).status(413, "")
	r.send("POST", docs, `{}`, "x-ms-cosmos-is-batch-request", "True", pkKey, `["a"]`).status(400, "")
	if statuses, _ := r.batch(`["a"]`, creates(100)).status(200, "").results(); len(statuses) != 100 {
		t.Errorf("%d results", len(statuses))
	}
}
