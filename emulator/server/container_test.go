package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/partition"
)

func TestDatabases(t *testing.T) {
	r := newRig(t, Options{})
	created := r.send("POST", "/dbs", `{"id":"one"}`).status(201, "").json()
	for _, name := range []string{"_rid", "_self", "_etag", "_ts", "_colls", "_users"} {
		if created[name] == nil {
			t.Errorf("no %s in %v", name, created)
		}
	}
	r.send("POST", "/dbs", `{"id":"one"}`).status(409, "")
	r.send("POST", "/dbs", `{"id":"a/b"}`).status(400, "")
	r.send("POST", "/dbs", `{}`).status(400, "")
	r.send("POST", "/dbs", `{"id":"two"}`).status(201, "")
	if got := r.send("GET", "/dbs", "").status(200, "").json(); got["_count"] != 2.0 || len(got["Databases"].([]any)) != 2 {
		t.Errorf("list: %v", got)
	}
	query := r.send("POST", "/dbs", `{"query":"SELECT VALUE r.id FROM root r WHERE r.id = @id","parameters":[{"name":"@id","value":"two"}]}`,
		"Content-Type", "application/query+json").status(200, "")
	if got := query.json()["Databases"].([]any); len(got) != 1 || got[0] != "two" {
		t.Errorf("query: %v", got)
	}
	r.send("DELETE", "/dbs/one", "", "If-Match", `"stale"`).status(412, "")
	r.send("DELETE", "/dbs/one", "").status(204, "")
	r.send("GET", "/dbs/one", "").status(404, "")
	r.send("DELETE", "/dbs/one", "").status(404, "")
	r.send("GET", "/dbs/one/colls", "").status(404, "1003")
}

func TestContainerRules(t *testing.T) {
	tests := []struct {
		name, properties string
		status           int
		says             string
	}{
		{"hash", hashDefinition, 201, ""},
		{"default kind", `"partitionKey":{"paths":["/pk"],"version":2}`, 201, ""},
		{"nested and quoted path", `"partitionKey":{"paths":["/a/\"b c\""],"kind":"Hash","version":2}`, 201, ""},
		{"three levels", `"partitionKey":{"paths":["/a","/b","/c"],"kind":"MultiHash","version":2}`, 201, ""},
		{"four levels", `"partitionKey":{"paths":["/a","/b","/c","/d"],"kind":"MultiHash","version":2}`, 400, "1 to 3, or a fourth that is /id"},
		{"four levels of which the id is the third", `"partitionKey":{"paths":["/a","/b","/id","/c"],"kind":"MultiHash","version":2}`, 400, "1 to 3, or a fourth that is /id"},
		{"four levels that end in the id", `"partitionKey":{"paths":["/a","/b","/c","/id"],"kind":"MultiHash","version":2}`, 201, ""},
		{"four levels that end in the quoted id", `"partitionKey":{"paths":["/a","/b","/c","/\"id\""],"kind":"MultiHash","version":2}`, 201, ""},
		{"five levels", `"partitionKey":{"paths":["/a","/b","/c","/d","/id"],"kind":"MultiHash","version":2}`, 400, "1 to 4"},
		{"two levels that end in the id", `"partitionKey":{"paths":["/a","/id"],"kind":"MultiHash","version":2}`, 201, ""},
		{"two paths of kind Hash", `"partitionKey":{"paths":["/a","/b"],"kind":"Hash","version":2}`, 400, "1 to 1"},
		{"no path", `"partitionKey":{"paths":[],"kind":"Hash","version":2}`, 400, "1 to 1"},
		{"kind Range", `"partitionKey":{"paths":["/a"],"kind":"Range","version":2}`, 400, "Range"},
		{"path without a slash", `"partitionKey":{"paths":["a"],"kind":"Hash","version":2}`, 400, `\"a\"`},
		{"empty segment", `"partitionKey":{"paths":["/a//b"],"kind":"Hash","version":2}`, 400, "invalid"},
		{"open quote", `"partitionKey":{"paths":["/\"a"],"kind":"Hash","version":2}`, 400, "invalid"},
		{"no version", `"partitionKey":{"paths":["/pk"],"kind":"Hash"}`, 400, `\"version\":2`},
		{"version 1", `"partitionKey":{"paths":["/pk"],"kind":"Hash","version":1}`, 400, "101 bytes"},
		{"no key", `"defaultTtl":1`, 400, "no partition key"},
		{"key of another type", `"partitionKey":"pk"`, 400, "invalid"},
		{"ttl", hashDefinition + `,"defaultTtl":-1`, 201, ""},
		{"ttl 0", hashDefinition + `,"defaultTtl":0`, 400, "ttl"},
		{"encryption", hashDefinition + `,"clientEncryptionPolicy":{}`, 400, "does not support"},
		{"unique key without paths", hashDefinition + `,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":[]}]}`, 400, "without paths"},
		{"composite path", hashDefinition + `,"indexingPolicy":{"compositeIndexes":[[{"path":"n"}]]}`, 400, "composite"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, Options{})
			r.send("POST", "/dbs", `{"id":"db"}`)
			got := r.send("POST", "/dbs/db/colls", `{"id":"c",`+test.properties+`}`).status(test.status, "")
			if !strings.Contains(got.Body.String(), test.says) {
				t.Errorf("%s does not say %q", got.Body, test.says)
			}
		})
	}
}

