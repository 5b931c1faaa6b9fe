package cosmossql

import (
	"errors"
	"slices"
	"testing"
)

// TestRanking checks what is read of ORDER BY RANK, and that parsing its text gives the same.
func TestRanking(t *testing.T) {
	for _, test := range []struct {
		clause, want string
		weights      []float64
	}{
		{`rank fulltextscore(c.text, 'swim', "run")`, `RANK FULLTEXTSCORE(c.text, "swim", "run")`, nil},
		{`RANK FullTextScore(c["a b"].t, @word)`, `RANK FULLTEXTSCORE(c["a b"].t, @word)`, nil},
		{`RANK VectorDistance(c.v, [1, -2])`, `RANK VECTORDISTANCE(c.v, [1, (- 2)])`, nil},
		{`RANK (FullTextScore(c.t, 'x'))`, "", nil}, // a call of a function RANK
		{`RANK RRF(FullTextScore(c.t, 'x'), VectorDistance(c.v, @v, false, {'dataType': 'int8'}))`, `RANK RRF(FULLTEXTSCORE(c.t, "x"), VECTORDISTANCE(c.v, @v, false, {"dataType": "int8"}))`, nil},
		{`RANK rrf(FullTextScore(c.t, 'x'), FullTextScore(c.t, 'y'), [2, -0.5])`, `RANK RRF(FULLTEXTSCORE(c.t, "x"), FULLTEXTSCORE(c.t, "y"), [2, -0.5])`, []float64{2, -0.5}},
		{`RANK RRF(VectorDistance(c.v, [1]), VectorDistance(c.w, [1]), FullTextScore(c.t, 'x'), [+1, 0, 1e-3])`, `RANK RRF(VECTORDISTANCE(c.v, [1]), VECTORDISTANCE(c.w, [1]), FULLTEXTSCORE(c.t, "x"), [1, 0, 0.001])`, []float64{1, 0, 0.001}},
	} {
		const head = "SELECT TOP 3 * FROM c ORDER BY "
		q, err := Parse(head + test.clause)
		if test.want == "" {
			if err == nil {
				t.Errorf("%s is accepted", test.clause)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.clause, err)
			continue
		}
		if got := q.Rank.String(); got != test.want || !slices.Equal(q.Rank.Weights, test.weights) || len(q.Order) > 0 {
			t.Errorf("%s\ngot  %s, %v\nwant %s, %v", test.clause, got, q.Rank.Weights, test.want, test.weights)
		}
		if again, err := Parse(head + test.want); err != nil || again.Rank.String() != test.want {
			t.Errorf("%s is not parsed again: %v", test.want, err)
		}
		if got := q.Combines(); !slices.Equal(got, []string{"TOP", "ORDER BY RANK"}) {
			t.Errorf("%s combines %v", test.clause, got)
		}
	}
	if q, err := Parse("SELECT * FROM rank ORDER BY rank.n"); err != nil || q.Rank != nil || len(q.Order) != 1 {
		t.Errorf("a container that is called rank: %v", err)
	}
}

