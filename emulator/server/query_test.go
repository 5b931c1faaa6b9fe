package server

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
)

const (
	crossHeader = "x-ms-documentdb-query-enablecrosspartition"
	rangeID     = "x-ms-documentdb-partitionkeyrangeid"
	maxItems    = "x-ms-max-item-count"
)

// fill creates n items with the ids 0…n-1 under the keys k0…k4 in turn.
func (r *rig) fill(n int) {
	r.t.Helper()
	for i := range n {
		k := fmt.Sprintf("k%d", i%5)
		r.create(`["`+k+`"]`, fmt.Sprintf(`{"id":"%d","pk":"%s","n":%d,"m":%d}`, i, k, i, i%3))
	}
}

// pages reads a query to its end and returns the rows of each page.
func (r *rig) pages(sql string, headers ...string) [][]string {
	r.t.Helper()
	var pages [][]string
	token := ""
	for {
		h := headers
		if token != "" {
			h = append(slices.Clip(headers), header.Continuation, token)
		}
		a := r.query(sql, h...).status(200, "")
		pages = append(pages, a.rows())
		if token = a.Header().Get(header.Continuation); token == "" {
			return pages
		}
		if len(pages) > 1000 {
			r.t.Fatal("the query does not end")
		}
	}
}

// shape is the number of rows of each page.
func shape(pages [][]string) []int {
	var list []int
	for _, p := range pages {
		list = append(list, len(p))
	}
	return list
}

func TestQueryPaging(t *testing.T) {
	one := newRig(t, Options{})
	one.container("")
	one.fill(20)
	key := []string{pkKey, `["k0"]`} // four items
	tests := []struct {
		name, sql string
		headers   []string
		want      []int
	}{
		{"scan, last page full", "SELECT * FROM c", append(key, maxItems, "2"), []int{2, 2, 0}},
		{"scan, last page short", "SELECT * FROM c", append(key, maxItems, "3"), []int{3, 1}},
		{"scan in one page", "SELECT * FROM c", append(key, maxItems, "5"), []int{4}},
		{"default page", "SELECT * FROM c", key, []int{4}},
		{"dynamic page", "SELECT * FROM c", append(key, maxItems, "-1"), []int{4}},
		{"order, last page full", "SELECT * FROM c ORDER BY c.n", append(key, maxItems, "2"), []int{2, 2}},
		{"order, last page short", "SELECT * FROM c ORDER BY c.n", append(key, maxItems, "3"), []int{3, 1}},
		{"top", "SELECT TOP 3 * FROM c", append(key, maxItems, "2"), []int{2, 1}},
		{"top ends on a full page", "SELECT TOP 2 * FROM c", append(key, maxItems, "2"), []int{2}},
		{"top 0", "SELECT TOP 0 * FROM c", key, []int{0}},
		{"offset and limit", "SELECT * FROM c OFFSET 1 LIMIT 3", append(key, maxItems, "2"), []int{2, 1}},
		{"offset past the end", "SELECT * FROM c OFFSET 9 LIMIT 3", append(key, maxItems, "2"), []int{0}},
		{"ordered offset and limit", "SELECT * FROM c ORDER BY c.n DESC OFFSET 1 LIMIT 3", append(key, maxItems, "2"), []int{2, 1}},
		{"count", "SELECT VALUE COUNT(1) FROM c", key, []int{1}},
		{"no such partition", "SELECT * FROM c", []string{pkKey, `["none"]`}, []int{0}},
		{"count of nothing", "SELECT VALUE COUNT(1) FROM c", []string{pkKey, `["none"]`}, []int{1}},
		{"across the only range", "SELECT * FROM c", []string{crossHeader, "True", maxItems, "10"}, []int{10, 10, 0}},
		{"one range", "SELECT * FROM c ORDER BY c.n", []string{rangeID, "0", maxItems, "10"}, []int{10, 10}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := shape(one.pages(test.sql, test.headers...)); !slices.Equal(got, test.want) {
				t.Errorf("pages of %v rows, want %v", got, test.want)
			}
		})
	}
}