func TestContainerProperties(t *testing.T) {
	r := newRig(t, Options{})
	r.container(hashDefinition + `,"defaultTtl":60,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/u"]}]},"unknown":1`)
	got := r.send("GET", "/dbs/db/colls/c", "").status(200, "").json()
	if got["defaultTtl"] != 60.0 || got["uniqueKeyPolicy"] == nil || got["unknown"] != nil {
		t.Errorf("kept properties: %v", got)
	}
	for _, name := range []string{"indexingPolicy", "conflictResolutionPolicy", "geospatialConfig", "_rid", "_self", "_etag", "_ts", "_docs"} {
		if got[name] == nil {
			t.Errorf("no %s in %v", name, got)
		}
	}
	changed := r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+hashDefinition+`,"defaultTtl":90,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/u"]}]}}`).status(200, "").json()
	if changed["defaultTtl"] != 90.0 || changed["uniqueKeyPolicy"] == nil || changed["_rid"] != got["_rid"] || changed["_etag"] == got["_etag"] {
		t.Errorf("replaced: %v", changed)
	}
	r.send("PUT", "/dbs/db/colls/c", `{"id":"d",`+hashDefinition+`}`).status(400, "")
	r.send("PUT", "/dbs/db/colls/c", `{"id":"c","partitionKey":{"paths":["/other"],"version":2}}`).status(400, "")
	r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+hashDefinition+`,"uniqueKeyPolicy":{"uniqueKeys":[]}}`).status(403, "")
	r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+hashDefinition+`,"uniqueKeyPolicy":1}`).status(400, "")
	r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+hashDefinition+`}`, "If-Match", `"stale"`).status(412, "")
	r.send("POST", "/dbs/db/colls", `{"id":"c",`+hashDefinition+`}`).status(409, "")
	r.send("POST", "/dbs/none/colls", `{"id":"c",`+hashDefinition+`}`).status(404, "1003")
	r.send("GET", "/dbs/db/colls/none", "").status(404, "")
	r.send("GET", "/dbs/db/colls/none/docs/1", "", pkKey, `["a"]`).status(404, "1003")
	if list := r.send("GET", "/dbs/db/colls", "").status(200, "").json(); list["_count"] != 1.0 {
		t.Errorf("list: %v", list)
	}
	r.send("DELETE", "/dbs/db/colls/c", "").status(204, "")
	r.send("DELETE", "/dbs/db/colls/c", "").status(404, "")
}

func TestRecreatedContainerHasAnotherRID(t *testing.T) {
	r := newRig(t, Options{})
	old := r.container("")
	pinned := []string{pkKey, `["a"]`, "x-ms-cosmos-intended-collection-rid", old}
	r.send("GET", docs+"/1", "", pinned...).status(404, "")
	r.send("DELETE", "/dbs/db/colls/c", "").status(204, "")
	if now := r.container(""); now == old {
		t.Fatalf("the new container has the rid of the old one, %s", old)
	}
	r.send("GET", docs+"/1", "", pinned...).status(400, "1024")
}

