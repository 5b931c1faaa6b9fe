package server

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// computedDefinition is a container with three computed properties. /lower has an index of its
// own, and /tens one with another property.
const computedDefinition = hashDefinition + `,"computedProperties":[
	{"name":"lower","query":"SELECT VALUE LOWER(c.name) FROM c"},
	{"name":"tens","query":"SELECT VALUE (r.n - r.n % 10) / 10 FROM root r"},
	{"name":"parts","query":"SELECT VALUE STRINGSPLIT(c.name, ' ') FROM c"}
],"indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/lower/?"}],"compositeIndexes":[[{"path":"/tens"},{"path":"/n"}]]}`

// computed makes the container, with a few documents.
func (r *rig) computed() {
	r.t.Helper()
	r.container(computedDefinition)
	for i, name := range []string{"Ann Lee", "BOB", "cid Ray", "Dee"} {
		r.create(`["k"]`, fmt.Sprintf(`{"id":"%d","pk":"k","name":%q,"n":%d}`, i, name, 7*i))
	}
	r.create(`["k"]`, `{"id":"4","pk":"k","n":28,"lower":"STORED"}`)
}

func TestComputedProperties(t *testing.T) {
	r := newRig(t, Options{})
	r.computed()
	for _, test := range []struct{ query, want string }{
		{"SELECT VALUE c.lower FROM c", `"ann lee" "bob" "cid ray" "dee"`},
		{"SELECT c.id, c.lower AS x FROM c WHERE c.lower = 'bob'", `{"id":"1","x":"bob"}`},
		{"SELECT VALUE c.id FROM c WHERE c['lower'] LIKE '%e%' AND c.tens >= 0", `"0" "3"`},
		{"SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.lower)", `"4"`},
		{"SELECT VALUE c.id FROM c WHERE c[@name] = 'dee'", `"3"`},
		{"SELECT VALUE c.id FROM c ORDER BY c.lower DESC", `"3" "2" "1" "0" "4"`},
		{"SELECT VALUE [c.tens, c.n] FROM c ORDER BY c.tens, c.n", `[0,0] [0,7] [1,14] [2,21] [2,28]`},
		{"SELECT c.tens, COUNT(1) AS k FROM c GROUP BY c.tens", `{"tens":0,"k":2} {"tens":1,"k":1} {"tens":2,"k":2}`},
		{"SELECT VALUE MAX(c.lower) FROM c", `"dee"`},
		{"SELECT DISTINCT VALUE c.tens FROM c", `0 1 2`},
		{"SELECT VALUE p FROM c JOIN p IN c.parts WHERE c.tens < 1", `"Ann" "Lee" "BOB"`},
		{"SELECT VALUE ARRAY_LENGTH(c.parts) FROM c WHERE EXISTS(SELECT VALUE p FROM p IN c.parts WHERE p = 'Ray')", `2`},
		{"SELECT VALUE UPPER(c.lower || c.parts[0]) FROM c WHERE c.id = '1'", `"BOBBOB"`},
	} {
		got := r.send("POST", docs, mustJSON(t, map[string]any{"query": test.query, "parameters": []any{map[string]any{"name": "@name", "value": "lower"}}}),
			"x-ms-documentdb-query", "True", pkKey, `["k"]`).status(200, "").rows()
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.query, text, test.want)
		}
	}
	for _, query := range []string{"SELECT * FROM c WHERE c.id = '4' AND c.tens = 2", "SELECT VALUE c FROM c WHERE c.id = '4' AND c.tens = 2"} {
		rows := r.query(query, pkKey, `["k"]`).status(200, "").rows()
		if len(rows) != 1 || !strings.Contains(rows[0], `"lower":"STORED"`) || strings.Contains(rows[0], "tens") || strings.Contains(rows[0], "parts") {
			t.Errorf("%s gives %s", query, rows)
		}
	}
	if got := r.query("SELECT VALUE c.id FROM c ORDER BY c.tens", pkKey, `["k"]`).status(400, "").message(); !strings.Contains(got, "order-by item is excluded") {
		t.Errorf("an order without an index: %s", got)
	}
	patch := `{"condition":"from c where c.lower = 'bob'","operations":[{"op":"set","path":"/x","value":1}]}`
	if got := r.send("PATCH", docs+"/1", patch, pkKey, `["k"]`).status(400, "").message(); !strings.Contains(got, "condition reads a computed property") {
		t.Errorf("a condition of a patch: %s", got)
	}
	plan := r.planOf("SELECT c.id FROM c ORDER BY c.lower").status(200, "").Body.String()
	if !strings.Contains(plan, `c.lower`) {
		t.Errorf("plan %s", plan)
	}
}

