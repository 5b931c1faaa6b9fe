package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
)

// resumed reads a query with a resumeFilter to its end, by pages of seven rows.
func (r *rig) resumed(sql, filter string, headers ...string) []string {
	r.t.Helper()
	rows, token := []string{}, ""
	for range 1000 {
		h := append([]string{"x-ms-documentdb-query", "True", maxItems, "7"}, headers...)
		if token != "" {
			h = append(h, header.Continuation, token)
		}
		a := r.send("POST", docs, fmt.Sprintf(`{"query":%q,"resumeFilter":%s}`, sql, filter), h...).status(200, "")
		rows = append(rows, a.rows()...)
		if token = a.Header().Get(header.Continuation); token == "" {
			return rows
		}
	}
	r.t.Fatal("the query does not end")
	return nil
}

// TestResumeFilter resumes after each row of an ordered query, as the SDKs for .NET and
// Rust do: by its ORDER BY values, with and without its resource id. Values are equal,
// of several types, and absent.
func TestResumeFilter(t *testing.T) {
	r := newRig(t, Options{})
	r.container(hashDefinition + `,"indexingPolicy":{"compositeIndexes":[[{"path":"/n"},{"path":"/m","order":"descending"}]]}`)
	for i, n := range []string{`1`, `2`, `2`, `null`, ``, `"b"`, `"a"`, `true`, `false`, `2.5`, ``, `2`, `"a"`} {
		property := ""
		if n != "" {
			property = `,"n":` + n
		}
		r.create(`["k"]`, fmt.Sprintf(`{"id":"%d","pk":"k","m":%d,"tags":[1,2]%s}`, i, i/3, property))
	}
	for _, order := range []string{"c.n", "c.n DESC", "c.n, c.m DESC", "c.n DESC, c.m", "c.m", "c.m DESC"} {
		for _, from := range []string{"FROM c", "FROM c JOIN t IN c.tags"} {
			items := strings.ReplaceAll(strings.ReplaceAll(order, " DESC", ""), ", ", `},{"item": `)
			sql := `SELECT c._rid, [{"item": ` + items + `}] AS keys ` + from + ` ORDER BY ` + order
			all := r.resumed(sql, "null", pkKey, `["k"]`)
			for i, row := range all {
				values, rid := boundary(t, row)
				key := func(row string) string { v, _ := boundary(t, row); return v }
				first := slices.IndexFunc(all, func(other string) bool { return key(other) == values })
				last := len(all)
				for last > first && key(all[last-1]) != values {
					last--
				}
				document := slices.Index(all, row) // its first row
				scope := [][]string{{pkKey, `["k"]`}, {rangeID, "0"}}[i%2]
				for filter, want := range map[string][]string{
					fmt.Sprintf(`{"value":%s}`, values):                               all[first:],
					fmt.Sprintf(`{"value":%s,"exclude":true}`, values):                all[last:],
					fmt.Sprintf(`{"value":%s,"rid":%q,"exclude":false}`, values, rid): all[document:],
				} {
					if got := r.resumed(sql, filter, scope...); !slices.Equal(got, want) {
						t.Errorf("%s after row %d by %s:\ngot  %q\nwant %q", sql, i, filter, got, want)
					}
				}
			}
		}
	}
}

// boundary returns the ORDER BY values of a row in the form of a resumeFilter, and the
// resource id of its document.
func boundary(t *testing.T, row string) (values, rid string) {
	t.Helper()
	var r struct {
		RID  string `json:"_rid"`
		Keys []struct {
			Item json.RawMessage `json:"item"`
		} `json:"keys"`
	}
	if err := json.Unmarshal([]byte(row), &r); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, k := range r.Keys {
		if k.Item == nil {
			k.Item = json.RawMessage("[]") // undefined
		}
		list = append(list, string(k.Item))
	}
	return "[" + strings.Join(list, ",") + "]", r.RID
}

// TestEqualRowsComeByResourceID checks the order of rows with equal values: SDKs that resume
// after a row expect ascending resource ids, or descending ones with DESC.
func TestEqualRowsComeByResourceID(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.fill(15) // three under each key
	for sql, want := range map[string]string{
		"SELECT VALUE c.id FROM c ORDER BY c.m":      `["0" "3" "6" "9" "12" "1" "4" "7" "10" "13" "2" "5" "8" "11" "14"]`,
		"SELECT VALUE c.id FROM c ORDER BY c.m DESC": `["14" "11" "8" "5" "2" "13" "10" "7" "4" "1" "12" "9" "6" "3" "0"]`,
	} {
		for _, size := range []string{"1", "2", "4", "15", "100"} {
			rows := slices.Concat(r.pages(sql, rangeID, "0", maxItems, size)...)
			if got := fmt.Sprint(rows); got != want {
				t.Errorf("%s by %s: %s, want %s", sql, size, got, want)
			}
		}
	}
}