func TestQueryAcrossRanges(t *testing.T) {
	r := newRig(t, Options{Partitions: 5})
	r.container("")
	r.fill(50)
	r.ResetRequests()
	pages := r.pages("SELECT VALUE c.id FROM c", crossHeader, "True")
	var asked []string
	for _, request := range r.Requests() {
		asked = append(asked, request.Range)
	}
	if want := []string{"0", "1", "2", "3", "4"}; !slices.Equal(asked, want) {
		t.Errorf("the walk asked the ranges %q, want %q", asked, want)
	}
	all := slices.Concat(pages...)
	slices.Sort(all)
	if len(slices.Compact(all)) != 50 {
		t.Errorf("%d different rows, want 50", len(all))
	}
	sum := 0
	for id := range 5 {
		sum += len(slices.Concat(r.pages("SELECT * FROM c", rangeID, fmt.Sprint(id), maxItems, "7")...))
	}
	if sum != 50 {
		t.Errorf("the ranges hold %d documents together, want 50", sum)
	}
	// IN on the key needs the ranges of these keys only.
	r.ResetRequests()
	if got := slices.Concat(r.pages("SELECT * FROM c WHERE c.pk IN ('k0','k1')", crossHeader, "True")...); len(got) != 20 {
		t.Errorf("IN found %d documents, want 20", len(got))
	}
	if n := len(r.Requests()); n > 2 {
		t.Errorf("IN with two keys took %d requests", n)
	}
	// A key in the header and a range that does not hold it have nothing in common.
	held := r.query("SELECT * FROM c", pkKey, `["k0"]`).status(200, "").Header().Get(rangeID)
	for id := range 5 {
		want := 0
		if fmt.Sprint(id) == held {
			want = 10
		}
		if got := r.query("SELECT * FROM c", pkKey, `["k0"]`, rangeID, fmt.Sprint(id)).rows(); len(got) != want {
			t.Errorf("key k0 in range %d: %d documents, want %d", id, len(got), want)
		}
	}
}

func TestGatewayRefusals(t *testing.T) {
	r := newRig(t, Options{})
	r.container(hashDefinition + `,"indexingPolicy":{"compositeIndexes":[[{"path":"/m","order":"ascending"},{"path":"/n","order":"descending"}]]}`)
	r.fill(10)
	cross := []string{crossHeader, "True"}
	key := []string{pkKey, `["k0"]`}
	tests := []struct {
		sql       string
		headers   []string
		status    int
		substatus string
		says      string
	}{
		{"SELECT * FROM c", cross, 200, "", ""},
		{"SELECT * FROM c", nil, 400, "", "Cross partition query is required but disabled"},
		{"SELECT * FROM c ORDER BY c.n", cross, 400, "1004", "cross partition query can not be directly served by the gateway"},
		{"SELECT TOP 1 * FROM c", cross, 400, "1004", "TOP"},
		{"SELECT * FROM c OFFSET 0 LIMIT 1", cross, 400, "1004", "OFFSET LIMIT"},
		{"SELECT VALUE COUNT(1) FROM c", cross, 400, "1004", "aggregates"},
		{"SELECT * FROM c WHERE c.pk IN ('k0','k1') ORDER BY c.n", cross, 400, "1004", "ORDER BY"},
		{"SELECT * FROM c WHERE c.pk = 'k0' ORDER BY c.n", cross, 200, "", ""},
		{"SELECT * FROM c WHERE c.pk IN ('k0') AND c.n > 1 ORDER BY c.n", nil, 200, "", ""},
		{"SELECT * FROM c WHERE c.pk = 'k0' OR c.n = 1 ORDER BY c.n", cross, 400, "1004", "ORDER BY"},
		{"SELECT * FROM c ORDER BY c.n", key, 200, "", ""},
		{"SELECT * FROM c ORDER BY c.n", []string{rangeID, "0"}, 200, "", ""},
		{"SELECT TOP 1 * FROM c", []string{rangeID, "0"}, 200, "", ""},
		{"SELECT VALUE SUM(c.n) FROM c", []string{rangeID, "0"}, 200, "", ""},
		{"SELECT * FROM c ORDER BY c.m, c.n DESC", key, 200, "", ""},
		{"SELECT * FROM c ORDER BY c.m DESC, c.n", key, 200, "", ""},
		{"SELECT * FROM c ORDER BY c.m, c.n", key, 400, "", "composite index"},
		{"SELECT * FROM c ORDER BY c.n, c.m", key, 400, "", "composite index"},
		{"SELECT * FROM c WHERE", key, 400, "", "column 22"},
		{"SELECT * FROM c WHERE c.n ~ 1", key, 400, "", "column 27"},
		{"SELECT * FROM c WHERE c.n = @n", key, 400, "", "@n"},
		{"SELECT * FROM c", []string{pkKey, `["k0","x"]`}, 400, "1001", "2 components"},
		{"SELECT * FROM c", append(key, maxItems, "0"), 400, "", "x-ms-max-item-count"},
		{"SELECT * FROM c", append(key, maxItems, "ten"), 400, "", "x-ms-max-item-count"},
	}
	for _, test := range tests {
		t.Run(test.sql, func(t *testing.T) {
			got := r.query(test.sql, test.headers...).status(test.status, test.substatus)
			if test.says != "" && !strings.Contains(got.message(), test.says) {
				t.Errorf("message %q does not say %q", got.message(), test.says)
			}
		})
	}
	for _, body := range []string{"", "[]", `{"sql":"SELECT * FROM c"}`, `{"query":1}`, `{"query":null}`} {
		r.send("POST", docs, body, "x-ms-documentdb-isquery", "true", crossHeader, "true").status(400, "")
	}
}

