package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// fullFidelity are the headers with which SDKs read all versions and deletions.
var fullFidelity = []string{"A-IM", "Full-Fidelity Feed", "x-ms-cosmos-changefeed-wire-format-version", "2021-09-15"}

// version is a change with its metadata.
type version struct {
	Current  map[string]any
	Previous map[string]any
	Metadata struct {
		OperationType     string
		LSN, CRTS         int64
		PreviousImageLSN  *int64
		TimeToLiveExpired *bool
		ID                *string
		PartitionKey      map[string]any
	}
}

// short is a change as the operation, the id and the lsn.
func (v version) short() string {
	id := v.Current["id"]
	if v.Metadata.ID != nil {
		id = *v.Metadata.ID
	}
	return fmt.Sprint(v.Metadata.OperationType, " ", id, " ", v.Metadata.LSN)
}

// versions reads a page of all versions, after an etag.
func (r *rig) versions(etag string, headers ...string) ([]version, string) {
	r.t.Helper()
	a := r.send("GET", docs, "", append(slices.Concat(fullFidelity, []string{"If-None-Match", etag}), headers...)...)
	if a.Code == 304 {
		return nil, a.Header().Get("etag")
	}
	a.status(200, "")
	var body struct{ Documents []version }
	if err := json.Unmarshal(a.Body.Bytes(), &body); err != nil {
		r.t.Fatal(err)
	}
	return body.Documents, a.Header().Get("etag")
}

func shorts(list []version) string {
	var text []string
	for _, v := range list {
		text = append(text, v.short())
	}
	return strings.Join(text, ", ")
}

func TestAllVersions(t *testing.T) {
	r := newRig(t, Options{AllVersions: 7 * 24 * time.Hour})
	r.container(hashDefinition + `,"defaultTtl":-1`)
	r.create(`["a"]`, `{"id":"before","pk":"a"}`)
	none, etag := r.versions("*")
	if none != nil || etag != `"1"` {
		t.Fatalf("now: %v, %s", none, etag)
	}
	r.create(`["a"]`, `{"id":"1","pk":"a","n":1}`)
	r.send("PUT", docs+"/1", `{"id":"1","pk":"a","n":2}`, pkKey, `["a"]`).status(200, "")
	r.send("PATCH", docs+"/1", `{"operations":[{"op":"incr","path":"/n","value":1}]}`, pkKey, `["a"]`).status(200, "")
	r.send("POST", docs, `{"id":"1","pk":"a","n":4}`, pkKey, `["a"]`, "x-ms-documentdb-is-upsert", "True").status(200, "")
	r.send("DELETE", docs+"/1", "", pkKey, `["a"]`).status(204, "")
	r.create(`["b"]`, `{"id":"2","pk":"b","ttl":60}`)
	r.Advance(time.Minute + time.Second)
	list, next := r.versions(etag)
	want := "create 1 2, replace 1 3, replace 1 4, replace 1 5, delete 1 6, create 2 7, delete 2 8"
	if got := shorts(list); got != want || next != `"8"` {
		t.Fatalf("got %s, %s, want %s", got, next, want)
	}
	for i, v := range list {
		if v.Previous != nil {
			t.Errorf("a previous image: %v", v)
		}
		m := v.Metadata
		if created := m.OperationType == "create"; created != (m.PreviousImageLSN == nil) {
			t.Errorf("%s: the LSN of the version before is %v", v.short(), m.PreviousImageLSN)
		}
		if deleted := m.OperationType == "delete"; deleted != (v.Current == nil) || deleted != (m.ID != nil) || deleted != (m.PartitionKey != nil) {
			t.Errorf("%s: %+v", v.short(), v)
		}
		if v.Current != nil && (float64(m.CRTS) != v.Current["_ts"] || i < 4 && v.Current["n"] != float64(i+1)) {
			t.Errorf("%s: %v", v.short(), v.Current)
		}
		if expired := m.TimeToLiveExpired != nil && *m.TimeToLiveExpired; expired != (i == 6) {
			t.Errorf("%s: expired %v", v.short(), expired)
		}
	}
	if last := list[6].Metadata; fmt.Sprint(last.PartitionKey) != "map[pk:b]" || *last.PreviousImageLSN != 7 || last.CRTS < list[5].Metadata.CRTS+60 {
		t.Errorf("the end of a time to live: %+v", last)
	}
	if again, _ := r.versions(next); again != nil {
		t.Errorf("nothing new: %v", shorts(again))
	}
	if one, _ := r.versions(etag, pkKey, `["b"]`); shorts(one) != "create 2 7, delete 2 8" {
		t.Errorf("of one key: %s", shorts(one))
	}
	// The other mode is as before, and its etags are the same numbers.
	if ids, etag := r.changes(); fmt.Sprint(ids) != "[before]" || etag != `"8"` {
		t.Errorf("latest versions: %v, %s", ids, etag)
	}
}