func TestResumeFilterRefuses(t *testing.T) {
	r := newRig(t, Options{Partitions: 2})
	rid := r.container("")
	r.create(`["k"]`, `{"id":"1","pk":"k","n":1}`)
	item := r.send("GET", docs+"/1", "", pkKey, `["k"]`).status(200, "").json()["_rid"].(string)
	r.send("POST", "/dbs/db/colls", `{"id":"d",`+hashDefinition+`}`).status(201, "")
	other := r.send("POST", "/dbs/db/colls/d/docs", `{"id":"1","pk":"k"}`, pkKey, `["k"]`).status(201, "").json()["_rid"].(string)
	const ordered = "SELECT * FROM c ORDER BY c.n"
	for _, test := range []struct{ sql, filter, says string }{
		{"SELECT * FROM c", `{"value":[1]}`, "ORDER BY"},
		{"SELECT DISTINCT c.n FROM c ORDER BY c.n", `{"value":[1]}`, "ORDER BY"},
		{"SELECT COUNT(1) FROM c", `{"value":[1]}`, "ORDER BY"},
		{ordered + " OFFSET 1 LIMIT 1", `{"value":[1]}`, "OFFSET"},
		{ordered, `{"value":[]}`, "0 values"},
		{ordered, `{}`, "0 values"},
		{ordered, `{"value":[1,2]}`, "2 values"},
		{ordered, `[1]`, "resumeFilter"},
		{ordered, `{"value":1}`, "resumeFilter"},
		{ordered, `{"value":[[1]]}`, "does not support"},
		{ordered, `{"value":[{"type":"array","low":1,"high":2}]}`, "does not support"},
		{ordered, `{"value":[1],"rid":"x"}`, "resource id"},
		{ordered, fmt.Sprintf(`{"value":[1],"rid":%q}`, rid), "resource id"},
		{ordered, fmt.Sprintf(`{"value":[1],"rid":%q}`, other), "resource id"},
		{ordered, fmt.Sprintf(`{"value":[1],"rid":%q,"exclude":true}`, item), "does not support"},
	} {
		body := fmt.Sprintf(`{"query":%q,"resumeFilter":%s}`, test.sql, test.filter)
		a := r.send("POST", docs, body, "x-ms-documentdb-query", "True", pkKey, `["k"]`).status(400, "")
		if !strings.Contains(a.message(), test.says) {
			t.Errorf("%s: %q does not say %q", body, a.message(), test.says)
		}
	}
	for _, feed := range []string{"/dbs", "/dbs/db/colls", "/offers"} {
		a := r.send("POST", feed, `{"query":"SELECT * FROM c","resumeFilter":{"value":[1]}}`, "x-ms-documentdb-query", "True").status(400, "")
		if !strings.Contains(a.message(), "resumeFilter") {
			t.Errorf("%s: %q", feed, a.message())
		}
	}
}

// TestTokenOfAnOrderIsAPlace resumes an ordered query with another filter, as the SDK for
// JavaScript does: the rows are those that match the new filter, from the place that the token
// names.
func TestTokenOfAnOrderIsAPlace(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	r.fill(30)
	scope := []string{rangeID, "0", maxItems, "3"}
	text := func(filter, order string) string {
		return "SELECT c._rid, [c.m, c.n] AS keys FROM c WHERE " + filter + " ORDER BY " + order
	}
	for _, order := range []string{"c.n", "c.n DESC", "c.m", "c.m DESC"} {
		for _, filters := range [][2]string{{"true", "c.n >= 12"}, {"c.n < 20", "(c.n < 20 AND c.n <= 18)"}, {"c.pk = 'k1'", "c.pk IN ('k1','k4')"}, {"c.n > 25", "true"}} {
			all := slices.Concat(r.pages(text("true", order), scope...)...)
			token := r.query(text(filters[0], order), scope...).status(200, "").Header().Get(header.Continuation)
			first := r.query(text(filters[0], order), append(slices.Clip(scope), header.Continuation, token)...).status(200, "").rows()[0]
			place := slices.Index(all, first)
			var want []string
			for i, row := range slices.Concat(r.pages(text(filters[1], order), scope...)...) {
				if at := slices.Index(all, row); at < 0 {
					t.Fatalf("row %d is new: %s", i, row)
				} else if at >= place {
					want = append(want, row)
				}
			}
			var got []string
			for pages := 0; token != "" && pages < 100; pages++ {
				a := r.query(text(filters[1], order), append(slices.Clip(scope), header.Continuation, token)...).status(200, "")
				got = append(got, a.rows()...)
				token = a.Header().Get(header.Continuation)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %v: got %q, want %q", order, filters, got, want)
			}
		}
	}
}

