package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// autoscale is the header with throughput that an index needs.
var autoscale = []string{"x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":1000}`}

// indexBody is the body that creates an index of the container c.
func indexBody(id, path, definition string) string {
	return fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":[%q],"kind":"Hash","version":2},"globalSecondaryIndexDefinition":{"sourceCollectionId":"c","definition":%q}}`, id, path, definition)
}

// index creates an index of the container c.
func (r *rig) index(id, path, definition string) *answer {
	r.t.Helper()
	return r.send("POST", "/dbs/db/colls", indexBody(id, path, definition), autoscale...).status(201, "")
}

// entries returns the documents of a container without their system properties, as JSON in
// the order of their text.
func (r *rig) entries(id string) []string {
	r.t.Helper()
	list := []string{}
	for _, raw := range r.documents(id) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(raw), &entry); err != nil {
			r.t.Fatal(err)
		}
		for _, name := range []string{"id", "_rid", "_self", "_etag", "_attachments", "_ts"} {
			if _, ok := entry[name]; !ok {
				r.t.Errorf("the entry %s has no %s", raw, name)
			}
			delete(entry, name)
		}
		text, _ := json.Marshal(entry)
		list = append(list, string(text))
	}
	slices.Sort(list)
	return list
}

// documents returns the documents of all physical partitions of a container.
func (r *rig) documents(id string) (list []string) {
	r.t.Helper()
	token := ""
	for {
		a := r.send("GET", "/dbs/db/colls/"+id+"/docs", "", "x-ms-continuation", token, "x-ms-max-item-count", "7").status(200, "")
		list = append(list, a.rows()...)
		if token = a.Header().Get("x-ms-continuation"); token == "" {
			return list
		}
	}
}

// has fails the test unless a container has these entries.
func (r *rig) has(id string, want ...string) {
	r.t.Helper()
	if got := r.entries(id); !slices.Equal(got, append([]string{}, want...)) {
		r.t.Errorf("%s has %s\nwant %s", id, got, want)
	}
}

// definition returns the definition of an index, as both properties have it.
func (a *answer) definition() map[string]any {
	a.t.Helper()
	body := a.json()
	d, _ := body["globalSecondaryIndexDefinition"].(map[string]any)
	if other := body["materializedViewDefinition"]; fmt.Sprint(other) != fmt.Sprint(d) {
		a.t.Errorf("the properties differ: %v and %v", d, other)
	}
	return d
}