func TestAllVersionsOfTransactions(t *testing.T) {
	r := newRig(t, Options{AllVersions: time.Hour})
	r.container("")
	r.batch(`["a"]`, []string{
		`{"operationType":"Create","resourceBody":{"id":"x","pk":"a"}}`,
		`{"operationType":"Create","resourceBody":{"id":"x","pk":"a"}}`,
	}).status(207, "")
	r.batch(`["a"]`, []string{
		`{"operationType":"Create","resourceBody":{"id":"1","pk":"a"}}`,
		`{"operationType":"Upsert","resourceBody":{"id":"1","pk":"a"}}`,
		`{"operationType":"Delete","id":"1"}`,
	}).status(200, "")
	r.create(`["a"]`, `{"id":"2","pk":"a"}`)
	// A page does not end within a transaction, and what was rolled back never was.
	page, etag := r.versions(`"0"`, "x-ms-max-item-count", "1")
	if got := shorts(page); got != "create 1 1, replace 1 1, delete 1 1" {
		t.Errorf("first page: %s", got)
	}
	if page, _ := r.versions(etag, "x-ms-max-item-count", "1"); shorts(page) != "create 2 2" {
		t.Errorf("second page: %s", shorts(page))
	}
}

func TestAllVersionsAcrossASplit(t *testing.T) {
	r := newRig(t, Options{AllVersions: time.Hour})
	r.container("")
	write := func() {
		for i := range 30 {
			r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"1","pk":"%d"}`, i))
			r.send("DELETE", docs+"/1", "", pkKey, fmt.Sprintf(`["%d"]`, i)).status(204, "")
		}
	}
	write()
	page, etag := r.versions(`"0"`, "x-ms-max-item-count", "25")
	if err := r.Split("db", "c", "0"); err != nil {
		t.Fatal(err)
	}
	write()
	n := len(page)
	for _, id := range []string{"1", "2"} {
		page, _ := r.versions(etag, rangeID, id, "x-ms-max-item-count", "-1")
		n += len(page)
	}
	if n != 120 {
		t.Errorf("%d changes, want 120", n)
	}
	if err := r.Merge("db", "c", "1", "2"); err == nil || !strings.Contains(err.Error(), "does not merge") {
		t.Errorf("Merge: %v", err)
	}
}

func TestAllVersionsWithinTheRetention(t *testing.T) {
	r := newRig(t, Options{AllVersions: time.Hour})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	r.Advance(40 * time.Minute)
	r.create(`["a"]`, `{"id":"2","pk":"a"}`)
	if page, _ := r.versions(`"0"`); len(page) != 2 {
		t.Errorf("within the retention: %s", shorts(page))
	}
	r.Advance(40 * time.Minute)
	read := func(etag string) *answer {
		return r.send("GET", docs, "", append(slices.Clone(fullFidelity), "If-None-Match", etag)...)
	}
	for range 2 {
		if message := read(`"0"`).status(400, "").message(); !strings.Contains(message, "retention") {
			t.Errorf("beyond the retention: %s", message)
		}
		if page, _ := r.versions(`"1"`); !strings.HasPrefix(shorts(page), "create 2 2") {
			t.Errorf("from the first change that is kept: %s", shorts(page))
		}
		r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a"}`, time.Now().UnixNano())) // forgets the first for good
	}
}