func TestContinuationIsBound(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	r.fill(20)
	next := func(sql string, headers ...string) string {
		token := r.query(sql, append(headers, maxItems, "1")...).status(200, "").Header().Get(header.Continuation)
		if token == "" {
			t.Fatalf("%s: no continuation", sql)
		}
		return token
	}
	key := []string{pkKey, `["k0"]`}
	token := next("SELECT * FROM c", key...)
	r.query("SELECT * FROM c", append(key, header.Continuation, token)...).status(200, "")
	r.query("SELECT * FROM c WHERE c.n > 0", append(key, header.Continuation, token)...).status(400, "")
	r.query("SELECT * FROM c", pkKey, `["k1"]`, header.Continuation, token).status(400, "")
	r.query("SELECT * FROM c", rangeID, "0", header.Continuation, token).status(400, "")
	r.query("SELECT * FROM c", append(key, header.Continuation, "garbage")...).status(400, "")
	ordered := next("SELECT * FROM c ORDER BY c.n", key...)
	r.query("SELECT * FROM c", append(key, header.Continuation, ordered)...).status(400, "")

	r.send("DELETE", "/dbs/db/colls/c", "").status(204, "")
	r.container("")
	r.query("SELECT * FROM c", append(key, header.Continuation, token)...).status(400, "")
}

func TestOrderSurvivesChanges(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	key := []string{pkKey, `["k"]`, maxItems, "2"}
	for _, n := range []string{"10", "20", "20", "30", "40"} {
		r.create(`["k"]`, fmt.Sprintf(`{"id":"%d","pk":"k","n":%s}`, len(r.Requests()), n))
	}
	const sql = "SELECT VALUE c.n FROM c ORDER BY c.n"
	first := r.query(sql, key...)
	if got := first.rows(); !slices.Equal(got, []string{"10", "20"}) {
		t.Fatalf("first page %q", got)
	}
	// What comes before the last row is not seen any more, what comes after it is.
	r.create(`["k"]`, `{"id":"before","pk":"k","n":5}`)
	r.create(`["k"]`, `{"id":"after","pk":"k","n":35}`)
	var rest []string
	for token := first.Header().Get(header.Continuation); token != ""; {
		page := r.query(sql, append(key, header.Continuation, token)...).status(200, "")
		rest = append(rest, page.rows()...)
		token = page.Header().Get(header.Continuation)
	}
	if want := []string{"20", "30", "35", "40"}; !slices.Equal(rest, want) {
		t.Errorf("rest %q, want %q", rest, want)
	}
}