func TestIndexIsDerived(t *testing.T) {
	r := newRig(t, Options{})
	rid := r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a","email":"x@y","n":1,"deep":{"a":1}}`)
	r.create(`["b"]`, `{"id":"1","pk":"b","email":"x@y"}`)
	d := r.index("byEmail", "/email", "SELECT c.email, c.n FROM c").definition()
	if d["sourceCollectionRid"] != rid || d["sourceCollectionId"] != "c" || d["definition"] != "SELECT c.email, c.n FROM c" || d["status"] != "Active" {
		t.Errorf("definition %v", d)
	}
	r.index("all", "/pk", "SELECT * FROM c")
	r.has("byEmail", `{"_id":"1","email":"x@y","n":1}`, `{"_id":"1","email":"x@y"}`)
	r.has("all", `{"_id":"1","deep":{"a":1},"email":"x@y","n":1,"pk":"a"}`, `{"_id":"1","email":"x@y","pk":"b"}`)

	// Every kind of write, on the same entry: its id stays.
	id := r.keyed("byEmail", `["x@y"]`)[0]["id"]
	r.send("PUT", docs+"/1", `{"id":"1","pk":"a","email":"x@y","n":2}`, pkKey, `["a"]`).status(200, "")
	r.has("byEmail", `{"_id":"1","email":"x@y","n":2}`, `{"_id":"1","email":"x@y"}`)
	r.send("PATCH", docs+"/1", `{"operations":[{"op":"incr","path":"/n","value":1}]}`, pkKey, `["a"]`).status(200, "")
	r.send("POST", docs, `{"id":"1","pk":"b","email":"z","n":9}`, pkKey, `["b"]`, "x-ms-documentdb-is-upsert", "True").status(200, "")
	r.has("byEmail", `{"_id":"1","email":"x@y","n":3}`, `{"_id":"1","email":"z","n":9}`)
	if now := r.keyed("byEmail", `["x@y"]`); len(now) != 1 || now[0]["id"] != id {
		t.Errorf("under the old key: %v, want the entry %v alone", now, id)
	}
	if moved := r.keyed("byEmail", `["z"]`); len(moved) != 1 || moved[0]["_id"] != "1" {
		t.Errorf("under the new key: %v", moved)
	}
	r.send("POST", docs, `[{"operationType":"Create","resourceBody":{"id":"2","pk":"b","email":"q"}},{"operationType":"Delete","id":"1"}]`,
		pkKey, `["b"]`, "x-ms-cosmos-is-batch-request", "True", "x-ms-cosmos-batch-atomic", "True").status(200, "")
	r.has("byEmail", `{"_id":"1","email":"x@y","n":3}`, `{"_id":"2","email":"q"}`)
	// A batch that fails leaves nothing.
	r.send("POST", docs, `[{"operationType":"Create","resourceBody":{"id":"3","pk":"b","email":"q"}},{"operationType":"Delete","id":"1"}]`,
		pkKey, `["b"]`, "x-ms-cosmos-is-batch-request", "True", "x-ms-cosmos-batch-atomic", "True").status(207, "")
	r.has("byEmail", `{"_id":"1","email":"x@y","n":3}`, `{"_id":"2","email":"q"}`)
	r.send("DELETE", docs+"/1", "", pkKey, `["a"]`).status(204, "")
	r.has("byEmail", `{"_id":"2","email":"q"}`)

	point := r.keyed("byEmail", `["q"]`)[0]["id"].(string)
	r.send("GET", "/dbs/db/colls/byEmail/docs/"+point, "", pkKey, `["q"]`).status(200, "")
}

