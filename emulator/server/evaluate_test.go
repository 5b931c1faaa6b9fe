package server

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestQueryWithoutAccount(t *testing.T) {
	var documents []Document
	for _, raw := range []string{`{"id":"1","n":1}`, `{"id":"2","n":2}`, `{"id":"3","n":3}`} {
		d, err := DecodeDocument([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, d)
	}
	q, err := ParseQuery("SELECT VALUE c.id FROM c WHERE c.n IN (@a, 3)", map[string]json.RawMessage{"@a": json.RawMessage("1")})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := q.Run(documents...)
	if err != nil || len(rows) != 2 || string(rows[0]) != `"1"` || string(rows[1]) != `"3"` {
		t.Errorf("the rows are %q, %v", rows, err)
	}
	for i, want := range []bool{true, false, true} {
		if got, err := q.Match(documents[i]); got != want || err != nil {
			t.Errorf("document %d: %v, %v", i+1, got, err)
		}
	}
	if values, ok := q.Restricts("n"); !ok || len(values) != 2 || string(values[0]) != "1" || string(values[1]) != "3" {
		t.Errorf("n is limited to %q, %v", values, ok)
	}
	if values, ok := q.Restricts("id"); ok {
		t.Errorf("id is limited to %q", values)
	}
}

func TestQueryWithoutAccountRefuses(t *testing.T) {
	for _, c := range []struct{ text, parameter, want string }{
		{"SELECT * FROM c WHERE c.n IS 1", "1", `"IS"`},
		{"SELECT * FROM c WHERE c.n = @b", "1", "@b"},
		{"SELECT * FROM c WHERE c.n = @a", "{", "parameter @a"},
	} {
		_, err := ParseQuery(c.text, map[string]json.RawMessage{"@a": json.RawMessage(c.parameter)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error that names %s", c.text, err, c.want)
		}
	}
	if _, err := DecodeDocument([]byte(`{"id":`)); err == nil {
		t.Error("half a document is decoded")
	}
}
