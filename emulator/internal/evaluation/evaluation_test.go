package evaluation

import (
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// queryCase is a query over a document set, with the rows it must give.
type queryCase struct {
	name   string
	docs   string // one document a line
	query  string
	params map[string]string // JSON by name
	want   string            // one row a line
}

func TestQueries(t *testing.T) {
	groups := map[string][]queryCase{
		"documentation": documentationCases,
		"selection":     selectionCases,
		"order":         orderCases,
		"aggregates":    aggregateCases,
		"clients":       clientCases,
		"from":          fromCases,
		"subqueries":    subqueryCases,
		"groups":        groupCases,
		"distinct":      distinctCases,
		"ranking":       rankingCases,
	}
	for group, cases := range groups {
		for _, c := range cases {
			t.Run(group+"/"+c.name, func(t *testing.T) {
				got := strings.Join(runCase(t, c), "\n")
				if want := strings.TrimSpace(c.want); got != want {
					t.Errorf("%s\ngot:\n%s\nwant:\n%s", c.query, got, want)
				}
			})
		}
	}
}

// runCase evaluates a case and gives its rows.
func runCase(t testing.TB, c queryCase) []string {
	t.Helper()
	return mustRun(t, mustBind(t, c.query, c.params), mustDocs(t, c.docs))
}

func mustRun(t testing.TB, p *Plan, docs []value.Value) []string {
	t.Helper()
	raws, err := p.Run(slices.Values(docs))
	if err != nil {
		t.Fatalf("%s: %v", p.query.Text, err)
	}
	rows := []string{}
	for _, raw := range raws {
		rows = append(rows, string(raw))
	}
	return rows
}

func mustBind(t testing.TB, query string, params map[string]string) *Plan {
	t.Helper()
	q, err := cosmossql.Parse(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	values := map[string]value.Value{}
	for name, text := range params {
		values[name] = mustDecode(t, text)
	}
	p, err := Bind(nil, q, values)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return p
}

func mustDecode(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func mustDocs(t testing.TB, lines string) []value.Value {
	t.Helper()
	var docs []value.Value
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		docs = append(docs, mustDecode(t, line))
	}
	return docs
}
