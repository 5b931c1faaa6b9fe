package query_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
)

type anything struct{}

// where is what Query.Where does.
func where(q query.Selection, predicates ...documents.Predicate[anything]) query.Selection {
	return q.Where(documents.Conditions(predicates))
}

// selects is a query with the conditions of q.
func selects(q query.Selection) string {
	return "SELECT * FROM c WHERE (" + strings.Join(q.Conditions, ") AND (") + ")"
}

func TestWhereNumbersParameters(t *testing.T) {
	n := documents.Number[anything, int]("/n")
	s := documents.String[anything, string]("/s")
	base := query.Selection{
		Conditions: []string{`c["date"] = @pkgen0`},
		Parameters: []azcosmos.QueryParameter{{Name: "@pkgen0", Value: "2018-08-09"}},
	}
	left := where(base, n.In(1, 2), s.Eq("@pkgen0")).
		WhereRaw("c.x = @x", []azcosmos.QueryParameter{{Name: "@x", Value: 3}})
	left = where(left, n.Ne(4))
	right := where(base, s.StartsWith("a"))
	for _, c := range []struct {
		query      query.Selection
		sql        string
		parameters map[string]string
	}{
		{base, `SELECT * FROM c WHERE (c["date"] = @pkgen0)`, map[string]string{"@pkgen0": `"2018-08-09"`}},
		{where(base), selects(base), map[string]string{"@pkgen0": `"2018-08-09"`}},
		{
			left,
			`SELECT * FROM c WHERE (c["date"] = @pkgen0) AND (c["n"] IN (@pkgen1, @pkgen2)) AND (c["s"] = @pkgen3)` +
				` AND (c.x = @x) AND (IS_NUMBER(c["n"]) AND c["n"] != @pkgen5)`,
			map[string]string{"@pkgen0": `"2018-08-09"`, "@pkgen1": "1", "@pkgen2": "2", "@pkgen3": `"@pkgen0"`, "@x": "3", "@pkgen5": "4"},
		},
		{
			right,
			`SELECT * FROM c WHERE (c["date"] = @pkgen0) AND (STARTSWITH(c["s"], @pkgen1))`,
			map[string]string{"@pkgen0": `"2018-08-09"`, "@pkgen1": `"a"`},
		},
	} {
		if selects(c.query) != c.sql {
			t.Errorf("got  %s\nwant %s", selects(c.query), c.sql)
		}
		got := map[string]string{}
		for _, p := range c.query.Parameters {
			value, err := json.Marshal(p.Value)
			if err != nil {
				t.Fatal(err)
			}
			got[p.Name] = string(value)
		}
		if !reflect.DeepEqual(got, c.parameters) || len(got) != len(c.query.Parameters) {
			t.Errorf("%s\nhas the parameters %v, want %v", c.sql, got, c.parameters)
		}
	}
}

// A cursor is bound to text and parameters.
func TestEqualPredicatesGiveEqualQueries(t *testing.T) {
	build := func() query.Selection {
		list := documents.List[anything, map[string]any]("/l").Contains(map[string]any{"b": 1, "a": []int{2}, "c": nil})
		return where(query.Selection{}, documents.And(list, documents.Not(documents.Number[anything, float64]("?/n").Between(-1, 1e6))))
	}
	if a, b := build(), build(); !reflect.DeepEqual(a, b) {
		t.Errorf("%#v differs from %#v", a, b)
	}
}

// FuzzWhere puts any name and any text into a query. The emulator's parser must
// find that property, that value, and the other conditions in it.
func FuzzWhere(f *testing.F) {
	for _, s := range []string{
		"vin", "", "order", "a.b", `"`, `'`, `\`, `"] = 1 OR true --`, `' OR '1'='1`, "@pkgen0", "/", "~1", "$", "@",
		"$[0]", "é", "日本", "\U0001f697", "\x00\x1f\x7f", "\u2028<&>", "a\"]//", `\u0022`, "\xff", "*/", "c", "?",
	} {
		f.Add(s, "plain")
		f.Add("plain", s)
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if len(name)+len(text) > 10_000 {
			return
		}
		pointer := documents.Map[anything, documents.String[anything, string]]("/outer").Key(name)
		q := where(query.Selection{},
			documents.And(pointer.Eq(text), documents.Number[anything, int]("/n").In(1, 2)),
			documents.Or(pointer.EndsWith(text), documents.Number[anything, int]("/m").Eq(3)),
		)
		if err := q.Err; (err == nil) != utf8.ValidString(text) {
			t.Fatalf("%q: %v", text, err)
		} else if err != nil {
			return
		}
		parameters := map[string]json.RawMessage{}
		for _, p := range q.Parameters {
			parameters[p.Name] = encoded(t, p.Value)
		}
		parsed, err := server.ParseQuery(selects(q), parameters)
		if err != nil {
			t.Fatalf("%s: %v", selects(q), err)
		}
		name = asJSON(name)
		values, ok := parsed.Restricts("outer", name)
		if !ok || len(values) != 1 || !equalJSON(t, values[0], text) {
			t.Fatalf("%s\nlimits the property to %s", selects(q), values)
		}
		if values, ok = parsed.Restricts("n"); !ok || len(values) != 2 {
			t.Fatalf("%s\nlimits n to %s", selects(q), values)
		}
		for _, c := range []struct {
			doc  map[string]any
			want bool
		}{
			{map[string]any{"outer": map[string]any{name: text}, "n": 1}, true},
			{map[string]any{"outer": map[string]any{name: text}, "n": 2, "m": 3}, true},
			{map[string]any{"outer": map[string]any{name: text}, "n": 3}, false},
			{map[string]any{"outer": map[string]any{name: text + "x"}, "n": 1}, false},
			{map[string]any{"outer": map[string]any{name + "x": text}, "n": 1}, false},
			{map[string]any{name: text, "n": 1, "m": 3}, false},
			{map[string]any{}, false},
		} {
			if got, err := parsed.Match(document(t, c.doc)); err != nil || got != c.want {
				t.Fatalf("%s\nis %v of %v, %v", selects(q), got, c.doc, err)
			}
		}
	})
}

// asJSON is s as JSON keeps it: each byte that is no UTF-8 is replaced.
func asJSON(s string) string { return string([]rune(s)) }

// equalJSON reports whether a JSON text is a string.
func equalJSON(t *testing.T, raw json.RawMessage, want string) bool {
	t.Helper()
	var got any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	return got == want
}

func encoded(t *testing.T, v any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func document(t *testing.T, v any) server.Document {
	t.Helper()
	d, err := server.DecodeDocument(encoded(t, v))
	if err != nil {
		t.Fatal(err)
	}
	return d
}