// keyed returns the documents of a key by a query.
func (r *rig) keyed(id, key string) (list []map[string]any) {
	r.t.Helper()
	a := r.send("POST", "/dbs/db/colls/"+id+"/docs", `{"query":"SELECT * FROM c"}`, "x-ms-documentdb-query", "True", pkKey, key).status(200, "")
	for _, raw := range a.rows() {
		var d map[string]any
		if err := json.Unmarshal([]byte(raw), &d); err != nil {
			r.t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

func TestIndexKeys(t *testing.T) {
	r := newRig(t, Options{Partitions: 3})
	r.container("")
	r.index("i", "/a/b", "SELECT c.a FROM c")
	for i, a := range []string{`{"b":1}`, `{"b":"x"}`, `{"b":null}`, `{"b":true}`, `{}`, `7`, `{"b":[1]}`, `{"b":{}}`, `{"b":"` + strings.Repeat("k", 2049) + `"}`} {
		r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a","a":%s}`, i, a))
	}
	r.create(`["a"]`, `{"id":"none","pk":"a"}`)
	for key, want := range map[string]string{`[1]`: "0", `["x"]`: "1", `[null]`: "2", `[true]`: "3", `[{}]`: "4 5 none"} {
		var ids []string
		for _, d := range r.keyed("i", key) {
			ids = append(ids, d["_id"].(string))
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("under %s: %s, want %s", key, got, want)
		}
	}
	if n := len(r.documents("i")); n != 7 { // the others cannot be entries
		t.Errorf("%d entries", n)
	}
	// A document whose key becomes one that cannot be indexed loses its entry, and gets it back.
	r.send("PUT", docs+"/0", `{"id":"0","pk":"a","a":{"b":[]}}`, pkKey, `["a"]`).status(200, "")
	if got := r.keyed("i", `[1]`); len(got) != 0 {
		t.Errorf("the entry is still there: %v", got)
	}
	r.send("PUT", docs+"/0", `{"id":"0","pk":"a","a":{"b":2}}`, pkKey, `["a"]`).status(200, "")
	if got := r.keyed("i", `[2]`); len(got) != 1 {
		t.Errorf("the entry is not back: %v", got)
	}
	r.index("byID", "/_id", "SELECT c.pk FROM c")
	if got := r.keyed("byID", `["none"]`); len(got) != 1 {
		t.Errorf("under the id of the source: %v", got)
	}
}

func TestIndexTimes(t *testing.T) {
	now := time.Unix(1_900_000_000, 0)
	r := newRig(t, Options{IndexLag: 10 * time.Second, Clock: func() time.Time { return now }})
	pass := func(d time.Duration) { now = now.Add(d) }
	r.container(hashDefinition + `,"defaultTtl":-1`)
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	r.index("i", "/pk", "SELECT * FROM c")
	state := func(want string) {
		t.Helper()
		if got := r.send("GET", "/dbs/db/colls/i", "").status(200, "").definition()["status"]; got != want {
			t.Errorf("the status is %v, want %s", got, want)
		}
	}
	state("Initializing")
	pass(10 * time.Second)
	state("InitialBuildAfterCreate")
	r.has("i")
	r.create(`["b"]`, `{"id":"2","pk":"b"}`)
	pass(10*time.Second - 1)
	state("InitialBuildAfterCreate")
	pass(1)
	state("Active")
	r.has("i", `{"_id":"1","pk":"a"}`, `{"_id":"2","pk":"b"}`)

	pass(time.Second / 2)
	r.send("DELETE", docs+"/1", "", pkKey, `["a"]`).status(204, "")
	r.create(`["c"]`, `{"id":"3","pk":"c","ttl":5}`)
	pass(10*time.Second - 1)
	r.has("i", `{"_id":"1","pk":"a"}`, `{"_id":"2","pk":"b"}`)
	pass(1)
	r.has("i", `{"_id":"2","pk":"b"}`, `{"_id":"3","pk":"c","ttl":5}`)
	if ts := r.keyed("i", `["c"]`)[0]["_ts"].(float64); int64(ts) != now.Unix() {
		t.Errorf("_ts is %v at %d", ts, now.Unix())
	}
	// The document is gone after 5 seconds of time to live, the entry 10 seconds later.
	pass(4 * time.Second)
	r.has("i", `{"_id":"2","pk":"b"}`, `{"_id":"3","pk":"c","ttl":5}`)
	pass(time.Second)
	r.has("i", `{"_id":"2","pk":"b"}`)

	// A pause, whatever the clock of the server says; afterwards all comes at once.
	r.create(`["d"]`, `{"id":"4","pk":"d"}`)
	pass(10 * time.Second)
	r.PauseIndexes()
	r.create(`["e"]`, `{"id":"5","pk":"e"}`)
	r.Advance(time.Hour)
	r.has("i", `{"_id":"2","pk":"b"}`, `{"_id":"4","pk":"d"}`)
	r.ResumeIndexes()
	r.has("i", `{"_id":"2","pk":"b"}`, `{"_id":"4","pk":"d"}`, `{"_id":"5","pk":"e"}`)
	if ts := r.keyed("i", `["e"]`)[0]["_ts"].(float64); int64(ts) != now.Add(time.Hour).Unix() {
		t.Errorf("_ts of an entry that waited is %v", ts)
	}
	r.create(`["f"]`, `{"id":"6","pk":"f"}`)
	r.SetIndexLag(0)
	r.has("i", `{"_id":"2","pk":"b"}`, `{"_id":"4","pk":"d"}`, `{"_id":"5","pk":"e"}`, `{"_id":"6","pk":"f"}`)
}

// TestIndexOwnTTL has entries that expire by the index's own time to live, and come back
// with the next write of their document.
func TestIndexOwnTTL(t *testing.T) {
	now := time.Unix(1_900_000_000, 0)
	r := newRig(t, Options{AllVersions: time.Hour, Clock: func() time.Time { return now }})
	r.container("")
	r.index("i", "/pk", "SELECT * FROM c")
	kinds := r.kinds("i")
	a := r.send("GET", "/dbs/db/colls/i", "").json()
	a["defaultTtl"] = 10
	body, _ := json.Marshal(a)
	r.send("PUT", "/dbs/db/colls/i", string(body)).status(200, "").definition()
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	now = now.Add(9 * time.Second)
	r.has("i", `{"_id":"1","pk":"a"}`)
	now = now.Add(time.Second)
	r.has("i")
	r.send("PUT", docs+"/1", `{"id":"1","pk":"a","n":2}`, pkKey, `["a"]`).status(200, "")
	r.has("i", `{"_id":"1","n":2,"pk":"a"}`)
	// Nobody looks between the end of the entry and the next write.
	now = now.Add(15 * time.Second)
	r.send("PUT", docs+"/1", `{"id":"1","pk":"a","n":3}`, pkKey, `["a"]`).status(200, "")
	now = now.Add(5 * time.Second)
	r.has("i", `{"_id":"1","n":3,"pk":"a"}`)
	if got := kinds(); got != "create delete create delete create" {
		t.Errorf("the feed has %s", got)
	}
}

// TestIndexClockBackwards has a write that is older than the one before it, in another
// physical partition: none of the two is lost.
func TestIndexClockBackwards(t *testing.T) {
	now := time.Unix(1_900_000_000, 0)
	r := newRig(t, Options{Partitions: 2, IndexLag: 10 * time.Second, Clock: func() time.Time { return now }})
	r.container("")
	r.index("i", "/pk", "SELECT c.pk FROM c")
	now = now.Add(time.Minute)
	r.has("i")
	for i := range 8 {
		r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"%d","pk":"%d"}`, i, i))
		now = now.Add(-time.Second)
	}
	for range 20 {
		now = now.Add(time.Second)
		r.entries("i")
	}
	if n := len(r.entries("i")); n != 8 {
		t.Errorf("%d entries", n)
	}
}

// refused fails the test unless a container is refused with 400 and words.
func (r *rig) refused(body, words string, headers ...string) {
	r.t.Helper()
	if m := r.send("POST", "/dbs/db/colls", body, headers...).status(400, "").message(); !strings.Contains(m, words) {
		r.t.Errorf("the message %q has no %q", m, words)
	}
}

func TestIndexDefinitions(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	for definition, words := range map[string]string{
		"SELECT c.a.b FROM c":                 "c.a.b FROM c is not a property of the first level",
		"SELECT c.a AS b FROM c":              "alias b",
		"SELECT c.a AS a FROM c":              "alias a",
		"SELECT c.a b FROM c":                 "alias b",
		"SELECT UPPER(c.a) FROM c":            "not a property",
		"SELECT c[0] FROM c":                  "not a property",
		"SELECT c FROM c":                     "not a property",
		"SELECT 1 FROM c":                     "not a property",
		"SELECT VALUE c.a FROM c":             "VALUE",
		"SELECT * FROM c WHERE c.a = 1":       "WHERE",
		"SELECT c.a FROM c ORDER BY c.a":      "ORDER BY",
		"SELECT DISTINCT c.a FROM c":          "DISTINCT",
		"SELECT TOP 1 c.a FROM c":             "TOP",
		"SELECT c.a FROM c OFFSET 0 LIMIT 1":  "OFFSET",
		"SELECT c.a FROM c GROUP BY c.a":      "GROUP BY",
		"SELECT COUNT(1) FROM c":              "aggregates",
		"SELECT c.a FROM c JOIN d IN c.d":     "FROM",
		"SELECT d.a FROM d IN c.d":            "FROM",
		"SELECT c.a FROM c.d":                 "FROM",
		"SELECT c.a FROM (SELECT * FROM c) c": "FROM",
		"SELECT 1":                            "FROM",
		"SELECT c._ts FROM c":                 "_ts of its own",
		"SELECT c._id FROM c":                 "_id of its own",
		"DELETE FROM c":                       "line 1, column 1",
	} {
		r.refused(indexBody("i", "/a", definition), words, autoscale...)
	}
	for i, definition := range []string{"SELECT * FROM c", "select c.a,c.b from c", `SELECT root["a"], root.id FROM root`} {
		id := fmt.Sprint("i", i)
		r.index(id, "/a", definition)
		r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"%d","pk":"%d","a":1}`, i, i))
		if n := len(r.entries(id)); n != i+1 {
			t.Errorf("%s has %d entries", id, n)
		}
	}
}

