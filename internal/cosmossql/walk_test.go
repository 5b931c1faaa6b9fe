package cosmossql

import (
	"slices"
	"testing"
)

// TestSelects checks that subqueries are found wherever a query may have one.
func TestSelects(t *testing.T) {
	q, err := Parse(`SELECT ARRAY(SELECT VALUE 1), 1 + (SELECT VALUE 2) FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE EXISTS(SELECT VALUE 3)) AS u
		WHERE c.a = 1 AND NOT EXISTS(SELECT VALUE x FROM x IN c.list WHERE x = (SELECT VALUE 4))`)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for s := range q.Main.Selects() {
		texts = append(texts, FormatSelect(s))
	}
	want := []string{
		FormatSelect(q.Main), "SELECT VALUE t FROM t IN c.tags WHERE EXISTS(SELECT VALUE 3)", "SELECT VALUE 3", "SELECT VALUE 1", "SELECT VALUE 2",
		"SELECT VALUE x FROM x IN c.list WHERE (x = (SELECT VALUE 4))", "SELECT VALUE 4",
	}
	if !slices.Equal(texts, want) {
		t.Errorf("selects are %q", texts)
	}
	for range q.Main.Selects() { // the loop may end early
		break
	}
}

func TestInside(t *testing.T) {
	q, err := Parse(`SELECT * FROM c WHERE NOT (UPPER(c.a[c.i]) IN ('x', @p)) OR EXISTS(SELECT VALUE 1) OR c.b BETWEEN 1 AND 2`)
	if err != nil {
		t.Fatal(err)
	}
	var words []string // numbers have none
	for e := range Inside(q.Main.Where) {
		words = append(words, e.At().Word)
	}
	if want := []string{"OR", "NOT", "IN", "UPPER", "c", "c", "c", "c", "x", "@p", "EXISTS", "BETWEEN", "c", "c", "", ""}; !slices.Equal(words, want) {
		t.Errorf("expressions are at %q", words)
	}
	for e := range Inside(q.Main.Where) {
		if _, ok := e.(*Call); ok {
			break
		}
	}
	for query, want := range map[string]bool{"1 + @p": false, "UPPER('x')": false, "EXISTS(SELECT VALUE t FROM t IN c.tags)": false, "c.a": true, "LOWER(c['a']) = 'x'": true, "c": true} {
		q, err := Parse("SELECT VALUE " + query + " FROM c")
		if err != nil {
			t.Fatal(err)
		}
		if got := ReadsProperty(q.Main.Items[0].Expr); got != want {
			t.Errorf("%s reads a property: %t", query, got)
		}
	}
}
