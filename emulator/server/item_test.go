package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestWriteRules(t *testing.T) {
	const a = `["a"]`
	long := strings.Repeat("x", 1024)
	tests := []struct {
		name, key, body string
		status          int
		substatus       string
		says            string
	}{
		{"item", a, `{"id":"1","pk":"a"}`, 201, "", ""},
		{"no header", "", `{"id":"1","pk":"a"}`, 400, "1001", "must be supplied"},
		{"empty header", `[]`, `{"id":"1","pk":"a"}`, 400, "1001", "must be supplied"},
		{"header is no JSON", `["\U0001f600"]`, `{"id":"1","pk":"a"}`, 400, "", "not a JSON array"},
		{"header has an object", `[{"a":1}]`, `{"id":"1"}`, 400, "", "component 1 is an object"},
		{"header has an array", `[["a"]]`, `{"id":"1"}`, 400, "", "component 1 is an array"},
		{"two components", `["a","b"]`, `{"id":"1","pk":"a"}`, 400, "1001", "2 components"},
		{"mismatch", a, `{"id":"1","pk":"b"}`, 400, "1001", "doesn't match"},
		{"string for a number", `["1"]`, `{"id":"1","pk":1}`, 400, "1001", "doesn't match"},
		{"number", `[1]`, `{"id":"1","pk":1.0}`, 201, "", ""},
		{"minus zero", `[0]`, `{"id":"1","pk":-0.0}`, 201, "", ""},
		{"double", `[9007199254740992]`, `{"id":"1","pk":9007199254740993}`, 201, "", ""},
		{"bool", `[true]`, `{"id":"1","pk":true}`, 201, "", ""},
		{"null", `[null]`, `{"id":"1","pk":null}`, 201, "", ""},
		{"undefined", `[{}]`, `{"id":"1"}`, 201, "", ""},
		{"null is not undefined", `[null]`, `{"id":"1"}`, 400, "1001", "doesn't match"},
		{"undefined is not null", `[{}]`, `{"id":"1","pk":null}`, 400, "1001", "doesn't match"},
		{"object key", a, `{"id":"1","pk":{"x":1}}`, 400, "", "must be a string"},
		{"escapes", `["\u00e9<"]`, `{"id":"1","pk":"é\u003c"}`, 201, "", ""},
		{"key of 2,048 bytes", quoted(2048), `{"id":"1","pk":` + strings.Trim(quoted(2048), "[]") + `}`, 201, "", ""},
		{"key of 2,049 bytes", quoted(2049), `{"id":"1","pk":` + strings.Trim(quoted(2049), "[]") + `}`, 400, "", "too long"},
		{"no id", a, `{"pk":"a"}`, 400, "", "'id; '"},
		{"empty id", a, `{"id":"","pk":"a"}`, 400, "", "at least one"},
		{"numeric id", a, `{"id":1,"pk":"a"}`, 400, "", "not a string"},
		{"null id", a, `{"id":null,"pk":"a"}`, 400, "", "not a string"},
		{"id with a slash", a, `{"id":"a/b","pk":"a"}`, 400, "", "cannot hold"},
		{"id with a hash", a, `{"id":"a#b","pk":"a"}`, 400, "", "cannot hold"},
		{"id of 1,023 bytes", a, `{"id":"` + long[1:] + `","pk":"a"}`, 201, "", ""},
		{"id of 1,024 bytes", a, `{"id":"` + long + `","pk":"a"}`, 400, "", "1024 bytes"},
		{"array", a, `[1]`, 400, "", "one JSON object"},
		{"no JSON", a, `{"id":"1"`, 400, "", "one JSON object"},
		{"no UTF-8", a, "{\"id\":\"1\",\"pk\":\"a\",\"x\":\"\xff\"}", 400, "", "UTF-8"},
		{"two values", a, `{"id":"1","pk":"a"}{}`, 400, "", "one JSON object"},
		{"huge number", a, `{"id":"1","pk":"a","n":1e999}`, 400, "", "out of the range"},
		{"deep", a, `{"id":"1","pk":"a","n":` + strings.Repeat("[", 128) + strings.Repeat("]", 128) + `}`, 400, "", "nested"},
		{"ttl 0", a, `{"id":"1","pk":"a","ttl":0}`, 400, "", "ttl"},
		{"ttl -1", a, `{"id":"1","pk":"a","ttl":-1}`, 201, "", ""},
		{"2 MB", a, `{"id":"1","pk":"a","x":"` + strings.Repeat("x", 2<<20-300) + `"}`, 201, "", ""},
		{"over 2 MB", a, `{"id":"1","pk":"a","x":"` + strings.Repeat("x", 2<<20) + `"}`, 413, "", "2097152 bytes"},
		{"over 2 MB with system properties", a, `{"id":"1","pk":"a","x":"` + strings.Repeat("x", 2<<20-40) + `"}`, 413, "", "2097152 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, Options{})
			r.container("")
			got := r.send("POST", docs, test.body, pkKey, test.key).status(test.status, test.substatus)
			if test.says != "" && !strings.Contains(got.message(), test.says) {
				t.Errorf("message %q does not say %q", got.message(), test.says)
			}
		})
	}
}