func TestIndexCreationRefused(t *testing.T) {
	r := newRig(t, Options{})
	rid := r.container("")
	good := indexBody("i", "/a", "SELECT c.a FROM c")
	r.refused(good, "autoscale")
	r.refused(good, "autoscale", "x-ms-offer-throughput", "400")
	r.refused(strings.Replace(good, `"c"`, `"other"`, 1), "does not exist", autoscale...)
	r.refused(strings.Replace(good, `"c"`, `"c","sourceCollectionRid":"AAAAAA=="`, 1), "recreated", autoscale...)
	r.refused(indexBody("i", "/b", "SELECT c.a FROM c"), "/b is not among", autoscale...)
	r.refused(indexBody("i", "/id", "SELECT * FROM c"), "/_id", autoscale...)
	r.refused(indexBody("i", "/_ts", "SELECT * FROM c"), "system property", autoscale...)
	r.refused(strings.Replace(good, `"version":2}`, `"version":2},"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/a"]}]}`, 1), "unique keys", autoscale...)
	r.refused(strings.Replace(good, `"sourceCollectionId":"c",`, "", 1), "needs", autoscale...)
	r.refused(strings.TrimSuffix(good, "}")+`,"materializedViewDefinition":{"sourceCollectionId":"c","definition":"SELECT * FROM c"}}`, "differ", autoscale...)
	// An index of an index.
	r.index("i", "/a", "SELECT c.a FROM c")
	r.refused(strings.Replace(indexBody("j", "/a", "SELECT c.a FROM c"), `"c"`, `"i"`, 1), "is a global secondary index itself", autoscale...)
	if d := r.send("POST", "/dbs/db/colls", strings.Replace(indexBody("byRid", "/a", "SELECT c.a FROM c"), `Id":"c"`, `Rid":"`+rid+`"`, 1), autoscale...).status(201, "").definition(); d["sourceCollectionId"] != "c" {
		t.Errorf("by its resource id: %v", d)
	}
	// The sixth.
	for i := range 3 {
		r.index(fmt.Sprint("i", i), "/a", "SELECT c.a FROM c")
	}
	r.refused(indexBody("sixth", "/a", "SELECT c.a FROM c"), "5 global secondary indexes already", autoscale...)
	r.send("DELETE", "/dbs/db/colls/i2", "").status(204, "")
	r.index("sixth", "/a", "SELECT c.a FROM c")
}

