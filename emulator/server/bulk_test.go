package server

import (
	"fmt"
	"strings"
	"testing"
)

// bulk sends a bulk request. Headers alternate names and values.
func (r *rig) bulk(operations []string, headers ...string) *answer {
	r.t.Helper()
	return r.send("POST", docs, "["+strings.Join(operations, ",")+"]", append([]string{
		"x-ms-cosmos-is-batch-request", "True", "x-ms-cosmos-batch-atomic", "False"}, headers...)...)
}

func TestBulkHasAStatusForEachOperation(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"0","pk":"a","n":1}`)
	operations := []string{
		`{"operationType":"Create","partitionKey":"[\"a\"]","resourceBody":{"id":"0","pk":"a"}}`,
		`{"operationType":"Upsert","partitionKey":["b"],"resourceBody":{"id":"1","pk":"b"}}`,
		`{"operationType":"Read","id":"0","partitionKey":"[\"a\"]"}`,
		`{"operationType":"Delete","id":"9","partitionKey":"[\"c\"]"}`,
		`{"operationType":"Patch","id":"0","partitionKey":"[\"a\"]","resourceBody":{"operations":[{"op":"incr","path":"/n","value":1}]}}`,
		`{"operationType":"Replace","id":"0","ifMatch":"\"x\"","partitionKey":"[\"a\"]","resourceBody":{"id":"0","pk":"a"}}`,
		`{"operationType":"Create","partitionKey":"[\"a\"]","resourceBody":{"id":"2","pk":"z"}}`,
		`{"operationType":"Create","resourceBody":{"id":"2","pk":"z"}}`,
		`{"operationType":"Execute","id":"2","partitionKey":"[\"a\"]"}`,
	}
	statuses, results := r.bulk(operations, rangeID, "0").status(207, "").results()
	if got := fmt.Sprint(statuses); got != "[409 201 200 404 200 412 400 400 400]" {
		t.Errorf("statuses %s", got)
	}
	if results[6]["subStatusCode"] != 1001.0 || results[2]["resourceBody"] == nil || results[1]["eTag"] == nil {
		t.Errorf("results %v", results)
	}
	if rows := r.query("SELECT VALUE c.n FROM c WHERE c.pk = 'a'", pkKey, `["a"]`).rows(); fmt.Sprint(rows) != "[2]" {
		t.Errorf("n is %v, want 2", rows)
	}
	statuses, _ = r.bulk(operations[3:], rangeID, "0", "x-ms-cosmos-batch-continue-on-error", "False").status(207, "").results()
	if got := fmt.Sprint(statuses); got != "[404 424 424 424 424 424]" {
		t.Errorf("statuses %s without going on", got)
	}
	r.bulk(operations[2:3], rangeID, "0").status(200, "")
	r.bulk(operations[2:3]).status(200, "")
	r.bulk(operations, rangeID, "7").status(410, "1002")
	r.bulk(nil, rangeID, "0").status(400, "")
}

func TestBulkOfAnotherRange(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	var operations []string
	for i := range 100 {
		operations = append(operations, fmt.Sprintf(`{"operationType":"Create","partitionKey":"[\"%d\"]","resourceBody":{"id":"1","pk":"%d"}}`, i, i))
	}
	_, results := r.bulk(operations, rangeID, "0").status(207, "").results()
	counts := map[any]int{}
	for _, result := range results {
		counts[result["statusCode"]]++
		if result["statusCode"] == 410.0 && result["subStatusCode"] != 1002.0 {
			t.Errorf("result %v", result)
		}
	}
	if counts[201.0] == 0 || counts[410.0] == 0 || counts[201.0]+counts[410.0] != 100 {
		t.Errorf("statuses %v", counts)
	}
	r.bulk(append(operations, operations[0]), rangeID, "0").status(400, "")
}

// TestBulkIsThrottled checks that operations beyond the request units have 429 with a
// time to wait, and that the others are done.
func TestBulkIsThrottled(t *testing.T) {
	r := newRig(t, Options{Throughput: 400})
	r.container("")
	var operations []string
	for i := range 100 {
		operations = append(operations, fmt.Sprintf(`{"operationType":"Create","partitionKey":"[\"a\"]","resourceBody":{"id":"%d","pk":"a"}}`, i))
	}
	_, results := r.bulk(operations, rangeID, "0").status(207, "").results()
	last := results[99]
	if results[0]["statusCode"] != 201.0 || last["statusCode"] != 429.0 || last["retryAfterMilliseconds"] == nil || last["subStatusCode"] != 3200.0 {
		t.Errorf("first %v, last %v", results[0], last)
	}
}