// TestComputedChange adds a computed property to a container, and removes it.
func TestComputedChange(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.create(`["k"]`, `{"id":"1","pk":"k","name":"Ann"}`)
	replace := func(properties string) *answer {
		return r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+hashDefinition+properties+`}`)
	}
	lower := func(want string) {
		t.Helper()
		if got := r.query("SELECT c.lower FROM c", pkKey, `["k"]`).status(200, "").rows(); got[0] != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	const indexed = `,"indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/lower/?"}]}`
	lower(`{}`)
	replace(`,"computedProperties":[{"name":"lower","query":"SELECT VALUE LOWER(c.name) FROM c"}]`+indexed).status(200, "")
	lower(`{"lower":"ann"}`)
	if got := r.send("GET", "/dbs/db/colls/c", "").status(200, "").Body.String(); !strings.Contains(got, `"computedProperties":[{"name":"lower"`) {
		t.Errorf("the container is %s", got)
	}
	replace(`,"computedProperties":[{"name":"lower","query":"select value lower(r.name) from r"}]`+indexed).status(200, "")
	other := `,"computedProperties":[{"name":"lower","query":"SELECT VALUE UPPER(c.name) FROM c"}]`
	if got := replace(other+indexed).status(400, "").message(); !strings.Contains(got, "would not index it anew") {
		t.Errorf("another query: %s", got)
	}
	replace(`,"computedProperties":[{"name":"lower","query":"SELECT VALUE LOWER(c.name) FROM c"}]`).status(200, "")
	replace(other).status(200, "")
	lower(`{"lower":"ANN"}`)
	replace("").status(200, "")
	lower(`{}`)
	replace(`,"computedProperties":null`).status(200, "")
	replace(`,"computedProperties":[]`).status(200, "")
}

// TestComputedRefused has the texts of the service where its SDKs' tests show them.
func TestComputedRefused(t *testing.T) {
	const query = `SELECT VALUE LOWER(c.name) FROM c`
	type property struct {
		Name  *string `json:"name,omitempty"`
		Query *string `json:"query,omitempty"`
	}
	of := func(name, query string) property { return property{&name, &query} }
	many := make([]property, 21)
	for i := range many {
		many[i] = of(fmt.Sprint("p", i), query)
	}
	name, text := "lower", query
	for _, test := range []struct {
		more       string
		properties any
		want       string
	}{
		{"", []property{of("lower", query), of("lower", query)}, "Computed property name 'lower' cannot be used in multiple definitions."},
		{"", []property{{nil, &text}}, "One of the specified inputs is invalid"},
		{"", []property{{&name, nil}}, "One of the specified inputs is invalid"},
		{"", []property{of("", query)}, "Computed property 'name' is either empty or unspecified."},
		{"", []property{of("lower", "")}, "Computed property 'query' is either empty or unspecified."},
		{"", []property{of("id", query)}, "The system property name 'id' cannot be used as a computed property name."},
		{"", []property{of("_ts", query)}, "The system property name '_ts' cannot be used as a computed property name."},
		{`,"indexingPolicy":{"includedPaths":[{"path":"/*"}],"spatialIndexes":[{"path":"/spatial/*","types":["Point"]}]}`, []property{of("spatial", query)}, "Computed property 'spatial' at index (0) has a spatial index. Remove the spatial index on this path."},
		{"", []property{of("lower", "SELECT LOWER(c.name) FROM c")}, "Required VALUE expression missing from computed property query 'SELECT LOWER(c.name) FROM c' at index (0)."},
		{"", []property{of("lower", "SELECT VALUE LOWER(c.name) FROM r")}, `Computed property at index (0) has a malformed query: 'SELECT VALUE LOWER(c.name) FROM r' Error details: '{"errors":[{"code":"SC2001"`},
		{"", []property{of("lower", "SELECT VALUE RAND() FROM c")}, "cannot call RAND"},
		{"", many, "at most 20"},
		{"", []property{of("lower", query), of("twice", "SELECT VALUE c.lower || c.lower FROM c")}, "Computed property at index (1) reads the computed property 'lower'"},
		{"", []property{of("pk", query)}, "which is in the path of the partition key"},
		{"", "lower", "The computed properties are invalid"},
	} {
		r := newRig(t, Options{})
		r.send("POST", "/dbs", `{"id":"db"}`)
		body := `{"id":"c",` + hashDefinition + test.more + `,"computedProperties":` + mustJSON(t, test.properties) + `}`
		if got := r.send("POST", "/dbs/db/colls", body).status(400, "").message(); !strings.Contains(got, test.want) {
			t.Errorf("%s\ngot  %s\nwant %s", body, got, test.want)
		}
	}
	r := newRig(t, Options{})
	r.computed()
	body := `{"id":"i","partitionKey":{"paths":["/name"],"version":2},"globalSecondaryIndexDefinition":{"sourceCollectionId":"c","definition":"SELECT c.name FROM c"},"computedProperties":[{"name":"x","query":"` + query + `"}]}`
	if got := r.send("POST", "/dbs/db/colls", body, "x-ms-cosmos-offer-autopilot-settings", `{"maxThroughput":1000}`).status(400, "").message(); !strings.Contains(got, "computed properties of a global secondary index") {
		t.Errorf("an index: %s", got)
	}
}

