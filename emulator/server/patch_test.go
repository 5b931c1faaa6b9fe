package server

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// TestPatch has the cases of Microsoft's page "Partial document update in Azure
// Cosmos DB" and of RFC 6902, on which it is based.
func TestPatch(t *testing.T) {
	const before = `{"id":"1","pk":"a","n":1,"s":"x","o":{"p":1,"q":{"r":2}},"l":[10,20,30],"a/b":1,"m~n":2}`
	tests := []struct {
		operations string
		want       string // the document without its system properties, or
		says       string // a part of the message of status 400
	}{
		{`{"op":"add","path":"/new","value":{"z":1}}`, `{"id":"1","pk":"a","n":1,"s":"x","o":{"p":1,"q":{"r":2}},"l":[10,20,30],"a/b":1,"m~n":2,"new":{"z":1}}`, ""},
		{`{"op":"add","path":"/n","value":null}`, strings.Replace(before, `"n":1`, `"n":null`, 1), ""},
		{`{"op":"add","path":"/o/q/s","value":[]}`, strings.Replace(before, `"r":2`, `"r":2,"s":[]`, 1), ""},
		{`{"op":"add","path":"/l/1","value":15}`, strings.Replace(before, `10,`, `10,15,`, 1), ""},
		{`{"op":"add","path":"/l/3","value":40}`, strings.Replace(before, `30`, `30,40`, 1), ""},
		{`{"op":"add","path":"/l/-","value":40}`, strings.Replace(before, `30`, `30,40`, 1), ""},
		{`{"op":"add","path":"/l/4","value":40}`, "", "beyond the end"},
		{`{"op":"add","path":"/l/01","value":40}`, "", "not an index"},
		{`{"op":"add","path":"/l/-1","value":40}`, "", "not an index"},
		{`{"op":"add","path":"/l/x","value":40}`, "", "not an index"},
		{`{"op":"add","path":"/no/x","value":1}`, "", `no "no" on this path`},
		{`{"op":"add","path":"/s/x","value":1}`, "", "neither in an object"},
		{`{"op":"add","path":"/x"}`, "", "no value"},
		{`{"op":"set","path":"/l/1","value":15}`, strings.Replace(before, `20`, `15`, 1), ""},
		{`{"op":"set","path":"/l/-","value":40}`, strings.Replace(before, `30`, `30,40`, 1), ""},
		{`{"op":"set","path":"/s","value":1.0}`, strings.Replace(before, `"x"`, `1`, 1), ""},
		{`{"op":"set","path":"/ttl","value":60}`, before[:len(before)-1] + `,"ttl":60}`, ""},
		{`{"op":"set","path":"/ttl","value":0}`, "", "ttl '0' is invalid"},
		{`{"op":"replace","path":"/o/q","value":3}`, strings.Replace(before, `{"r":2}`, `3`, 1), ""},
		{`{"op":"replace","path":"/l/2","value":3}`, strings.Replace(before, `30`, `3`, 1), ""},
		{`{"op":"replace","path":"/l/-","value":3}`, "", "not an index"},
		{`{"op":"replace","path":"/l/3","value":3}`, "", "beyond the end"},
		{`{"op":"replace","path":"/new","value":3}`, "", "nothing at this path"},
		{`{"op":"remove","path":"/l/0"}`, strings.Replace(before, `10,`, ``, 1), ""},
		{`{"op":"remove","path":"/o"}`, strings.Replace(before, `"o":{"p":1,"q":{"r":2}},`, ``, 1), ""},
		{`{"op":"remove","path":"/new"}`, "", "nothing at this path"},
		{`{"op":"remove","path":"/a~1b"}`, strings.Replace(before, `"a/b":1,`, ``, 1), ""},
		{`{"op":"remove","path":"/m~0n"}`, strings.Replace(before, `,"m~n":2`, ``, 1), ""},
		{`{"op":"incr","path":"/n","value":2}`, strings.Replace(before, `"n":1`, `"n":3`, 1), ""},
		{`{"op":"incr","path":"/n","value":-1.5}`, strings.Replace(before, `"n":1`, `"n":-0.5`, 1), ""},
		{`{"op":"incr","path":"/o/new","value":2}`, strings.Replace(before, `{"r":2}`, `{"r":2},"new":2`, 1), ""},
		{`{"op":"incr","path":"/l/0","value":1}`, strings.Replace(before, `10`, `11`, 1), ""},
		{`{"op":"incr","path":"/s","value":1}`, "", "no number at this path"},
		{`{"op":"incr","path":"/n","value":"1"}`, "", "value is not a number"},
		{`{"op":"incr","path":"/n","value":null}`, "", "value is not a number"},
		{`{"op":"incr","path":"/n","value":1.7e308},{"op":"incr","path":"/n","value":1.7e308}`, "", "out of the range"},
		{`{"op":"move","from":"/s","path":"/o/s"}`, `{"id":"1","pk":"a","n":1,"o":{"p":1,"q":{"r":2},"s":"x"},"l":[10,20,30],"a/b":1,"m~n":2}`, ""},
		{`{"op":"move","from":"/l/0","path":"/l/-"}`, strings.Replace(before, `10,20,30`, `20,30,10`, 1), ""},
		{`{"op":"move","from":"/no","path":"/x"}`, "", "nothing at /no"},
		{`{"op":"move","from":"/o","path":"/o/q"}`, "", "into itself"},
		{`{"op":"move","path":"/x"}`, "", "from of patch operation 1 is invalid"},
		{`{"op":"move","from":"/pk","path":"/x"}`, "", "partition key /pk cannot be patched"},
		{`{"op":"set","path":"/pk","value":"b"}`, "", "partition key /pk cannot be patched"},
		{`{"op":"set","path":"/pk/x","value":"b"}`, "", "partition key /pk cannot be patched"},
		{`{"op":"set","path":"/id","value":"b"}`, "", "property id cannot be patched"},
		{`{"op":"set","path":"/_ts","value":1}`, "", "property _ts cannot be patched"},
		{`{"op":"test","path":"/n","value":1}`, "", `is "test"`},
		{`{"op":"set","path":"n","value":1}`, "", "path of patch operation 1 is invalid"},
		{`{"op":"set","path":"/","value":1}`, "", "path of patch operation 1 is invalid"},
		{`{"op":"set","value":1}`, "", "path of patch operation 1 is invalid"},
		{`{"op":"set","path":"/n","value":1e999}`, "", "out of the range"},
		{`{"op":"add","path":"/x","value":1},{"op":"remove","path":"/y"}`, "", "operation 2 (remove /y)"},
		{`{"op":"add","path":"/x","value":[]},{"op":"add","path":"/x/-","value":"<"}`, before[:len(before)-1] + `,"x":["<"]}`, ""},
		{strings.Repeat(`{"op":"incr","path":"/n","value":1},`, 9) + `{"op":"incr","path":"/n","value":1}`, strings.Replace(before, `"n":1`, `"n":11`, 1), ""},
		{strings.Repeat(`{"op":"incr","path":"/n","value":1},`, 10) + `{"op":"incr","path":"/n","value":1}`, "", "limit of 10"},
		{``, "", "no operations"},
		{`1`, "", "patch is invalid"},
	}
	for _, test := range tests {
		t.Run(test.operations, func(t *testing.T) {
			r := newRig(t, Options{})
			r.container("")
			r.create(`["a"]`, before)
			got := r.send("PATCH", docs+"/1", `{"operations":[`+test.operations+`]}`, pkKey, `["a"]`)
			want := test.want
			if test.says != "" {
				if got.status(400, ""); !strings.Contains(got.message(), test.says) {
					t.Errorf("message %q does not say %q", got.message(), test.says)
				}
				want = before
			} else {
				got.status(200, "")
			}
			stored := r.send("GET", docs+"/1", "", pkKey, `["a"]`).status(200, "").Body.String()
			if text, _, _ := strings.Cut(stored, `,"_rid"`); text+"}" != want {
				t.Errorf("stored %s}\n  want %s", text, want)
			}
		})
	}
}