func TestIndexesOfTheAccount(t *testing.T) {
	r := newRig(t, Options{NoIndexes: true})
	r.container("")
	r.refused(indexBody("i", "/a", "SELECT c.a FROM c"), "enableMaterializedViews", autoscale...)
	r = newRig(t, Options{Serverless: true})
	r.container("")
	r.refused(indexBody("i", "/a", "SELECT c.a FROM c"), "serverless")
}

func TestIndexReplaced(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.index("i", "/a", "SELECT c.a FROM c")
	put := func(id, body string) *answer { return r.send("PUT", "/dbs/db/colls/"+id, body) }
	as := r.send("GET", "/dbs/db/colls/i", "").Body.String() // with what the service adds
	put("i", as).status(200, "").definition()
	put("i", strings.Replace(indexBody("i", "/a", "SELECT c.a FROM c"), "globalSecondaryIndex", "materializedView", 1)).status(200, "")
	if d := put("i", `{"id":"i","partitionKey":{"paths":["/a"],"kind":"Hash","version":2}}`).status(200, "").definition(); d["definition"] != "SELECT c.a FROM c" {
		t.Errorf("an SDK that does not know the property has removed it: %v", d)
	}
	for _, a := range []*answer{put("i", indexBody("i", "/a", "SELECT * FROM c")), put("i", strings.Replace(indexBody("i", "/a", "SELECT c.a FROM c"), `"c"`, `"d"`, 1))} {
		if m := a.status(400, "").message(); !strings.Contains(m, "cannot be changed") {
			t.Error(m)
		}
	}
	r.send("POST", "/dbs/db/colls", `{"id":"plain",`+hashDefinition+`}`).status(201, "")
	if m := put("plain", indexBody("plain", "/pk", "SELECT * FROM c")).status(400, "").message(); !strings.Contains(m, "cannot become") {
		t.Error(m)
	}
}