func TestWalkSurvivesSplits(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	for i := range 100 {
		r.create(fmt.Sprintf("[%d]", i), fmt.Sprintf(`{"id":"%d","pk":%d}`, i, i))
	}
	seen := map[string]int{}
	token, split := "", 0
	for pages := 0; ; pages++ {
		h := []string{crossHeader, "True", maxItems, "5"}
		if token != "" {
			h = append(h, header.Continuation, token)
		}
		a := r.query("SELECT VALUE c.id FROM c", h...).status(200, "")
		for _, id := range a.rows() {
			seen[id]++
		}
		if token = a.Header().Get(header.Continuation); token == "" {
			break
		}
		if pages%3 == 1 && split < 4 { // the range that the page came from
			if err := r.Split("db", "c", a.Header().Get(rangeID)); err != nil {
				t.Fatal(err)
			}
			split++
		}
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("document %s came %d times", id, n)
		}
	}
	if len(seen) != 100 || split != 4 {
		t.Errorf("%d of 100 documents in spite of %d splits", len(seen), split)
	}
}

func TestScanLimit(t *testing.T) {
	r := newRig(t, Options{ScanLimit: 4})
	r.container("")
	r.fill(20)
	scoped := []string{rangeID, "0"}
	if got := shape(r.pages("SELECT * FROM c WHERE c.n >= 10", scoped...)); !slices.Equal(got, []int{0, 0, 2, 4, 4}) {
		t.Errorf("pages of %v rows", got)
	}
	if got := slices.Concat(r.pages("SELECT VALUE COUNT(1) FROM c", scoped...)...); !slices.Equal(got, []string{"4", "4", "4", "4", "4"}) {
		t.Errorf("partial counts %v", got)
	}
}

func TestHierarchicalKeys(t *testing.T) {
	r := newRig(t, Options{Partitions: 4})
	r.container(`"partitionKey":{"paths":["/t","/u"],"kind":"MultiHash","version":2}`)
	for i := range 40 {
		r.create(fmt.Sprintf(`["t%d",%d]`, i%2, i%10), fmt.Sprintf(`{"id":"%d","t":"t%d","u":%d}`, i, i%2, i%10))
	}
	r.send("GET", docs+"/0", "", pkKey, `["t0",0]`).status(200, "")
	r.send("GET", docs+"/0", "", pkKey, `["t0"]`).status(400, "1001")
	r.send("POST", docs, `{"id":"x","t":"t0","u":1}`, pkKey, `["t0"]`).status(400, "1001")
	r.create(`["t2",{}]`, `{"id":"undefined","t":"t2"}`)
	count := func(want int, sql string, headers ...string) {
		t.Helper()
		if got := slices.Concat(r.pages(sql, headers...)...); len(got) != want {
			t.Errorf("%s %q: %d rows, want %d", sql, headers, len(got), want)
		}
	}
	count(20, "SELECT * FROM c", pkKey, `["t0"]`)
	count(4, "SELECT * FROM c", pkKey, `["t0",2]`)
	count(0, "SELECT * FROM c", pkKey, `["t0",1]`)
	count(1, "SELECT * FROM c", pkKey, `["t2"]`)
	count(4, "SELECT * FROM c WHERE c.u = 2", pkKey, `["t0"]`)
	count(0, "SELECT * FROM c WHERE c.t = 't1' AND c.u = 1", pkKey, `["t0"]`)
	count(4, "SELECT * FROM c WHERE c.u = 1 AND c.t = 't1' ORDER BY c.id", crossHeader, "True")
	count(20, "SELECT * FROM c WHERE c.t = 't1'", crossHeader, "True")
	count(41, "SELECT * FROM c", crossHeader, "True")
	// All of a first level is in one range here, so that the gateway can order it.
	count(20, "SELECT * FROM c ORDER BY c.id", pkKey, `["t0"]`)
}