func TestRefusedAllVersions(t *testing.T) {
	with, without := newRig(t, Options{AllVersions: time.Hour}), newRig(t, Options{})
	date := time.Now().UTC().Format(time.RFC1123)
	for _, test := range []struct {
		r       *rig
		headers []string
		says    string
	}{
		{without, append(slices.Clone(fullFidelity), "If-None-Match", "*"), "must be enabled"},
		{with, fullFidelity, "beginning"},
		{with, append(slices.Clone(fullFidelity), "If-Modified-Since", date), "at a time"},
		{with, append(slices.Clone(fullFidelity), "If-None-Match", "x"), "If-None-Match"},
		{with, []string{"A-IM", "Full-Fidelity Feed", "If-None-Match", "*"}, "wire-format-version"},
		{with, []string{"A-IM", "Other Feed"}, "Other Feed"},
	} {
		if test.r.send("GET", "/dbs/db", "").Code == 404 {
			test.r.container("")
		}
		if message := test.r.send("GET", docs, "", test.headers...).status(400, "").message(); !strings.Contains(message, test.says) {
			t.Errorf("%q: %s, want %q", test.headers, message, test.says)
		}
	}
}

func TestChangeFeedPolicies(t *testing.T) {
	for _, test := range []struct {
		kept   time.Duration
		policy string
		status int
		says   string
	}{
		{0, `{"retentionDuration":0}`, 201, ""},
		{0, `null`, 201, ""},
		{0, `{"retentionDuration":60}`, 400, "does not support a retention duration"},
		{time.Hour, `{"retentionDuration":0}`, 201, ""},
		{time.Hour, `{"retentionDuration":60}`, 400, "should not be set when continuous backup"},
		{time.Hour, `{"retentionDuration":"x"}`, 400, "change feed policy is invalid"},
	} {
		r := newRig(t, Options{AllVersions: test.kept})
		r.send("POST", "/dbs", `{"id":"db"}`).status(201, "")
		a := r.send("POST", "/dbs/db/colls", `{"id":"c",`+hashDefinition+`,"changeFeedPolicy":`+test.policy+`}`).status(test.status, "")
		if !strings.Contains(a.Body.String(), test.says) {
			t.Errorf("%s: %s does not say %q", test.policy, a.Body, test.says)
		}
	}
}

// TestLatestVersionsInTheWireFormat is for SDKs that ask for metadata next to the
// document in this mode too, such as that for Rust.
func TestLatestVersionsInTheWireFormat(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	row := r.send("GET", docs, "", "A-IM", "Incremental Feed", "x-ms-cosmos-changefeed-wire-format-version", "2021-09-15").status(200, "").json()["Documents"].([]any)[0].(map[string]any)
	current, metadata := row["current"].(map[string]any), row["metadata"].(map[string]any)
	if len(row) != 2 || current["id"] != "1" || current["_lsn"] != nil || metadata["lsn"] != 1.0 || metadata["crts"] != current["_ts"] || len(metadata) != 2 {
		t.Errorf("row %v", row)
	}
}

// TestHierarchicalKeysOfDeletions has a level in an object, and one that is missing.
func TestHierarchicalKeysOfDeletions(t *testing.T) {
	r := newRig(t, Options{AllVersions: time.Hour})
	r.container(`"partitionKey":{"paths":["/a","/b/c","/d"],"kind":"MultiHash","version":2}`)
	r.create(`["x",1,{}]`, `{"id":"1","a":"x","b":{"c":1}}`)
	r.send("DELETE", docs+"/1", "", pkKey, `["x",1,{}]`).status(204, "")
	page, _ := r.versions(`"0"`, pkKey, `["x"]`)
	if got := shorts(page); got != "create 1 1, delete 1 2" || fmt.Sprint(page[1].Metadata.PartitionKey) != "map[a:x b/c:1]" {
		t.Errorf("%s, %+v", got, page)
	}
}