// TestRankingMistakes checks the refusals, by the codes of the service where they are known.
func TestRankingMistakes(t *testing.T) {
	const score = "FullTextScore(c.t, 'x')"
	for _, test := range []struct{ query, code, word string }{
		{"SELECT FullTextScore(c.t, 'x') FROM c", "SC2240", "FullTextScore"},
		{"SELECT * FROM c WHERE FullTextScore(c.t, 'x') != 1", "SC2240", "FullTextScore"},
		{"SELECT * FROM c ORDER BY FullTextScore(c.t, 'x')", "SC2240", "FullTextScore"},
		{"SELECT * FROM c ORDER BY RANK ABS(FullTextScore(c.t, 'x'))", "SC2240", "FullTextScore"},
		{"SELECT * FROM c ORDER BY RANK VectorDistance(FullTextScore(c.t, 'x'), [1])", "SC2240", "FullTextScore"},
		{"SELECT RRF(1, 2) FROM c", "SC2005", "RRF"},
		{"SELECT * FROM c ORDER BY RANK RRF(RRF(" + score + ", " + score + "), " + score + ")", "SC2005", "RRF"},
		{"SELECT * FROM c ORDER BY RANK c.n", "SC2221", "c"},
		{"SELECT * FROM c ORDER BY RANK " + score + " + 1", "SC2221", "+"},
		{"SELECT * FROM c ORDER BY RANK RRF(" + score + ")", "SC2221", "RRF"},
		{"SELECT * FROM c ORDER BY RANK RRF(" + score + ", [1])", "SC2221", "RRF"},
		{"SELECT * FROM c ORDER BY RANK RRF(" + score + ", 123)", "SC2221", "123"},
		{"SELECT * FROM c ORDER BY RANK RRF([1, 2], " + score + ", " + score + ")", "SC2229", "FullTextScore"},
		{"SELECT * FROM c ORDER BY RANK RRF(" + score + ", " + score + ", [1])", "SC2229", "["},
		{"SELECT * FROM c ORDER BY RANK RRF(" + score + ", " + score + ", [1, c.n])", "SC2229", "["},
		{"SELECT * FROM c ORDER BY RANK RRF(" + score + ", " + score + ", [1, @w])", "SC2229", "["},
		{"SELECT * FROM c ORDER BY RANK RRF(" + score + ", " + score + ", @weights)", "SC2221", "@weights"},
		{"SELECT * FROM c ORDER BY RANK " + score + " DESC", "2206", "DESC"},
		{"SELECT * FROM c ORDER BY RANK RRF(" + score + ", " + score + ") ASC", "2206", "ASC"},
		{"SELECT * FROM c ORDER BY RANK " + score + ", " + score, "2206", ","},
		{"SELECT * FROM c ORDER BY c.n, RANK " + score, "SC1001", "FullTextScore"},
		{"SELECT VALUE x FROM x IN c.list ORDER BY RANK FullTextScore(x.t, 'x')", "SC2223", "x"},
		{"SELECT VALUE x FROM c JOIN x IN c.list ORDER BY RANK " + score, "SC2224", "x"},
		{"SELECT VALUE x FROM (SELECT VALUE c FROM c) x ORDER BY RANK FullTextScore(x.t, 'x')", "SC2225", "("},
		{"SELECT COUNT(1) FROM (SELECT VALUE c FROM c ORDER BY RANK " + score + ") x", "SC2228", "ORDER"},
		{"SELECT DISTINCT c.n FROM c ORDER BY RANK " + score, CodeUnsupported, "RANK"},
		{"SELECT COUNT(1) FROM c ORDER BY RANK " + score, CodeUnsupported, "RANK"},
		{"SELECT c.n FROM c GROUP BY c.n ORDER BY RANK " + score, CodeUnsupported, "ORDER"},
		{"SELECT TOP @n * FROM c ORDER BY RANK " + score, CodeCount, "@n"},
		{"SELECT * FROM c ORDER BY RANK " + score + " OFFSET 0 LIMIT @n", CodeCount, "@n"},
		{"SELECT * FROM c ORDER BY RANK " + score + " OFFSET @n LIMIT 1", CodeCount, "@n"},
		{"SELECT * FROM c ORDER BY RANK FullTextScore(c.t)", CodeArity, "FullTextScore"},
		{"SELECT * FROM c ORDER BY RANK FullTextScore('text', 'x')", CodeUnsupported, "'text'"},
		{"SELECT * FROM c ORDER BY RANK FullTextScore(c, 'x')", CodeUnsupported, "c"},
		{"SELECT * FROM c ORDER BY RANK FullTextScore(c.t, ['x', 'y'])", CodeUnsupported, "["},
		{"SELECT * FROM c ORDER BY RANK FullTextScore(c.t, {'term': 'x', 'distance': 1})", CodeUnsupported, "{"},
		{"SELECT * FROM c ORDER BY RANK FullTextScore(c.t, 1)", CodeUnsupported, "1"},
		{"SELECT * FROM c ORDER BY RANK FullTextScore(c.t, c.word)", CodeUnsupported, "c"},
		{"SELECT * FROM c ORDER BY RANK " + score + " WHERE c.n = 1", "SC1001", "WHERE"},
		{"SELECT * FROM c ORDER BY RANK VectorDistance((SELECT VALUE c.v), [1])", CodeOrderPath, "("},
		{"SELECT * FROM c.sub AS s ORDER BY RANK RRF(VectorDistance(s.v, [1]), " + score + ")", CodeIdentifier, "c"},
		{"SELECT * FROM c.sub AS s ORDER BY RANK VectorDistance(s.v, [1])", CodeOrderPath, "s"},
		{"SELECT * FROM c ORDER BY VectorDistance(ARRAY(SELECT VALUE x FROM x IN c.v), [1])", CodeOrderPath, "ARRAY"},
		{"SELECT c.n FROM c JOIN x IN c.v ORDER BY VectorDistance([x, 1], [1, 1])", CodeOrderPath, "x"},
		{"SELECT c.n FROM c JOIN x IN c.t ORDER BY _FullTextScore(x, ['a'], 1, 1, [1])", CodeOrderPath, "x"},
		{"SELECT s.n FROM c.sub AS s ORDER BY _VectorScore(s.v, [1])", CodeOrderPath, "s"},
	} {
		_, err := Parse(test.query)
		var e *Error
		if !errors.As(err, &e) || e.Code != test.code || e.Word != test.word {
			t.Errorf("%s\ngot  %v\nwant code %s at %q", test.query, err, test.code, test.word)
		}
	}
}

// TestScoresOfPlans checks the directions of ORDER BY in component queries.
func TestScoresOfPlans(t *testing.T) {
	for clause, descending := range map[string]bool{
		"_FullTextScore(c.t, ['x'], 1, 1, [1]) DESC": true,
		"_FullTextScore(c.t, ['x'], 1, 1, [1]) ASC":  false,
		"_VectorScore(c.v, [1])":                     true,
		"_VectorScore(c.v, [1]) DESC":                true,
		"_VectorScore(c.v, [1]) ASC":                 false,
	} {
		q, err := Parse("SELECT c._rid FROM c ORDER BY " + clause)
		if err != nil || len(q.Order) != 1 || q.Order[0].Score() == nil || q.Order[0].Descending != descending {
			t.Errorf("%s: %v", clause, err)
		}
	}
	if _, err := Parse("SELECT * FROM c ORDER BY _VectorScore(c.v, [1]), c.n"); err == nil {
		t.Error("a score besides a property is accepted")
	}
}