func TestIndexIsReadOnly(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	r.index("i", "/pk", "SELECT * FROM c")
	const in = "/dbs/db/colls/i/docs"
	entry := r.keyed("i", `["a"]`)[0]
	id := entry["id"].(string)
	body := fmt.Sprintf(`{"id":%q,"pk":"a"}`, id)
	for what, a := range map[string]*answer{
		"create":  r.send("POST", in, `{"id":"2","pk":"a"}`, pkKey, `["a"]`),
		"upsert":  r.send("POST", in, body, pkKey, `["a"]`, "x-ms-documentdb-is-upsert", "True"),
		"replace": r.send("PUT", in+"/"+id, body, pkKey, `["a"]`),
		"patch":   r.send("PATCH", in+"/"+id, `{"operations":[{"op":"set","path":"/n","value":1}]}`, pkKey, `["a"]`),
		"delete":  r.send("DELETE", in+"/"+id, "", pkKey, `["a"]`),
		"none":    r.send("DELETE", in+"/none", "", pkKey, `["a"]`),
	} {
		if m := a.status(403, "").message(); !strings.Contains(m, `"i" is a global secondary index of the container "c"`) {
			t.Errorf("%s: %s", what, m)
		}
	}
	read := fmt.Sprintf(`{"operationType":"Read","id":%q}`, id)
	batch := []string{pkKey, `["a"]`, "x-ms-cosmos-is-batch-request", "True", "x-ms-cosmos-batch-atomic", "True"}
	r.send("POST", in, "["+read+"]", batch...).status(200, "")
	a := r.send("POST", in, "["+read+`,{"operationType":"Create","resourceBody":{"id":"2","pk":"a"}}]`, batch...).status(207, "")
	if !strings.Contains(a.Body.String(), `"statusCode":403`) {
		t.Errorf("batch: %s", a.Body)
	}
	batch[5] = "False"
	a = r.send("POST", in, `[{"operationType":"Delete","id":"x","partitionKey":"[\"a\"]"}]`, batch...).status(207, "")
	if !strings.Contains(a.Body.String(), `"statusCode":403`) {
		t.Errorf("bulk: %s", a.Body)
	}
	r.has("i", `{"_id":"1","pk":"a"}`)
}

func TestIndexAndSourceDeleted(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.index("i", "/pk", "SELECT * FROM c")
	if m := r.send("DELETE", "/dbs/db/colls/c", "").status(400, "").message(); !strings.Contains(m, `"i"`) {
		t.Error(m)
	}
	r.create(`["a"]`, `{"id":"1","pk":"a"}`)
	r.send("DELETE", "/dbs/db/colls/i", "").status(204, "")
	r.create(`["b"]`, `{"id":"2","pk":"b"}`)
	r.index("i", "/pk", "SELECT * FROM c")
	r.has("i", `{"_id":"1","pk":"a"}`, `{"_id":"2","pk":"b"}`)
	r.send("DELETE", "/dbs/db/colls/i", "").status(204, "")
	r.send("DELETE", "/dbs/db/colls/c", "").status(204, "")

	r.container("")
	r.index("i", "/pk", "SELECT * FROM c")
	r.send("DELETE", "/dbs/db", "").status(204, "")
	r.container("")
	r.index("i", "/pk", "SELECT * FROM c")
	r.Reset()
	r.container("")
	r.index("i", "/pk", "SELECT * FROM c")
}