// TestTokenOfAnOrderRefuses resumes by a token what it is no place in.
func TestTokenOfAnOrderRefuses(t *testing.T) {
	r := newRig(t, Options{})
	r.container(hashDefinition + `,"indexingPolicy":{"compositeIndexes":[[{"path":"/n"},{"path":"/m"}]]}`)
	for i := range 6 {
		r.create(`["k"]`, fmt.Sprintf(`{"id":"%d","pk":"k","n":%d,"m":%d,"tags":[1,2,3]}`, i, i, i))
	}
	const filtered = " FROM c JOIN t IN c.tags WHERE t > 1 ORDER BY c.n"
	tests := []struct {
		name, made, resumed string
	}{
		{"another order", "SELECT * FROM c ORDER BY c.n", "SELECT * FROM c ORDER BY c.m"},
		{"another direction", "SELECT * FROM c ORDER BY c.n", "SELECT * FROM c ORDER BY c.n DESC"},
		{"a further property", "SELECT * FROM c ORDER BY c.n", "SELECT * FROM c ORDER BY c.n, c.m"},
		{"an element", "SELECT * FROM c ORDER BY c.tags[0]", "SELECT * FROM c ORDER BY c.tags[1]"},
		{"no order", "SELECT * FROM c ORDER BY c.n", "SELECT * FROM c"},
		{"an order", "SELECT * FROM c", "SELECT * FROM c ORDER BY c.n"},
		{"another TOP", "SELECT TOP 4 * FROM c ORDER BY c.n", "SELECT TOP 5 * FROM c WHERE true ORDER BY c.n"},
		{"OFFSET", "SELECT * FROM c ORDER BY c.n OFFSET 1 LIMIT 4", "SELECT * FROM c WHERE true ORDER BY c.n OFFSET 1 LIMIT 4"},
		{"within a document", "SELECT t FROM c JOIN t IN c.tags ORDER BY c.n", "SELECT t" + filtered},
		{"distinct", "SELECT DISTINCT c.n FROM c ORDER BY c.n", "SELECT DISTINCT c.n FROM c WHERE true ORDER BY c.n"},
	}
	for _, test := range tests {
		token := r.query(test.made, pkKey, `["k"]`, maxItems, "2").status(200, "").Header().Get(header.Continuation)
		if token == "" {
			t.Fatalf("%s: no token", test.name)
		}
		r.query(test.made, pkKey, `["k"]`, header.Continuation, token).status(200, "")
		if a := r.query(test.resumed, pkKey, `["k"]`, header.Continuation, token); a.Code != 400 || !strings.Contains(a.message(), "Invalid Continuation Token") {
			t.Errorf("%s: %d %s", test.name, a.Code, a.Body)
		}
		r.query(test.made, rangeID, "0", header.Continuation, token).status(400, "")
	}
	parameter := func(n int, headers ...string) *answer {
		body := fmt.Sprintf(`{"query":"SELECT * FROM c ORDER BY c.tags[@n]","parameters":[{"name":"@n","value":%d}]}`, n)
		return r.send("POST", docs, body, append(headers, "x-ms-documentdb-query", "True", pkKey, `["k"]`)...)
	}
	if a := parameter(1, header.Continuation, parameter(0, maxItems, "2").Header().Get(header.Continuation)); a.Code != 400 {
		t.Errorf("another parameter: %d %s", a.Code, a.Body)
	}
	// Between two documents, the rows of each do not matter.
	token := r.query("SELECT t FROM c JOIN t IN c.tags ORDER BY c.n", pkKey, `["k"]`, maxItems, "3").status(200, "").Header().Get(header.Continuation)
	if rows := r.query("SELECT c.n, t"+filtered, pkKey, `["k"]`, header.Continuation, token).status(200, "").rows(); len(rows) != 10 || rows[0] != `{"n":1,"t":2}` {
		t.Errorf("rows %q", rows)
	}
}