// TestComputedModel compares random computed properties with their expressions in place of them.
func TestComputedModel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	rows := 0
	for range 40 {
		r := newRig(t, Options{})
		var list []map[string]string
		texts := map[string]string{}
		for i := range 4 {
			name := fmt.Sprint("p", i)
			texts[name] = randomExpression(random, 3)
			e, err := cosmossql.ParseExpression(texts[name])
			if err != nil {
				t.Fatalf("%s: %v", texts[name], err)
			}
			list = append(list, map[string]string{"name": name, "query": cosmossql.ComputedQuery(e)})
		}
		r.container(hashDefinition + `,"computedProperties":` + mustJSON(t, list))
		for i := range 12 {
			d := map[string]any{"id": fmt.Sprint(i), "pk": "k"}
			for _, name := range []string{"a", "b", "d"} {
				if v := randomValue(random); v != nil {
					d[name] = v
				}
			}
			r.create(`["k"]`, mustJSON(t, d))
		}
		name, other := fmt.Sprint("p", random.IntN(4)), fmt.Sprint("p", random.IntN(4))
		for _, query := range []string{
			"SELECT c.id, #1 AS x FROM c", "SELECT VALUE c.id FROM c WHERE #1 = #2", "SELECT VALUE c.id FROM c WHERE IS_DEFINED(#1) OR #2",
			"SELECT VALUE {'x': #1, 'y': [#2]} FROM c", "SELECT VALUE COUNT(#1) FROM c", "SELECT COUNT(1) AS n, #1 AS x FROM c GROUP BY #1",
			"SELECT DISTINCT VALUE #1 FROM c", "SELECT VALUE c.id FROM c JOIN t IN c.a WHERE t = #1",
		} {
			by := func(x, y string) string {
				return strings.NewReplacer("#1", x, "#2", y).Replace(query)
			}
			computed := by("c."+name, "c."+other)
			inline := by("("+texts[name]+")", "("+texts[other]+")")
			a, b := r.query(computed, pkKey, `["k"]`), r.query(inline, pkKey, `["k"]`)
			if b.Code != 200 && strings.Contains(b.message(), "GROUP BY takes expressions that mention a property") {
				continue
			}
			if a.Code != b.Code || a.Code == 200 && !slices.Equal(a.rows(), b.rows()) {
				t.Fatalf("%s gives %d %s\n%s gives %d %s", computed, a.Code, a.Body, inline, b.Code, b.Body)
			}
			if a.Code == 200 {
				rows += len(a.rows())
			}
		}
	}
	if rows < 500 {
		t.Errorf("%d rows were compared", rows)
	}
}

// randomExpression makes an expression over a few properties.
func randomExpression(random *rand.Rand, depth int) string {
	pick := func(all ...string) string { return all[random.IntN(len(all))] }
	if depth == 0 {
		return pick("c.a", "c.b", "c.d", "c.d.x", "c.a[0]", "1", "-2.5", "'x'", "true", "null", "undefined")
	}
	one, two := randomExpression(random, depth-1), randomExpression(random, depth-1)
	form := pick("LOWER(#1)", "CONCAT(#1, '-', #2)", "(#1 + #2)", "(#1 || #2)", "(#1 = #2)", "(#1 < #2)", "(#1 ?? #2)", "(#1 ? #2 : #1)", "LENGTH(#1)", "IS_DEFINED(#1)",
		"[#1, #2]", "{'x': #1}", "(#1 IN (#2, 1))", "(NOT #1)", "ARRAY_LENGTH(#1)", "TOSTRING(#1)", "(#1 AND #2)", "ABS(#1)", "STARTSWITH(#1, #2)")
	return strings.NewReplacer("#1", one, "#2", two).Replace(form)
}

// randomValue makes a value of a property; nil for none.
func randomValue(random *rand.Rand) any {
	all := []any{nil, json.RawMessage("null"), true, 0, 1, -2.5, "", "x", "Xy", []any{}, []any{1, "x"}, map[string]any{"x": "Ab"}}
	return all[random.IntN(len(all))]
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
