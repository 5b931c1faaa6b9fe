package server

import (
	"encoding/json"
	"strings"
	"testing"
)

// planOf asks for the plan of a query.
func (r *rig) planOf(sql string, headers ...string) *answer {
	r.t.Helper()
	return r.query(sql, append([]string{"x-ms-cosmos-is-query-plan-request", "True"}, headers...)...)
}

func TestQueryPlanRanges(t *testing.T) {
	r := newRig(t, Options{Partitions: 4})
	r.container("")
	tests := []struct {
		sql   string
		point bool
		n     int
	}{
		{"SELECT * FROM c", false, 1},
		{"SELECT * FROM c WHERE c.pk = 'a'", true, 1},
		{"SELECT * FROM c WHERE c.pk IN ('a', 'b', 'a')", true, 2},
		{"SELECT * FROM c WHERE c.pk = 'a' OR c.n = 1", false, 1},
	}
	for _, test := range tests {
		ranges := r.planOf(test.sql).status(200, "").json()["queryRanges"].([]any)
		if len(ranges) != test.n {
			t.Errorf("%s: %d ranges, want %d", test.sql, len(ranges), test.n)
		}
		for _, got := range ranges {
			got := got.(map[string]any)
			if point := got["min"] == got["max"]; point != test.point || got["isMaxInclusive"] != test.point || got["isMinInclusive"] != true {
				t.Errorf("%s: range %v", test.sql, got)
			}
		}
	}
	for _, got := range r.planOf("SELECT * FROM c").json()["queryRanges"].([]any) {
		if got := got.(map[string]any); got["min"] != "" || got["max"] != "FF" {
			t.Errorf("the whole key space is %v", got)
		}
	}
}

func TestQueryPlanOfAHierarchicalKey(t *testing.T) {
	r := newRig(t, Options{Partitions: 4})
	r.container(`"partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2}`)
	for sql, point := range map[string]bool{
		"SELECT * FROM c WHERE c.a = 'x' AND c.b = 'y'": true,
		"SELECT * FROM c WHERE c.a = 'x'":               false,
		"SELECT * FROM c WHERE c.a = 'x' AND c.n = 1":   false,
	} {
		ranges := r.planOf(sql).status(200, "").json()["queryRanges"].([]any)
		got := ranges[0].(map[string]any)
		least, most := got["min"].(string), got["max"].(string)
		if len(ranges) != 1 || least == "" || point && least != most || !point && most != least+"FF" {
			t.Errorf("%s: ranges %v", sql, ranges)
		}
	}
}

// TestRefusedQueryCarriesItsPlan checks the answer by which clients learn that they have
// to combine the results of the partitions.
func TestRefusedQueryCarriesItsPlan(t *testing.T) {
	r := newRig(t, Options{Partitions: 4})
	r.container("")
	const sql = "SELECT VALUE COUNT(1) FROM c"
	a := r.query(sql, "x-ms-documentdb-query-enablecrosspartition", "True").status(400, "1004")
	var info map[string]any
	if err := json.Unmarshal([]byte(a.json()["additionalErrorInfo"].(string)), &info); err != nil {
		t.Fatal(err)
	}
	if got := info["queryInfo"].(map[string]any)["rewrittenQuery"]; got != "SELECT VALUE [{\"item\": COUNT(1)}]\nFROM c" {
		t.Errorf("rewritten query %q", got)
	}
	if entry := r.Requests()[len(r.Requests())-1]; entry.Query != sql {
		t.Errorf("journal: %+v", entry)
	}
}

func TestQueryPlanRefusals(t *testing.T) {
	r := newRig(t, Options{Partitions: 4})
	r.container("")
	const features = "x-ms-cosmos-supported-query-features"
	for _, test := range []struct{ sql, supported, want string }{
		{"SELECT * FROM", "", "SC1001"},
		{"SELECT VALUE ABS(AVG(c.n)) FROM c", "", "Compositions of aggregates"},
		{"SELECT c.a, COUNT(1) + 1 AS n FROM c GROUP BY c.a", "", "Compositions of aggregates"},
		{"SELECT c.a FROM c GROUP BY c.a", "OrderBy, Top", "Query contained GroupBy"},
		{"SELECT COUNT(1) AS n FROM c", "Aggregate", "Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates"},
		{"SELECT VALUE x FROM (SELECT DISTINCT VALUE c.a FROM c) x WHERE x > 1", "", "cannot run over several partitions"},
	} {
		if a := r.planOf(test.sql, features, test.supported).status(400, ""); !strings.Contains(a.message(), test.want) {
			t.Errorf("%s: %q", test.sql, a.message())
		}
	}
	r.planOf("SELECT c.a FROM c GROUP BY c.a", features, "GroupBy").status(200, "")
}

// TestRewrittenQueriesAreServed sends each rewritten query to one range, as clients do.
func TestRewrittenQueriesAreServed(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	for _, key := range []string{"a", "b", "c", "d"} {
		r.create(`["`+key+`"]`, `{"id":"1","pk":"`+key+`","n":1,"list":[1,2]}`)
	}
	for _, sql := range []string{
		"SELECT * FROM c ORDER BY c.n", "SELECT TOP 2 c.n FROM c ORDER BY c.n DESC", "SELECT VALUE c.n FROM c WHERE c.n > 0 ORDER BY c.n OFFSET 1 LIMIT 1",
		"SELECT AVG(c.n) AS a, MIN(c.n) AS b FROM c", "SELECT VALUE MAX(c.n) FROM c", "SELECT c.n, COUNT(1) FROM c GROUP BY c.n",
		"SELECT VALUE SUM(c.n) FROM c GROUP BY c.pk", "SELECT DISTINCT TOP 1 c.n FROM c", "SELECT VALUE x FROM c JOIN x IN c.list ORDER BY c.n",
		"SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.n FROM c)", "SELECT * FROM c OFFSET 1 LIMIT 1",
		"SELECT DISTINCT c.n AS 'the n' FROM c OFFSET 0 LIMIT 3",
	} {
		info := r.planOf(sql).status(200, "").json()["queryInfo"].(map[string]any)
		text := strings.Replace(info["rewrittenQuery"].(string), "{documentdb-formattableorderbyquery-filter}", "true", 1)
		rows := 0
		for _, id := range []string{"0", "1"} {
			rows += len(r.query(text, rangeID, id).status(200, "").rows())
		}
		if rows == 0 {
			t.Errorf("%s, rewritten as %s, has no rows", sql, text)
		}
	}
}