func TestPatchConditions(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["a"]`, `{"id":"1","pk":"a","n":1}`)
	patch := func(condition string, headers ...string) *answer {
		text, err := json.Marshal(condition)
		if err != nil {
			t.Fatal(err)
		}
		return r.send("PATCH", docs+"/1", fmt.Sprintf(`{"condition":%s,"operations":[{"op":"incr","path":"/n","value":1}]}`, text),
			append(headers, pkKey, `["a"]`)...)
	}
	first := patch("from c where c.n = 1").status(200, "")
	if first.json()["n"] != 2.0 {
		t.Errorf("patched: %s", first.Body)
	}
	patch("FROM c WHERE c.n = 1").status(412, "")
	patch("from c where c.n = ").status(400, "")
	patch("from c where c.n = 2 order by c.n").status(400, "")
	patch("from c", "If-Match", `"stale"`).status(412, "")
	minimal := patch("from c", "If-Match", first.Header().Get("etag"), "Prefer", "return=minimal").status(200, "")
	if minimal.Body.Len() > 0 || minimal.Header().Get("etag") == first.Header().Get("etag") {
		t.Errorf("minimal: body %q, etag %s", minimal.Body, minimal.Header().Get("etag"))
	}
	r.send("PATCH", docs+"/2", `{"operations":[{"op":"set","path":"/n","value":1}]}`, pkKey, `["a"]`).status(404, "")
}

// TestPatchConditionOnPlane has a condition on shapes, which the container has on a plane.
func TestPatchConditionOnPlane(t *testing.T) {
	r := newRig(t, Options{})
	r.container(hashDefinition + `,"geospatialConfig":{"type":"Geometry"}`)
	r.create(`["a"]`, `{"id":"1","pk":"a","at":{"type":"Point","coordinates":[3,1004]}}`)
	for most, want := range map[string]int{"5.1": 200, "4.9": 412} {
		r.send("PATCH", docs+"/1", `{"condition":"from c where ST_DISTANCE(c.at, {'type': 'Point', 'coordinates': [0, 1000]}) < `+most+`","operations":[{"op":"set","path":"/n","value":1}]}`,
			pkKey, `["a"]`).status(want, "")
	}
}

// FuzzPatch patches a document with random operations. The stored document must stay valid,
// and keep its identity.
func FuzzPatch(f *testing.F) {
	f.Add(`{"id":"1","pk":"a","l":[1,2,{"x":[]}]}`, `{"op":"add","path":"/l/2/x/-","value":{"a":1}}`)
	f.Add(`{"id":"1","pk":"a","o":{"":{"~":1}}}`, `{"op":"move","from":"/o//~0","path":"/x"}`)
	f.Add(`{"id":"1","pk":"a","n":1e300}`, `{"op":"incr","path":"/n","value":-1e-7},{"op":"remove","path":"/n"}`)
	f.Fuzz(func(t *testing.T, document, operations string) {
		r := newRig(t, Options{})
		r.container("")
		created := r.send("POST", docs, document, pkKey, `["a"]`)
		if created.Code != 201 {
			return
		}
		id := created.json()["id"].(string)
		patched := r.send("PATCH", docs+"/"+url.PathEscape(id), `{"operations":[`+operations+`]}`, pkKey, `["a"]`)
		if patched.Code == 400 {
			return
		}
		stored := r.send("GET", docs+"/"+url.PathEscape(id), "", pkKey, `["a"]`).status(200, "").json()
		if patched.Code != 200 || stored["id"] != id || stored["pk"] != "a" {
			t.Errorf("status %d, patched into %v", patched.Code, stored)
		}
	})
}
