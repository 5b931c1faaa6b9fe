package cosmossql

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"unicode/utf8"
)

// seedQueries gives every query of the tests.
func seedQueries() []queryCase {
	return slices.Concat(documentationCases, selectionCases, orderCases, aggregateCases, clientCases[:3])
}

// checkError fails unless err is an *Error whose position lies in the query.
func checkError(t *testing.T, query string, err error) {
	t.Helper()
	var e *Error
	switch {
	case !errors.As(err, &e):
		t.Fatalf("%q: error %v is no *Error", query, err)
	case !utf8.ValidString(query):
	case e.Start < 0 || e.Start > e.End || e.End > len(query) || query[e.Start:e.End] != e.Word:
		t.Fatalf("%q: wrong position in %#v", query, e)
	case e.Line < 1 || e.Column < 1 || e.Message == "" || e.Code == "" || !utf8.ValidString(e.Word):
		t.Fatalf("%q: incomplete error %#v", query, e)
	}
}

// FuzzParse checks that no text makes the parser panic, and that errors have
// their position within it.
func FuzzParse(f *testing.F) {
	for _, c := range seedQueries() {
		f.Add(c.query)
	}
	f.Add("SELECT * FROM c WHERE c.s = 'a\\ud83d\\ude00\\x'")
	f.Add("SELECT TOP @n COUNT(c.a[1]) FROM root AS r -- x\nWHERE NOT (r.a != .5e-3 || 'y')")
	f.Fuzz(func(t *testing.T, query string) {
		q, err := Parse(query)
		if err != nil {
			checkError(t, query, err)
			return
		}
		if _, err := q.Bind(nil); err != nil {
			checkError(t, query, err)
		}
	})
}

// FuzzRun checks that no query and no documents make the evaluation panic, that
// every row is JSON, and that parts of the plan agree with the whole.
func FuzzRun(f *testing.F) {
	for _, c := range seedQueries() {
		f.Add(c.query, c.docs)
	}
	f.Add("SELECT c.a[0], c.n + 1 FROM c WHERE c.id = 1 OR c.id = 2 OR c.id IN (3, c.n) ORDER BY c.id", `[{"id":1,"n":1e300},{"id":null}]`)
	f.Fuzz(func(t *testing.T, query, text string) {
		q, err := Parse(query)
		if err != nil {
			return
		}
		doc, err := Decode([]byte(text))
		if err != nil {
			return
		}
		p, err := q.Bind(map[string]Value{"@id": doc, "@a": nullValue, "@b": {kind: Number, num: 2}, "@n": {}})
		if err != nil {
			checkError(t, query, err)
			return
		}
		docs := []Value{doc, doc.At(0), doc.At(1), {}}
		rows, err := p.Run(slices.Values(docs))
		if err != nil {
			checkError(t, query, err)
			return
		}
		for _, row := range rows {
			if !json.Valid(row) {
				t.Fatalf("%q over %s gives %q", query, text, row)
			}
		}
		matches := 0
		for _, d := range docs {
			if p.WholeSet() {
				continue
			}
			if ok, err := p.Match(d); err != nil || !ok {
				continue
			}
			matches++
			for _, k := range p.OrderBy() {
				checkRestricts(t, p, k.Path, d)
			}
			checkRestricts(t, p, []string{"id"}, d)
		}
		if !p.HasAggregates() && len(rows) > matches {
			t.Fatalf("%q over %s gives %d rows of %d documents", query, text, len(rows), matches)
		}
	})
}

// checkRestricts fails if a matching document has another value at a path than
// those that WHERE is said to limit it to.
func checkRestricts(t *testing.T, p *Plan, names []string, doc Value) {
	t.Helper()
	values, ok := p.Restricts(names...)
	at := propertyPath(names).of(doc)
	if ok && !slices.ContainsFunc(values, func(v Value) bool { return Equal(v, at) }) {
		t.Fatalf("%q matches %s, but is said to limit %q to %v", p.query.text, doc.JSON(), names, values)
	}
}