// TestIndexThroughput has an index whose throughput is too small: its entries come later, and the
// writes of the source neither wait nor cost more.
func TestIndexThroughput(t *testing.T) {
	now := time.Unix(1_900_000_000, 0)
	r := newRig(t, Options{Throughput: 100_000, Clock: func() time.Time { return now }})
	r.container("")
	r.index("i", "/pk", "SELECT c.pk FROM c") // 1000 RU/s
	for i := range 500 {
		a := r.send("POST", docs, fmt.Sprintf(`{"id":"%d","pk":"a"}`, i), pkKey, `["a"]`).status(201, "")
		if c := a.Header().Get("x-ms-request-charge"); c != "5.00" {
			t.Fatalf("a write of the source is charged %s", c)
		}
	}
	count := func() int {
		t.Helper()
		a := r.send("GET", "/dbs/db/colls/i", "", "x-ms-documentdb-populatequotainfo", "True")
		var size, n, kb int
		if _, err := fmt.Sscanf(a.Header().Get("x-ms-resource-usage"), "documentSize=0;documentsSize=%d;documentsCount=%d;collectionSize=%d;", &size, &n, &kb); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for second, want := range []int{200, 400, 500} {
		if got := count(); got != want {
			t.Errorf("after %d s: %d entries, want %d", second, got, want)
		}
		if want < 500 {
			r.send("GET", "/dbs/db/colls/i/docs/x", "", pkKey, `["a"]`).status(429, "3200")
		}
		now = now.Add(time.Second)
	}
	r.send("GET", "/dbs/db/colls/i/docs/x", "", pkKey, `["a"]`).status(404, "")

	offers := r.send("GET", "/offers", "").json()["Offers"].([]any)
	offer := offers[len(offers)-1].(map[string]any)
	body, _ := json.Marshal(offer)
	r.send("PUT", "/offers/"+offer["id"].(string), string(body), "x-ms-cosmos-migrate-offer-to-manual-throughput", "true").status(400, "")
}

// TestIndexFeeds reads the change feed of an index over a move, splits and a merge.
func TestIndexFeeds(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.index("i", "/k", "SELECT c.k FROM c")
	const in = "/dbs/db/colls/i"
	feed := func(id, etag string) (ids []string, next string) {
		a := r.send("GET", in+"/docs", "", "A-IM", "Incremental feed", "If-None-Match", etag, "x-ms-documentdb-partitionkeyrangeid", id)
		if a.Code != 304 {
			for _, raw := range a.status(200, "").rows() {
				var d map[string]any
				_ = json.Unmarshal([]byte(raw), &d)
				ids = append(ids, d["_id"].(string))
			}
		}
		return ids, a.Header().Get("etag")
	}
	for i := range 8 {
		r.create(fmt.Sprintf(`["%d"]`, i), fmt.Sprintf(`{"id":"%d","pk":"%d","k":"k%d"}`, i, i, i))
	}
	ids, etag := feed("0", "")
	if len(ids) != 8 {
		t.Fatalf("the feed has %v", ids)
	}
	if err := r.Split("db", "i", "0"); err != nil {
		t.Fatal(err)
	}
	if err := r.Split("db", "c", "0"); err != nil {
		t.Fatal(err)
	}
	r.send("PUT", docs+"/3", `{"id":"3","pk":"3","k":"other"}`, pkKey, `["3"]`).status(200, "")
	r.send("PUT", docs+"/4", `{"id":"4","pk":"4","k":"k4"}`, pkKey, `["4"]`).status(200, "")
	low, _ := feed("1", etag)
	high, _ := feed("2", etag)
	changed := slices.Concat(low, high)
	slices.Sort(changed)
	if !slices.Equal(changed, []string{"3", "4"}) {
		t.Errorf("after the split the feed has %v", changed)
	}
	r.create(`["9"]`, `{"id":"9","pk":"9","k":"k9"}`)
	if err := r.Merge("db", "c", "1", "2"); err != nil {
		t.Fatal(err)
	}
	r.create(`["10"]`, `{"id":"10","pk":"10","k":"k10"}`)
	if err := r.Merge("db", "i", "1", "2"); err != nil {
		t.Fatal(err)
	}
	if n := len(r.documents("i")); n != 10 {
		t.Errorf("%d entries", n)
	}
}

// TestIndexOfAllVersions has the feed of all versions of an index, and of its source.
func TestIndexOfAllVersions(t *testing.T) {
	r := newRig(t, Options{AllVersions: time.Hour})
	r.container("")
	r.index("i", "/k", "SELECT c.k FROM c")
	_, etag := r.versions("*")
	kinds := r.kinds("i")
	r.create(`["a"]`, `{"id":"1","pk":"a","k":1}`)
	r.send("PUT", docs+"/1", `{"id":"1","pk":"a","k":2}`, pkKey, `["a"]`).status(200, "")
	list, _ := r.versions(etag)
	if got := shorts(list); got != "create 1 1, replace 1 2" {
		t.Errorf("the source has %s", got)
	}
	if got := kinds(); got != "create delete create" {
		t.Errorf("the index has %s", got)
	}
}

// kinds returns what returns the operations in a container from now on, as the feed of all
// versions has them.
func (r *rig) kinds(id string) func() string {
	r.t.Helper()
	path := "/dbs/db/colls/" + id + "/docs"
	etag := r.send("GET", path, "", append(slices.Clone(fullFidelity), "If-None-Match", "*")...).Header().Get("etag")
	return func() string {
		var body struct{ Documents []version }
		a := r.send("GET", path, "", append(slices.Clone(fullFidelity), "If-None-Match", etag)...).status(200, "")
		if err := json.Unmarshal(a.Body.Bytes(), &body); err != nil {
			r.t.Fatal(err)
		}
		var list []string
		for _, v := range body.Documents {
			list = append(list, v.Metadata.OperationType)
		}
		return strings.Join(list, " ")
	}
}

// TestIndexConcurrentUse has writers of a source, readers of its indexes, splits and changes
// of the pace at once, for the race detector. In the end the indexes have every document.
func TestIndexConcurrentUse(t *testing.T) {
	r := newRig(t, Options{Partitions: 2, AllVersions: time.Hour})
	r.container(hashDefinition + `,"defaultTtl":1000`)
	for _, id := range []string{"a", "b"} {
		r.index(id, "/k", "SELECT c.k, c.n FROM c")
	}
	var wg sync.WaitGroup
	work := func(f func(worker, round int)) {
		for worker := range 2 {
			wg.Go(func() {
				for round := range 40 {
					f(worker, round)
				}
			})
		}
	}
	work(func(w, i int) {
		body := fmt.Sprintf(`{"id":"%d","pk":"%d","k":%d,"n":%d}`, i%9, w, i%5, i)
		r.send("POST", docs, body, pkKey, fmt.Sprintf(`["%d"]`, w), "x-ms-documentdb-is-upsert", "True")
		if i%4 == 3 {
			r.send("DELETE", fmt.Sprint(docs, "/", (i+1)%9), "", pkKey, fmt.Sprintf(`["%d"]`, w))
		}
	})
	work(func(w, _ int) {
		path := "/dbs/db/colls/" + string(rune('a'+w))
		r.send("GET", path+"/docs", "").status(200, "")
		r.send("GET", path+"/docs", "", "A-IM", "Incremental feed")
		r.send("GET", path, "").status(200, "")
		r.send("GET", docs, "").status(200, "")
		r.send("POST", path+"/docs", `{"id":"x","k":1}`, pkKey, "[1]").status(403, "")
	})
	work(func(w, i int) {
		switch i % 10 {
		case 3:
			r.PauseIndexes()
			r.SetIndexLag(time.Duration(i) * time.Millisecond)
		case 6:
			_ = r.Split("db", []string{"a", "c"}[w], fmt.Sprint(i/10)) // which may be gone
		case 9:
			r.ResumeIndexes()
			r.SetIndexLag(0)
			r.send("POST", "/dbs/db/colls", indexBody(fmt.Sprint("x", w), "/k", "SELECT * FROM c"), autoscale...)
			r.send("DELETE", fmt.Sprint("/dbs/db/colls/x", w), "")
		}
	})
	wg.Wait()
	r.ResumeIndexes()
	r.SetIndexLag(0)
	want := []string{}
	for _, raw := range r.documents("c") {
		var d struct {
			ID   string
			K, N int
		}
		if err := json.Unmarshal([]byte(raw), &d); err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprintf(`{"_id":%q,"k":%d,"n":%d}`, d.ID, d.K, d.N))
	}
	slices.Sort(want)
	for _, id := range []string{"a", "b"} {
		r.has(id, want...)
	}
}
