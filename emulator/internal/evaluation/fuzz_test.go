package evaluation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// seedQueries returns every query of the tests.
func seedQueries() []queryCase {
	return slices.Concat(documentationCases, selectionCases, orderCases, aggregateCases, fromCases, subqueryCases,
		groupCases, distinctCases, rankingCases, clientCases[:3])
}

// checkError fails unless err is an *Error whose position lies in the query.
func checkError(t *testing.T, query string, err error) {
	t.Helper()
	var e *cosmossql.Error
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
	for _, scores := range []string{"FullTextScore(c.t, 'a', @b)", "RRF(FullTextScore(c.t, 'a'), VectorDistance(c.v, [1, -2e3]), [1, -0.5])", "RRF([1], RRF())"} {
		f.Add("SELECT TOP 3 c.a FROM c WHERE c.n = 1 ORDER BY RANK " + scores)
	}
	f.Add("SELECT TOP @n COUNT(c.a[1]) FROM root AS r -- x\nWHERE NOT (r.a != .5e-3 || 'y')")
	f.Fuzz(func(t *testing.T, query string) {
		q, err := cosmossql.Parse(query)
		if err != nil {
			checkError(t, query, err)
			return
		}
		if _, err := Bind(nil, q, nil); err != nil {
			checkError(t, query, err)
		}
		checkFormat(t, q)
		if q.Rank != nil {
			checkRanking(t, q)
		}
	})
}

// checkRanking checks that the text of a ranking is parsed to the same ranking.
func checkRanking(t *testing.T, q *cosmossql.Query) {
	t.Helper()
	clause := q.Rank.String()
	again, err := cosmossql.Parse("SELECT 1 FROM " + cosmossql.FormatFrom(q.Main) + " ORDER BY " + clause)
	switch {
	case err != nil && (len(clause) > cosmossql.MaxQueryBytes/2 || strings.Contains(err.Error(), "deep")):
	case err != nil || again.Rank.String() != clause || !slices.Equal(again.Rank.Weights, q.Rank.Weights):
		t.Errorf("%s, formatted as %s: %v", q.Text, clause, err)
	}
}

// checkFormat checks that the text of a query is parsed to the same query. The text has
// parentheses that the query has not, and so may nest too deeply.
func checkFormat(t *testing.T, q *cosmossql.Query) {
	t.Helper()
	text := cosmossql.FormatSelect(q.Main)
	again, err := cosmossql.Parse(text)
	switch {
	case err != nil && (len(text) > cosmossql.MaxQueryBytes || strings.Contains(err.Error(), "deep")):
	case err != nil:
		t.Errorf("%s, formatted as %s: %v", q.Text, text, err)
	case cosmossql.FormatSelect(again.Main) != text:
		t.Errorf("%s is formatted as %s, and that as %s", q.Text, text, cosmossql.FormatSelect(again.Main))
	}
}

// FuzzRun checks that no query and no documents make the evaluation panic, that
// every row is JSON, and that parts of the plan agree with the whole.
func FuzzRun(f *testing.F) {
	for _, c := range seedQueries() {
		f.Add(c.query, "["+strings.ReplaceAll(strings.TrimSpace(c.docs), "\n", ",")+"]")
	}
	for _, tt := range functionCases {
		f.Add("SELECT VALUE "+tt.expr+" FROM c", expressionDoc)
	}
	f.Add("SELECT c.a[0], c.n + 1 FROM c WHERE c.id = 1 OR c.id = 2 OR c.id IN (3, c.n) ORDER BY c.id", `[{"id":1,"n":1e300},{"id":null}]`)
	f.Fuzz(func(t *testing.T, query, text string) {
		q, err := cosmossql.Parse(query)
		if err != nil {
			return
		}
		doc, err := value.Decode([]byte(text))
		if err != nil {
			return
		}
		p, err := Bind(nil, q, map[string]value.Value{"@id": doc, "@a": value.OfNull(), "@b": value.OfFloat(2), "@n": {}})
		if err != nil {
			checkError(t, query, err)
			return
		}
		docs := []value.Value{doc, {}}
		for i := range min(doc.Len(), 5) {
			docs = append(docs, doc.At(i))
		}
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
		checkParts(t, p, docs, rows)
	})
}