// quoted is a partition key header of one string of n bytes.
func quoted(n int) string { return `["` + strings.Repeat("k", n) + `"]` }

func TestStoredDocument(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	got := r.send("POST", docs, `{ "_etag":"mine", "pk":"a", "id":"1", "n" : 9007199254740993, "pk":"a", "t":"<é>" }`, pkKey, `["a"]`).
		status(http.StatusCreated, "")
	body := got.Body.String()
	if !strings.HasPrefix(body, `{"pk":"a","id":"1","n":9007199254740992,"t":"<é>","_rid":"`) {
		t.Errorf("stored %s", body)
	}
	doc := got.json()
	if doc["_etag"] != got.Header().Get("etag") || doc["_attachments"] != "attachments/" || doc["_ts"].(float64) < 1e9 {
		t.Errorf("system properties of %s; etag header %s", body, got.Header().Get("etag"))
	}
	if !strings.HasPrefix(doc["_self"].(string), "dbs/") || !strings.HasSuffix(doc["_self"].(string), "/docs/"+doc["_rid"].(string)+"/") {
		t.Errorf("_self is %v", doc["_self"])
	}
	minimal := r.send("PUT", docs+"/1", `{"id":"1","pk":"a"}`, pkKey, `["a"]`, "Prefer", "return=minimal").status(http.StatusOK, "")
	if minimal.Body.Len() != 0 || minimal.Header().Get("etag") == got.Header().Get("etag") {
		t.Errorf("minimal answer: body %q, etag %q", minimal.Body, minimal.Header().Get("etag"))
	}
}

func TestConditions(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	const key = `["a"]`
	item, body := docs+"/1", `{"id":"1","pk":"a"}`
	upsert := []string{pkKey, key, "x-ms-documentdb-is-upsert", "True"}

	r.send("PUT", item, body, pkKey, key).status(404, "")
	r.send("DELETE", item, "", pkKey, key).status(404, "")
	etag := r.send("POST", docs, body, append(upsert, "If-Match", `"gone"`)...).status(201, "").Header().Get("etag")
	r.send("POST", docs, body, pkKey, key).status(409, "")
	r.send("POST", docs, body, append(upsert, "If-Match", `"stale"`)...).status(412, "")
	r.send("PUT", item, body, pkKey, key, "If-Match", `"stale"`).status(412, "")
	r.send("DELETE", item, "", pkKey, key, "If-Match", `"stale"`).status(412, "")
	r.send("GET", item, "", pkKey, key, "If-None-Match", `"stale"`).status(200, "")
	if got := r.send("GET", item, "", pkKey, key, "If-None-Match", etag).status(304, ""); got.Body.Len() != 0 {
		t.Errorf("304 has the body %q", got.Body)
	}
	r.send("PUT", item, `{"id":"2","pk":"a"}`, pkKey, key).status(400, "")
	r.send("PUT", item, `{"id":"1","pk":"b"}`, pkKey, key).status(400, "1001")
	r.send("PUT", item, `{"id":"1","pk":"b"}`, pkKey, `["b"]`).status(404, "")
	r.send("GET", item, "", pkKey, `["b"]`).status(404, "")
	r.send("GET", item, "").status(400, "1001")
	etag = r.send("PUT", item, body, pkKey, key, "If-Match", etag).status(200, "").Header().Get("etag")
	r.send("POST", docs, body, append(upsert, "If-Match", etag)...).status(200, "")
	r.send("DELETE", item, "", pkKey, key, "If-Match", "*").status(204, "")
	r.send("GET", item, "", pkKey, key).status(404, "")
}

func TestUniqueKeys(t *testing.T) {
	r := newRig(t, Options{})
	r.container(hashDefinition + `,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/mail","/kind"]}]}`)
	r.create(`["a"]`, `{"id":"1","pk":"a","mail":"m","kind":1}`)
	r.create(`["a"]`, `{"id":"2","pk":"a","mail":"m","kind":2}`)
	r.create(`["b"]`, `{"id":"3","pk":"b","mail":"m","kind":1}`)
	r.send("POST", docs, `{"id":"4","pk":"a","mail":"m","kind":1}`, pkKey, `["a"]`).status(409, "")
	r.send("PUT", docs+"/2", `{"id":"2","pk":"a","mail":"m","kind":1}`, pkKey, `["a"]`).status(409, "")
	r.send("PUT", docs+"/1", `{"id":"1","pk":"a","mail":"m","kind":1,"n":1}`, pkKey, `["a"]`).status(200, "")
}

func TestOddIDsWhenLenient(t *testing.T) {
	r := newRig(t, Options{Lenient: true})
	r.container("")
	for i, id := range []string{"a/b", "a?b", "a#b", `a\b`, "a b ", "%2F", "..", ".", "a//b", "é鱀"} {
		text, err := json.Marshal(id)
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprintf("[%d]", i)
		r.create(key, fmt.Sprintf(`{"id":%s,"pk":%d}`, text, i))
		var escaped strings.Builder
		for _, b := range []byte(id) {
			fmt.Fprintf(&escaped, "%%%02X", b)
		}
		r.send("GET", docs+"/"+escaped.String(), "", pkKey, key).status(200, "")
		r.send("DELETE", docs+"/"+escaped.String(), "", pkKey, key).status(204, "")
	}
}