func TestReadFeed(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	r.container("")
	r.fill(10)
	read := func(headers ...string) int {
		n := 0
		for token := "-"; token != ""; {
			h := headers
			if token != "-" {
				h = append(slices.Clip(headers), header.Continuation, token)
			}
			a := r.send("GET", docs, "", h...).status(200, "")
			n += len(a.rows())
			token = a.Header().Get(header.Continuation)
		}
		return n
	}
	if n := read(maxItems, "3"); n != 10 {
		t.Errorf("the feed has %d documents, want 10", n)
	}
	if n := read(pkKey, `["k1"]`, maxItems, "1"); n != 2 {
		t.Errorf("the feed of one key has %d documents, want 2", n)
	}
	if n := read(rangeID, "0") + read(rangeID, "1"); n != 10 {
		t.Errorf("the feeds of both ranges have %d documents, want 10", n)
	}
}

// TestSplitBetweenPagesOfGroups splits a range of which a client has read some groups. The
// halves do not know which of their groups these were: going on is an error, and not the
// rest of the groups.
func TestSplitBetweenPagesOfGroups(t *testing.T) {
	for _, sql := range []string{
		"SELECT DISTINCT VALUE c.id FROM c",
		"SELECT c.id, COUNT(1) AS n FROM c GROUP BY c.id",
	} {
		r := newRig(t, Options{Partitions: 1})
		r.container("")
		r.fill(60)
		token := r.query(sql, rangeID, "0", maxItems, "25").status(200, "").Header().Get(header.Continuation)
		if rest := r.query(sql, rangeID, "0", maxItems, "100", header.Continuation, token).status(200, "").rows(); len(rest) != 35 {
			t.Errorf("%s: %d rows before the split, want 35", sql, len(rest))
		}
		if err := r.Split("db", "c", "0"); err != nil {
			t.Fatal(err)
		}
		for _, child := range []string{"1", "2"} {
			r.query(sql, rangeID, child, maxItems, "100", header.Continuation, token).status(400, "")
		}
	}
}

// TestContinuationOutlivesSplits continues in the halves of a split range with the token of
// that range, as the SDKs do. Other ranges refuse the token.
func TestContinuationOutlivesSplits(t *testing.T) {
	r := newRig(t, Options{Partitions: 1})
	r.container("")
	r.fill(60)
	halves := map[string][]string{"SELECT VALUE c.id FROM c ORDER BY c.m": nil, "SELECT VALUE c.id FROM c": nil}
	for sql := range halves {
		half := r.query(sql, rangeID, "0", maxItems, "7").status(200, "")
		halves[sql] = append(half.rows(), half.Header().Get(header.Continuation))
	}
	if err := r.Split("db", "c", "0"); err != nil {
		t.Fatal(err)
	}
	for sql, half := range halves {
		rows, token := half[:7], half[7]
		for _, child := range []string{"1", "2"} {
			a := r.query(sql, rangeID, child, maxItems, "1000", header.Continuation, token).status(200, "")
			rows = append(rows, a.rows()...)
		}
		slices.Sort(rows)
		if all := slices.Compact(slices.Clone(rows)); len(rows) != 60 || len(all) != 60 {
			t.Errorf("%s: %d rows, %d of them different, want 60", sql, len(rows), len(all))
		}
		token = r.query(sql, rangeID, "1", maxItems, "1").status(200, "").Header().Get(header.Continuation)
		r.query(sql, rangeID, "2", header.Continuation, token).status(400, "")
	}
}

