package evaluation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// spending runs a query that may take so many steps.
func spending(t *testing.T, query string, steps int, doc value.Value) error {
	t.Helper()
	q, err := cosmossql.Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	m := work.NewMeter(context.Background(), work.Limits{Steps: steps})
	defer m.Close()
	p, err := Bind(m, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(slices.Values([]value.Value{doc}))
	return err
}

// TestSubqueriesAndJoinsSpend holds what one document makes the evaluation do to a budget: each
// element that a subquery or a JOIN looks at counts, and so do the bytes that DISTINCT and
// aggregates compare.
func TestSubqueriesAndJoinsSpend(t *testing.T) {
	numbers := make([]string, 1000)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i)
	}
	long := strings.Repeat("a", 100_000)
	doc := mustDecode(t, fmt.Sprintf(`{"a":[%s],"t":%q,"two":[%q,%[3]q]}`, strings.Join(numbers, ","), long, long+"b"))
	for query, tooMany := range map[string]bool{
		"SELECT VALUE 1 FROM c WHERE EXISTS(SELECT 1 FROM x IN c.a WHERE x < 0)":                                                              false,
		"SELECT VALUE 1 FROM c WHERE EXISTS(SELECT 1 FROM x IN c.a WHERE EXISTS(SELECT 1 FROM y IN c.a WHERE x + y < 0))":                     true,
		"SELECT VALUE 1 FROM c WHERE NOT EXISTS(SELECT 1 FROM x IN c.a JOIN y IN c.a WHERE x + y < 0)":                                        true,
		"SELECT VALUE ARRAY_LENGTH(ARRAY(SELECT VALUE x FROM x IN c.a)) FROM c":                                                               false,
		"SELECT VALUE ARRAY_LENGTH(ARRAY(SELECT VALUE x FROM x IN c.a JOIN y IN c.a)) FROM c":                                                 true,
		"SELECT VALUE x FROM c JOIN x IN c.a":                                                                                                 false,
		"SELECT VALUE x FROM c JOIN x IN c.a JOIN y IN c.a WHERE x + y < 0":                                                                   true,
		"SELECT VALUE (SELECT VALUE COUNT(1) FROM x IN c.a JOIN y IN c.a) FROM c":                                                             true,
		"SELECT VALUE (SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE [c.t, x] FROM x IN c.a)) FROM c":                                     true,
		"SELECT VALUE (SELECT VALUE MAX(s) FROM x IN c.a JOIN s IN c.two) FROM c":                                                             true,
		"SELECT VALUE COUNT(1) FROM c JOIN x IN c.a JOIN (SELECT VALUE ARRAY(SELECT VALUE y FROM y IN c.a WHERE y > x)) WHERE 1 = 2":          true,
		"SELECT VALUE x FROM c JOIN (SELECT VALUE y FROM y IN c.a WHERE EXISTS(SELECT VALUE z FROM z IN c.a WHERE z = 999 AND y = 999)) AS x": true,
	} {
		err := spending(t, query, 1_000_000, doc)
		if tooMany && !errors.Is(err, work.ErrTooMuch) || !tooMany && err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestDistinctOfSubqueriesIsBounded holds the memory of one document's distinct rows.
func TestDistinctOfSubqueriesIsBounded(t *testing.T) {
	numbers := make([]string, 200)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i)
	}
	doc := mustDecode(t, fmt.Sprintf(`{"a":[%s],"t":%q}`, strings.Join(numbers, ","), strings.Repeat("a", 1<<20)))
	query := "SELECT VALUE (SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE [c.t, x] FROM x IN c.a)) FROM c"
	_, err := mustBind(t, query, nil).Run(slices.Values([]value.Value{doc}))
	if err == nil || !strings.Contains(err.Error(), "DISTINCT holds more than") {
		t.Error(err)
	}
}