func TestThroughputMakesPartitions(t *testing.T) {
	tests := []struct {
		header, value string
		status, want  int
	}{
		{"x-ms-offer-throughput", "400", 201, 2},
		{"x-ms-offer-throughput", "20100", 201, 3},
		{"x-ms-offer-throughput", "20001", 400, 0},
		{"x-ms-offer-throughput", "1000100", 400, 0},
		{"x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":50000}`, 201, 5},
		{"x-ms-offer-throughput", "399", 400, 0},
		{"x-ms-offer-throughput", "many", 400, 0},
		{"x-ms-cosmos-offer-autopilot-settings", `{}`, 400, 0},
		{"x-ms-cosmos-offer-autopilot-settings", `[`, 400, 0},
		{"x-ms-cosmos-offer-autopilot-settings", `null`, 400, 0},
		{"x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":1500}`, 400, 0},
	}
	for _, test := range tests {
		r := newRig(t, Options{Partitions: 2})
		r.send("POST", "/dbs", `{"id":"db"}`)
		r.send("POST", "/dbs/db/colls", `{"id":"c",`+hashDefinition+`}`, test.header, test.value).status(test.status, "")
		if test.status != 201 {
			continue
		}
		if got := r.send("GET", "/dbs/db/colls/c/pkranges", "").status(200, "").json(); int(got["_count"].(float64)) != test.want {
			t.Errorf("%s %s: %v ranges, want %d", test.header, test.value, got["_count"], test.want)
		}
	}
}

// TestContainersOfKeyVersion1 has the definitions that clients send without version 2,
// and keys for which the two versions differ in their physical partition.
func TestContainersOfKeyVersion1(t *testing.T) {
	for _, definition := range []string{
		`"partitionKey":{"paths":["/pk"],"kind":"Hash"}`,
		`"partitionKey":{"paths":["/pk"]}`,
		`"partitionKey":{"paths":["/pk"],"kind":"Hash","version":1}`,
	} {
		r := newRig(t, Options{Partitions: 4, Lenient: true})
		r.container(definition)
		list := r.send("GET", ranges, "").status(200, "").rangeList()
		if len(list) != 4 || list[0][2] != "" || list[1][2] != "05C1CFFFFFFFF8" || list[3][3] != "FF" {
			t.Fatalf("ranges %q", list)
		}
		if err := r.Split("db", "c", "2"); err != nil {
			t.Fatal(err)
		}
		list = r.send("GET", ranges, "").status(200, "").rangeList()
		const n = 60
		for i := range n {
			r.create(fmt.Sprintf(`["k%d"]`, i), fmt.Sprintf(`{"id":"1","pk":"k%d"}`, i))
		}
		sum, differ := 0, 0
		for _, line := range list {
			rows := r.query("SELECT VALUE c.pk FROM c", rangeID, line[0]).status(200, "").rows()
			for _, row := range rows {
				key := row[1 : len(row)-1]
				epk, err := partition.EPKV1(key)
				if err != nil || partition.CompareEPK(epk, line[2]) < 0 || partition.CompareEPK(epk, line[3]) >= 0 {
					t.Errorf("%s with %s is in the range %q", key, epk, line)
				}
				r.send("GET", docs+"/1", "", pkKey, `["`+key+`"]`).status(200, "")
				if got := r.query("SELECT * FROM c", pkKey, `["`+key+`"]`).status(200, "").rows(); len(got) != 1 {
					t.Errorf("%d documents of %s", len(got), key)
				}
				if got := r.query("SELECT * FROM c", windowHeaders(epk, epk+"FF")...).status(200, "").rows(); len(got) != 1 {
					t.Errorf("%d documents in the window of %s", len(got), key)
				}
				if v2, err := partition.EPK(key); err != nil || partition.CompareEPK(v2, line[2]) < 0 || partition.CompareEPK(v2, line[3]) >= 0 {
					differ++
				}
			}
			sum += len(rows)
		}
		if sum != n || differ < n/4 {
			t.Errorf("%d documents in all ranges, want %d; version 2 would put %d elsewhere", sum, n, differ)
		}
	}
	r := newRig(t, Options{Lenient: true})
	r.send("POST", "/dbs", `{"id":"db"}`)
	r.send("POST", "/dbs/db/colls", `{"id":"c","partitionKey":{"paths":["/pk"],"version":3}}`).status(400, "")
	// Two keys that differ after 100 characters are two logical partitions all the same.
	r.container(`"partitionKey":{"paths":["/pk"]}`)
	long := strings.Repeat("x", 100)
	r.create(`["`+long+`a"]`, `{"id":"1","pk":"`+long+`a"}`)
	r.create(`["`+long+`b"]`, `{"id":"1","pk":"`+long+`b"}`)
	if got := r.query("SELECT * FROM c", pkKey, `["`+long+`a"]`).status(200, "").rows(); len(got) != 1 {
		t.Errorf("%d documents of a long key, want 1", len(got))
	}
}