// TestGeography checks that a query reads shapes as the container says at the time, in all
// ways of reading: with a key, over ranges, and in pages.
func TestGeography(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	for i, at := range []string{`{"type":"Point","coordinates":[1,1]}`, `{"type":"Point","coordinates":[5,6]}`, `{"type":"Point","coordinates":[200,1]}`, `"nowhere"`} {
		r.create(`["k"]`, fmt.Sprintf(`{"id":"%d","pk":"k","at":%s}`, i, at))
	}
	const (
		clockwise = `{"type":"Polygon","coordinates":[[[0,0],[0,2],[2,2],[2,0],[0,0]]]}`
		within    = `SELECT VALUE c.id FROM c WHERE ST_WITHIN(c.at, ` + clockwise + `)`
		distance  = `SELECT VALUE ST_DISTANCE(c.at, {"type":"Point","coordinates":[1,1]}) <= 1e5 FROM c`
		valid     = `SELECT VALUE ST_ISVALID(c.at) FROM c`
	)
	check := func(sql string, want ...string) {
		t.Helper()
		for _, headers := range [][]string{{pkKey, `["k"]`}, {rangeID, "0", crossHeader, "true"}, {pkKey, `["k"]`, maxItems, "1"}} {
			if got := slices.Concat(r.pages(sql, headers...)...); !slices.Equal(got, want) {
				t.Errorf("%s (%s): %s, want %s", sql, headers, got, want)
			}
		}
	}
	check(within, `"1"`) // the rest of the Earth
	check(distance, "true", "false")
	check(valid, "true", "true", "false", "false")
	r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+hashDefinition+`,"geospatialConfig":{"type":"Geometry"}}`).status(200, "")
	check(within, `"0"`)
	check(distance, "true", "true", "true")
	check(valid, "true", "true", "true", "false")

	if message := r.query("SELECT * FROM c ORDER BY ST_DISTANCE(c.at, "+clockwise+")", pkKey, `["k"]`).status(400, "").message(); !strings.Contains(message, "ORDER BY") {
		t.Errorf("order: %s", message)
	}
	r.create(`["k"]`, `{"id":"crs","pk":"k","at":{"type":"Point","coordinates":[1,1],"crs":{"type":"name","properties":{"name":"EPSG:3857"}}}}`)
	if message := r.query(valid, pkKey, `["k"]`).status(400, "").message(); !strings.Contains(message, `"crs\" is not supported`) {
		t.Errorf("crs: %s", message)
	}
}