// checkParts fails if the documents one by one give other rows than all together, or if a
// document that gives rows does not have one of the values to which WHERE limits a property.
func checkParts(t *testing.T, p *Plan, docs []value.Value, rows [][]byte) {
	t.Helper()
	if p.WholeSet() {
		return
	}
	var parts [][]byte
	for _, d := range docs {
		if err := p.Rows(d, func(raw []byte) bool {
			parts = append(parts, raw)
			return true
		}); err != nil {
			if _, take := p.Window(); take < 0 { // else Run may have stopped before
				t.Fatalf("%q over %s fails alone: %v", p.query.Text, d.JSON(), err)
			}
			return
		}
		if ok, err := p.Match(d); err == nil && ok {
			for _, k := range p.OrderBy() {
				checkRestricts(t, p, k.Path, d)
			}
			checkRestricts(t, p, []string{"id"}, d)
		}
	}
	volatile := strings.Contains(strings.ToUpper(p.query.Text), "GETCURRENT") || strings.Contains(strings.ToUpper(p.query.Text), "RAND")
	skip, take := p.Window()
	if p.HasOrderBy() || volatile {
		if take < 0 && skip == 0 && len(parts) != len(rows) && !volatile {
			t.Fatalf("%q gives %d rows together and %d one by one", p.query.Text, len(rows), len(parts))
		}
		return
	}
	parts = parts[min(skip, len(parts)):]
	if take >= 0 {
		parts = parts[:min(take, len(parts))]
	}
	if !slices.EqualFunc(parts, rows, bytes.Equal) {
		t.Fatalf("%q gives %q together and %q one by one", p.query.Text, rows, parts)
	}
}

// checkRestricts fails if a matching document has a value at a path that Restricts does not
// return.
func checkRestricts(t *testing.T, p *Plan, names []string, doc value.Value) {
	t.Helper()
	values, ok := p.Restricts(names...)
	at := propertyPath(names).of(doc)
	if ok && !slices.ContainsFunc(values, func(v value.Value) bool { return value.Equal(v, at) }) {
		t.Fatalf("%q matches %s, but is said to limit %q to %v", p.query.Text, doc.JSON(), names, values)
	}
}

// FuzzFunctions checks that no arguments make a function panic, that the number of
// arguments is checked, and that results are JSON or an error.
func FuzzFunctions(f *testing.F) {
	for i := range cosmossql.Functions() {
		f.Add(i, `["a", 1, null]`)
		f.Add(i, `[[1, "a"], [1], true]`)
		f.Add(i, `["yyyy", 1, "2020-01-01"]`)
	}
	f.Fuzz(func(t *testing.T, which int, text string) {
		args, err := value.Decode([]byte(text))
		if err != nil || args.Kind() != value.Array || which < 0 || args.Len() > 100 {
			return
		}
		params := map[string]value.Value{}
		names := []string{}
		for i, v := range args.Items() {
			names = append(names, fmt.Sprintf("@p%d", i))
			params[names[i]] = v
		}
		function := cosmossql.Functions()[which%len(cosmossql.Functions())]
		query := "SELECT VALUE " + function.Name + "(" + strings.Join(names, ", ") + ") FROM c"
		q, err := cosmossql.Parse(query)
		if fits := args.Len() >= function.Least && (function.Most < 0 || args.Len() <= function.Most); fits != (err == nil) && !function.RankOnly {
			t.Fatalf("%s: %v", query, err)
		}
		if err != nil {
			return
		}
		p, err := Bind(nil, q, params)
		if err != nil {
			checkError(t, query, err)
			return
		}
		rows, err := p.Run(slices.Values([]value.Value{new(value.Members).Object()}))
		if err != nil {
			checkError(t, query, err)
		}
		for _, row := range rows {
			if !json.Valid(row) {
				t.Fatalf("%s of %s is %q", query, text, row)
			}
		}
	})
}

// FuzzLike compares LIKE with a regular expression of the same meaning.
func FuzzLike(f *testing.F) {
	for _, seed := range [][2]string{{"mississippi", "%iss%ip%"}, {"a", "_"}, {"ab", "a[b-c]"}, {"a%", "a[%]"}, {"é", "[^a-z]%"}, {"", ""}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, pattern string) {
		items, err := parseLike(pattern, '!')
		if err != nil || !utf8.ValidString(text) || !utf8.ValidString(pattern) || len(pattern) > 200 {
			return
		}
		var expression strings.Builder
		expression.WriteString("(?s)^")
		for _, item := range items {
			switch {
			case item.any:
				expression.WriteString(".*")
			case len(item.ranges) == 0:
				expression.WriteString(".")
			default:
				var set strings.Builder
				for _, r := range item.ranges {
					if r.from <= r.to {
						fmt.Fprintf(&set, `\x{%x}-\x{%x}`, r.from, r.to)
					}
				}
				switch {
				case set.Len() == 0 && item.negated:
					expression.WriteString(".")
				case set.Len() == 0:
					expression.WriteString("[^\\x00-\\x{10FFFF}]")
				case item.negated:
					expression.WriteString("[^" + set.String() + "]")
				default:
					expression.WriteString("[" + set.String() + "]")
				}
			}
		}
		want := regexp.MustCompile(expression.String() + "$").MatchString(text)
		if got := matchLike(nil, items, text); got != want {
			t.Fatalf("%q LIKE %q is %v, but %s says %v", text, pattern, got, expression.String(), want)
		}
	})
}
