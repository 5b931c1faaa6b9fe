package cosmossql

import "testing"

// TestFormat checks the text of selects, and that parsing it gives the same text again.
func TestFormat(t *testing.T) {
	for _, test := range []struct{ query, want string }{
		{`select * from c`, `SELECT * FROM c`},
		{`SELECT DISTINCT VALUE c.a FROM root c`, `SELECT DISTINCT VALUE c.a FROM root AS c`},
		{`SELECT c.a, c["b c"] x, 1+2*3, c.d[0].e, c['select'] FROM c`, `SELECT c.a, c["b c"] AS x, (1 + (2 * 3)), c.d[0].e, c["select"] FROM c`},
		{`SELECT c.a FROM c WHERE NOT c.a AND c.b OR c.c`, `SELECT c.a FROM c WHERE (((NOT c.a) AND c.b) OR c.c)`},
		{`SELECT c.a FROM c WHERE c.a NOT IN (1,'x',null,true,undefined,@p)`, `SELECT c.a FROM c WHERE (c.a NOT IN (1, "x", null, true, undefined, @p))`},
		{`SELECT c.a FROM c WHERE c.a between 1 and 2 and c.b like 'x!%' escape '!'`, `SELECT c.a FROM c WHERE ((c.a BETWEEN 1 AND 2) AND (c.b LIKE "x!%" ESCAPE "!"))`},
		{`SELECT c.a ? 1 : (c.b ?? 'q"r') AS v FROM c`, `SELECT (c.a ? 1 : (c.b ?? "q\"r")) AS v FROM c`},
		{`SELECT [1, {"a b": c.x, d: -c.y}] AS v FROM c`, `SELECT [1, {"a b": c.x, "d": (- c.y)}] AS v FROM c`},
		{`SELECT upper(c.a), COUNT(1) n FROM c GROUP BY upper(c.a)`, `SELECT UPPER(c.a), COUNT(1) AS n FROM c GROUP BY UPPER(c.a)`},
		{`SELECT t FROM c JOIN t IN c.tags JOIN (SELECT VALUE u FROM u IN c["x y"][2]) AS w`, `SELECT t FROM c JOIN t IN c.tags JOIN (SELECT VALUE u FROM u IN c["x y"][2]) AS w`},
		{`SELECT c.a AS 'b', c.a AS "a b", 1 AS 'order', 2 AS '$2', 3, c.d AS 'd', 4 AS '$9' FROM c`, `SELECT c.a AS b, c.a AS "a b", 1 AS "order", 2 AS "$2", 3, c.d, 4 AS "$9" FROM c`},
		{`SELECT x FROM x IN c.list`, `SELECT x FROM x IN root.list`},
		{`SELECT VALUE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = @t) FROM c`, `SELECT VALUE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE (t = @t)) FROM c`},
		{`SELECT ARRAY(SELECT t.a FROM t IN c.tags) AS l, (SELECT VALUE 1) AS o FROM c`, `SELECT ARRAY(SELECT t.a FROM t IN c.tags) AS l, (SELECT VALUE 1) AS o FROM c`},
		{`SELECT 0 .a, {"b": 1}.b, @p.c FROM c`, `SELECT (0).a, ({"b": 1}).b, @p.c FROM c`},
		{`SELECT d.a FROM c.d`, `SELECT d.a FROM c.d`},
		{`SELECT e.a FROM c.d AS e`, `SELECT e.a FROM c.d AS e`},
		{`SELECT VALUE 9007199254740995`, `SELECT VALUE 9007199254740995`},
		{`SELECT c[@p], c[c.i], c.a || 'x', c.n & 1, ~c.n, c.a != 1, c.a <> 1 FROM c`, `SELECT c[@p], c[c.i], (c.a || "x"), (c.n & 1), (~ c.n), (c.a != 1), (c.a <> 1) FROM c`},
	} {
		q, err := Parse(test.query)
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		got := FormatSelect(q.Main)
		if got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.query, got, test.want)
		}
		again, err := Parse(got)
		if err != nil {
			t.Errorf("%s, formatted as %s: %v", test.query, got, err)
			continue
		}
		if second := FormatSelect(again.Main); second != got {
			t.Errorf("%s is formatted as %s, and that as %s", test.query, got, second)
		}
	}
}