// TestQueryAdvice checks which rules of the query advisor an answer names.
func TestQueryAdvice(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.fill(3)
	const asked = "x-ms-cosmos-populatequeryadvice"
	for sql, want := range map[string]string{
		"SELECT * FROM c": "",
		"SELECT * FROM c WHERE c.n = 1 AND NOT STARTSWITH(c.pk, 'k')":                                     "",
		"SELECT * FROM c WHERE ARRAY_CONTAINS(c.list, {'a': 1}, true)":                                    "QA1000",
		"SELECT * FROM c WHERE ARRAY_CONTAINS(c.list, {'a': 1}) OR c.n = 1":                               "",
		"SELECT * FROM c WHERE ARRAY_CONTAINS(['a'], c.pk, false)":                                        "",
		"SELECT DISTINCT VALUE t FROM c JOIN t IN c.list":                                                 "QA1001",
		"SELECT GetCurrentTicks() AS now FROM c WHERE GetCurrentTimestamp() > 10":                         "QA1008 QA1009", // a baseline of the .NET SDK
		"SELECT VALUE r.id FROM root r WHERE StringEquals(r.name, 'Abc', false)":                          "",              // another one
		"SELECT DISTINCT VALUE c.pk FROM c":                                                               "",
		"SELECT VALUE t FROM c JOIN t IN c.list":                                                          "",
		"SELECT * FROM c WHERE CONTAINS(c.pk, 'k')":                                                       "QA1002",
		"SELECT * FROM c WHERE CONTAINS('keys', 'k')":                                                     "",
		"SELECT CONTAINS(c.pk, 'k') AS it FROM c":                                                         "",
		"SELECT * FROM c WHERE c.n = 1 OR EXISTS(SELECT VALUE t FROM t IN c.list WHERE contains(t, 'k'))": "QA1002",
		"SELECT * FROM c WHERE STARTSWITH(c.pk, 'k', true)":                                               "QA1003",
		"SELECT * FROM c WHERE StringEquals('k', c.pk, true)":                                             "QA1003",
		"SELECT * FROM c WHERE STARTSWITH(c.pk, 'k', false)":                                              "",
		"SELECT * FROM c WHERE ENDSWITH(c.pk, 'k', true)":                                                 "QA1004",
		"SELECT * FROM c WHERE ENDSWITH(c.pk, 'k')":                                                       "",
		"SELECT UPPER(c.pk) AS pk, COUNT(1) AS n FROM c GROUP BY UPPER(c.pk)":                             "QA1005",
		"SELECT c.pk, COUNT(1) AS n FROM c GROUP BY c.pk":                                                 "",
		"SELECT COUNT(1) AS n FROM c GROUP BY RAND() > c.n":                                               "",
		"SELECT * FROM c WHERE UPPER(c.pk) = 'K'":                                                         "QA1006",
		"SELECT * FROM c WHERE 'k' != LOWER(c.pk)":                                                        "QA1006",
		"SELECT * FROM c WHERE LOWER(c.pk) IN ('k', 'l')":                                                 "QA1006",
		"SELECT * FROM c WHERE c.pk = UPPER('k') AND LOWER(c.pk) || 'x' LIKE 'k%'":                        "",
		"SELECT * FROM c WHERE c.at < GetCurrentDateTime()":                                               "QA1007",
		"SELECT * FROM c WHERE c.at < GetCurrentTicks()":                                                  "QA1008",
		"SELECT * FROM c WHERE c.at < GetCurrentTimestamp()":                                              "QA1009",
		"SELECT * FROM c WHERE c.at < GetCurrentTimestampStatic()":                                        "",
		"SELECT * FROM c WHERE CONTAINS(c.pk, 'k') OR CONTAINS(c.pk, 'l') OR UPPER(c.pk) = 'K'":           "QA1002 QA1006",
	} {
		a := r.query(sql, pkKey, `["k0"]`, asked, "True").status(200, "")
		text, err := url.PathUnescape(a.Header().Get("x-ms-cosmos-query-advice"))
		if err != nil {
			t.Fatal(err)
		}
		var expected []string
		for id := range strings.FieldsSeq(want) {
			expected = append(expected, `{"Id":"`+id+`","Params":[]}`)
		}
		if want = "[" + strings.Join(expected, ",") + "]"; text != want {
			t.Errorf("%s: %s, want %s", sql, text, want)
		}
	}

	// The value of a parameter counts, the header has to be asked for, and no page but the first has it.
	const header = "x-ms-cosmos-query-advice"
	for value, want := range map[string]bool{"true": true, "false": false, "1": false} {
		a := r.send("POST", docs, `{"query":"SELECT * FROM c WHERE STARTSWITH(c.pk, 'k', @fold)","parameters":[{"name":"@fold","value":`+value+`}]}`,
			"x-ms-documentdb-query", "True", "Content-Type", "application/query+json", pkKey, `["k0"]`, asked, "true")
		if got := a.Header().Get(header); (got != "%5B%5D") != want {
			t.Errorf("with the parameter %s the advice is %q", value, got)
		}
	}
	const contains = "SELECT * FROM c WHERE CONTAINS(c.pk, 'k')"
	if got := r.query(contains, pkKey, `["k0"]`).status(200, "").Header().Get(header); got != "" {
		t.Errorf("nothing was asked for, and the answer has %q", got)
	}
	first := r.query(contains, rangeID, "0", maxItems, "1", asked, "true").status(200, "")
	next := r.query(contains, rangeID, "0", maxItems, "1", asked, "true", "x-ms-continuation", first.Header().Get("x-ms-continuation")).status(200, "")
	if first.Header().Get(header) == "" || next.Header().Get(header) != "" {
		t.Errorf("pages have the advice %q and %q", first.Header().Get(header), next.Header().Get(header))
	}
}
