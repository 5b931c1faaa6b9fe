package server

import (
	"net/url"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
)

func TestParsePath(t *testing.T) {
	tests := []struct {
		path string
		want target
		ok   bool
	}{
		{"/", target{}, true},
		{"", target{}, true},
		{"/dbs", target{kind: "dbs", feed: true, resourceType: "dbs"}, true},
		{"/dbs/", target{kind: "dbs", feed: true, resourceType: "dbs"}, true},
		{"/dbs/a", target{kind: "dbs", database: "a", resourceType: "dbs", link: "dbs/a"}, true},
		{"/dbs/a/colls/b/docs", target{kind: "docs", feed: true, database: "a", container: "b", resourceType: "docs", link: "dbs/a/colls/b"}, true},
		{"/dbs/a/colls/b/docs/x%2Fy%20z", target{kind: "docs", database: "a", container: "b", item: "x/y z", resourceType: "docs", link: "dbs/a/colls/b/docs/x/y z"}, true},
		{"/dbs/a/colls/b/pkranges", target{kind: "pkranges", feed: true, database: "a", container: "b", resourceType: "pkranges", link: "dbs/a/colls/b"}, true},
		{"/dbs/a/docs", target{}, false},
		{"/dbs//colls", target{}, false},
		{"/dbs/%zz", target{}, false},
		{"/dbs/a/colls/b/pkranges/0", target{}, false},
		{"/dbs/a/colls/b/docs/c/attachments", target{}, false},
		{"/dbs/a/colls/b/docs/c/attachments/d", target{}, false},
		{"/colls", target{}, false},
	}
	for _, test := range tests {
		got, ok := parsePath(test.path)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("parsePath(%q) = %+v, %v; want %+v, %v", test.path, got, ok, test.want, test.ok)
		}
	}
}

func TestUnsupportedIsRefused(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	tests := []struct {
		method, path string
		headers      []string
	}{
		{"GET", docs, []string{"A-IM", "Other Feed"}},
		{"POST", docs, []string{"x-ms-documentdb-pre-trigger-include", "t", pkKey, `["a"]`}},
		{"POST", docs, []string{"x-ms-indexing-directive", "Exclude", pkKey, `["a"]`}},
		{"POST", "/offers", nil},
		{"PUT", "/dbs/db", nil},
		{"DELETE", "/", nil},
	}
	for _, test := range tests {
		got := r.send(test.method, test.path, `{"id":"1","pk":"a"}`, test.headers...).status(400, "")
		if !strings.Contains(got.message(), "does not support") {
			t.Errorf("%s %s %q: %q", test.method, test.path, test.headers, got.message())
		}
	}
	for _, path := range []string{"/dbs/db/colls/c/sprocs", "/dbs/db/users", "/nonsense"} {
		r.send("GET", path, "").status(400, "")
	}
}

// FuzzServe sends whatever the fuzzer thinks of with a valid signature: the
// server answers everything with a status, and does not panic.
func FuzzServe(f *testing.F) {
	f.Add("POST", docs, `{"query":"SELECT * FROM c WHERE c.pk = 'a'"}`, "x-ms-documentdb-query", "true", `["a"]`)
	f.Add("POST", docs, `{"id":"2","pk":"a","n":-0.0e1}`, "x-ms-documentdb-is-upsert", "true", `["a"]`)
	f.Add("PUT", docs+"/1", `{"id":"1","pk":"a"}`, "If-Match", `"x"`, `["a"]`)
	f.Add("GET", docs+"/%2F", "", rangeID, "0", `[{}]`)
	f.Add("GET", ranges, "", "A-IM", "Incremental Feed", "")
	f.Add("POST", "/dbs/db/colls", `{"id":"d","partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2}}`, "x-ms-offer-throughput", "1000", "")
	f.Add("POST", docs, `{"query":"SELECT * FROM c ORDER BY c.n","parameters":[{"name":"@a"}]}`, header.Continuation, "eyJyaWQiOiIifQ==", `["a"]`)
	f.Add("PATCH", docs+"/1", `{"condition":"from c where c.n = 1","operations":[{"op":"move","from":"/n","path":"/m"}]}`, "If-Match", "*", `["a"]`)
	f.Add("POST", docs, `[{"operationType":"Patch","id":"1","resourceBody":{"operations":[{"op":"incr","path":"/n","value":1}]}},{"operationType":"Read","id":"2"}]`, "x-ms-cosmos-is-batch-request", "true", `["a"]`)
	f.Add("GET", docs, "", "A-IM", "Incremental feed", `["a"]`)
	f.Add("GET", docs, "", "x-ms-end-epk", "3F", "")
	f.Add("POST", "/offers", `{"query":"SELECT * FROM c WHERE c.offerResourceId = 'x'"}`, "x-ms-max-item-count", "true", "")
	f.Add("PUT", "/dbs/db/colls/c", `{"id":"c","partitionKey":{"paths":["/pk"],"version":2},"defaultTtl":1}`, "If-Match", "", "")
	f.Add("POST", "/dbs/db/colls", `{"id":"d","partitionKey":{"paths":["/a"],"version":2}}`, "x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":900000}`, "")
	f.Add("POST", docs, `{"query":"SELECT c.a, AVG(c.n) FROM c GROUP BY c.a OFFSET 1 LIMIT 2"}`, "x-ms-cosmos-is-query-plan-request", "true", "")
	f.Add("GET", docs, "", "If-None-Match", `"0#1,1#2"`, "")
	f.Fuzz(func(t *testing.T, method, path, body, header, value, key string) {
		u, err := url.Parse(path)
		if err != nil || !isToken(method) || !isToken(header) || !strings.HasPrefix(path, "/") || strings.Contains(u.RequestURI(), " ") {
			return // net/http lets no such request through
		}
		r := newRig(t, Options{Throughput: 1_000_000})
		r.container("")
		r.create(`["a"]`, `{"id":"1","pk":"a","n":1}`)
		if len(path)%2 == 1 {
			r.handler = r.Handler(Front{Routing: true})
		}
		a := r.send(method, u.RequestURI(), body, header, value, pkKey, key, "x-ms-documentdb-query", value)
		if a.Code < 200 || a.Code > 599 {
			t.Errorf("status %d", a.Code)
		}
		if a.Code >= 400 {
			a.message()
		}
		r.send("GET", docs+"/1", "", pkKey, `["a"]`)
	})
}

// isToken reports whether s can be a method or a header name.
func isToken(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-'
	}) < 0
}
