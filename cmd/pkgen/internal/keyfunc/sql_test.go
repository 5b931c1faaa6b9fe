package keyfunc

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestSQL runs the queries over the vectors' documents, in the emulator's query
// language.
func TestSQL(t *testing.T) {
	rows := 0
	for i, v := range readVectors(t) {
		text, err := written("sql", cases[i])
		if err != nil {
			continue // TestRefusals says which
		}
		if _, err := server.ParseQuery(text, map[string]json.RawMessage{"@suffix": json.RawMessage("1")}); err != nil {
			t.Errorf("%s: %v in\n%s", v.Type, err, text)
			continue
		}
		for _, row := range v.Rows {
			if !sqlHolds(cases[i], row) {
				continue
			}
			rows++
			if got := runSQL(t, text, cases[i], row); !reflect.DeepEqual(got, row.Key) {
				t.Errorf("%s of %q = %q, want %q", v.Type, row.In, got, row.Key)
			}
		}
	}
	if rows < 150 {
		t.Errorf("%d vectors were run, want 150 at least", rows)
	}
}

// sqlHolds reports whether the query gives the key of a vector: its comments
// leave out letters beyond ASCII in lower case and large integers.
func sqlHolds(c *templates.Type, row vector) bool {
	if row.Key == nil {
		return false
	}
	for i, p := range newFunction(c).params {
		if p.lower && strings.ContainsFunc(row.In[i], func(r rune) bool { return r > 0x7F }) {
			return false
		}
		if p.Value == pk.Int || p.Value == pk.Uint {
			if digits := strings.TrimPrefix(row.In[i], "-"); c.Kind == templates.Synthetic && len(digits) > 15 {
				return false
			}
		}
	}
	return true
}

// runSQL runs the text of a query over the document of a vector.
func runSQL(t *testing.T, text string, c *templates.Type, row vector) any {
	t.Helper()
	document, params := map[string]any{}, map[string]json.RawMessage{}
	for i, p := range newFunction(c).params {
		in := row.In[i]
		if p.count > 0 {
			params["@suffix"] = json.RawMessage(in)
			continue
		}
		names := strings.Split(p.Property, ".")
		object := document
		for _, name := range names[:len(names)-1] {
			inner := map[string]any{}
			object[name] = inner
			object = inner
		}
		switch p.Value {
		case pk.Int, pk.Uint, pk.Float, pk.Bool:
			object[names[len(names)-1]] = json.RawMessage(in)
		default:
			object[names[len(names)-1]] = in
		}
	}
	raw, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	query, err := server.ParseQuery(text, params)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := server.DecodeDocument(raw)
	if err != nil {
		t.Fatal(err)
	}
	out, err := query.Run(decoded)
	if err != nil || len(out) != 1 {
		t.Fatalf("%s of %s gave %d rows and %v, want 1", c.Name, raw, len(out), err)
	}
	var key any
	if err := json.Unmarshal(out[0], &key); err != nil {
		t.Fatal(err)
	}
	return key
}
