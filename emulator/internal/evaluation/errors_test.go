package evaluation

import (
	"errors"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// TestErrors checks what is refused: the position, the word and the advice. A
// query is marked with ^ before the offending word.
func TestErrors(t *testing.T) {
	tests := []struct {
		marked  string
		word    string
		code    string
		message string // a part of it
	}{
		// Syntax.
		{"^", "", "SC1001", "the query ends where SELECT was expected"},
		{"^SELEC * FROM c", "SELEC", "SC1001", `incorrect syntax near "SELEC": expected SELECT`},
		{"SELECT ^FROM c", "FROM", "SC1001", "expected an expression"},
		{"SELECT * FROM ^", "", "SC1001", "a container, a name or a subquery"},
		{"SELECT * FROM c ^garbage garbage", "", "", ""},
		{"SELECT * FROM c WHERE ^", "", "SC1001", "the query ends where an expression was expected"},
		{"SELECT * FROM c WHERE c.n = 3 ^garbage", "garbage", "SC1001", "expected the end of the query"},
		{"SELECT * FROM c\nWHERE c.é^", "", "", ""},
		{"SELECT * FROM c WHERE c.n == 3", "", "", ""},
		{"SELECT *^, c.id FROM c", ",", "SC1001", "expected FROM"},
		{"SELECT VALUE ^* FROM c", "*", "SC1001", "expected an expression"},
		{"SELECT c.a b ^d FROM c", "d", "SC1001", "the end of the query"},
		{"SELECT * FROM c WHERE c.n IN ^1", "1", "SC1001", "expected ("},
		{"SELECT * FROM c WHERE c.n ^IN ()", "IN", "SC1001", "the list is empty"},
		{"SELECT * FROM c WHERE c.n IN (1,^)", ")", "SC1001", "expected an expression"},
		{"SELECT * FROM c WHERE c.n BETWEEN 1 ^OR 2", "OR", "SC1001", "expected AND"},
		{"SELECT * FROM c WHERE c.n ^NOT = 1", "NOT", "SC1001", "expected IN, BETWEEN or LIKE"},
		{"SELECT * FROM c WHERE (c.n = 1^", "", "SC1001", "expected"},
		{"SELECT * FROM c WHERE c[^]", "]", "SC1001", "expected an expression"},
		{"SELECT * FROM c ORDER ^c.n", "c", "SC1001", "expected BY"},
		{"SELECT * FROM c OFFSET 1^", "", "SC1001", "expected"},
		{"SELECT TOP ^x * FROM c", "x", "SC1001", "a number or a parameter after TOP"},
		{"SELECT * FROM c WHERE c.^2", "", "", ""},

		// Words and characters.
		{"SELECT * FROM c WHERE c.^value = 1", "value", "SC1001", `value is a reserved word; choose another name, or write a property as c["value"]`},
		{"SELECT * FROM c WHERE c.^Group = 1", "Group", "SC1001", `c["Group"]`},
		{"SELECT c.^order FROM c", "order", "SC1001", `c["order"]`},
		{"SELECT c.a AS ^Value FROM c", "Value", "SC1001", "a name after AS"},
		{"SELECT c.a AS ^'' FROM c", "''", "SC1001", "a name after AS"},
		{"SELECT c.a ^'b' FROM c", "'b'", "SC1001", "expected"},
		{"SELECT c.a FROM c AS ^'b'", "'b'", "SC1001", "a name after AS"},
		{"SELECT c.a AS 'b', c.d AS ^\"b\" FROM c", "\"b\"", "SC2990", "give one of them another name"},
		{"SELECT * FROM c ORDER BY c.^top", "top", "SC1001", `c["top"]`},
		{"SELECT * FROM c WHERE c.n = ^12a", "12a", "SC1001", `"12a" is not a number`},
		{"SELECT * FROM c WHERE c.n = ^1e999", "1e999", "SC1001", "beyond the range"},
		{"SELECT * FROM c WHERE c.n = ^1e+", "1e+", "SC1001", "not a number"},
		{"SELECT * FROM c WHERE c.^$type = 1", "$", "SC1001", `c["…"]`},
		{"SELECT * FROM c WHERE c.s = ^'open", "'open", "SC1001", "its quote ' is missing"},
		{"SELECT * FROM c WHERE c.s = 'a^\\x'", `\x`, "SC1001", `unknown escape \x`},
		{"SELECT * FROM c WHERE c.s = 'a^\\u12'", `\u`, "SC1001", "unknown escape"},
		{"SELECT * FROM c WHERE c.s = 'a^\nb'", "\n", "SC1001", "control character"},
		{"SELECT * FROM c WHERE c.s = 'O''^x'", "", "", ""},
		{"SELECT * FROM c WHERE c.n = ^@", "@", "SC1001", "a parameter name must follow @"},
		{"SELECT *\n  FROM c\n WHERE 'é' = c.ü^", "", "", ""},

		// Names.
		{"SELECT * FROM c WHERE ^name = 'x'", "name", "SC2001", "properties are written c.name"},
		{"SELECT * FROM c x WHERE ^c.name = 'x'", "c", "SC2001", "could not be resolved"},
		{"SELECT ^d.x FROM c", "d", "SC2001", "could not be resolved"},
		{"SELECT * FROM c WHERE c.t = ^TRUE", "TRUE", "SC2001", "the constant is written true"},
		{"SELECT * FROM c WHERE ^BADFUNC(c.n)", "BADFUNC", "SC2005", "not a function"},
		{"SELECT * FROM c WHERE ^CONTAINS(c.n)", "CONTAINS", "SC2050", "CONTAINS takes 2 to 3 arguments, not 1"},
		{"SELECT * FROM c WHERE ^IS_NULL()", "IS_NULL", "SC2050", "IS_NULL takes 1 argument, not 0"},
		{"SELECT * FROM c WHERE c.n = ^@n", "@n", "SC2001", "parameter @n has no value"},
		{"SELECT TOP ^@n * FROM c", "@n", "SC2001", "parameter @n has no value"},
		{"SELECT c.id, c.a AS ^id FROM c", "id", "SC2990", "give one of them another name"},

		// Counts.
		{"SELECT TOP ^1.5 * FROM c", "1.5", "SC2060", "TOP takes a whole number"},
		{"SELECT TOP ^@text * FROM c", "@text", "SC2060", "TOP takes a whole number"},
		{"SELECT * FROM c OFFSET ^@minus LIMIT 1", "@minus", "SC2060", "OFFSET takes a whole number"},
		{"SELECT * FROM c OFFSET 0 LIMIT ^99999999999", "99999999999", "SC2060", "LIMIT takes a whole number"},

		// Aggregates, groups and orders.
		{"SELECT * FROM c WHERE ^COUNT(1) = 1", "COUNT", "SC2990", "not allowed in WHERE"},
		{"SELECT * FROM c ORDER BY ^COUNT(1)", "COUNT", "SC2990", "not allowed in ORDER BY"},
		{"SELECT c.a FROM c GROUP BY ^COUNT(1)", "COUNT", "SC2990", "not allowed in GROUP BY"},
		{"SELECT SUM(^COUNT(1)) FROM c", "COUNT", "SC2101", "within another"},
		{"SELECT SUM(^(SELECT VALUE 1)) FROM c", "(", "SC2101", "over a subquery"},
		{"SELECT SUM(^EXISTS(SELECT 1)) FROM c", "EXISTS", "SC2101", "over a subquery"},
		{"SELECT COUNT(1), ^c.a FROM c", "c", "SC2102", `property reference "c" is invalid`},
		{"SELECT COUNT(1), ^(SELECT VALUE c.a) FROM c", "(", "SC2990", "together with an aggregate"},
		{"SELECT ^COUNT() FROM c", "COUNT", "SC2050", "COUNT takes 1 argument, not 0"},
		{"SELECT c.a, ^c.b FROM c GROUP BY c.a", "c", "SC2102", "GROUP BY clause"},
		{"SELECT c.a, COUNT(1) + LENGTH(^c.b) FROM c GROUP BY c.a", "c", "SC2102", "GROUP BY clause"},
		{"SELECT c.name, ^s.score FROM c JOIN s IN c.scores GROUP BY c.name", "s", "SC2102", "GROUP BY clause"},
		{"SELECT ^c.a NOT IN (1) FROM c GROUP BY c.a IN (1)", "c", "SC2102", "GROUP BY clause"},
		{"SELECT ^c.a LIKE 'x' FROM c GROUP BY c.a LIKE 'y'", "c", "SC2102", "GROUP BY clause"},
		{"SELECT 1 FROM c GROUP BY c.a + ^(SELECT VALUE 1)", "(", "SC2990", "takes no subqueries"},
		{"SELECT * FROM c GROUP BY ^c.a", "c", "SC2041", "not allowed with GROUP BY"},
		{"SELECT 1 FROM c GROUP BY ^1", "1", "SC2990", "mention a property"},
		{"SELECT 1 FROM c GROUP BY ^(SELECT VALUE c.a)", "(", "SC2990", "takes no subqueries"},
		{"SELECT c.a FROM c GROUP BY c.a ^ORDER BY c.a", "ORDER", "SC2990", "GROUP BY cannot be combined with ORDER BY"},
		{"SELECT * FROM c ORDER BY ^LOWER(c.a)", "LOWER", "2206", "could not be mapped to a document path"},
		{"SELECT * FROM c ORDER BY ^c", "c", "2206", "could not be mapped"},
		{"SELECT * FROM c ORDER BY ^1", "1", "2206", "could not be mapped"},
		{"SELECT * FROM c ORDER BY ^c[c.a]", "c", "2206", "an index in brackets"},
		{"SELECT c FROM c JOIN t IN c.tags ORDER BY ^t.a", "t", "2206", "elements of arrays"},
		{"SELECT * FROM t IN c.tags ORDER BY ^t.a", "t", "2206", "elements of arrays"},
		{"SELECT * FROM (SELECT c.a FROM c) s ORDER BY ^s.a", "s", "2206", "not a document"},
		{"SELECT * FROM (SELECT DISTINCT VALUE c FROM c) s ORDER BY ^s.a", "s", "2206", "not a document"},
		{"SELECT * FROM (SELECT VALUE c[1] FROM c) s ORDER BY ^s.a", "s", "2206", "not a document"},
		{"SELECT * FROM (SELECT VALUE LOWER(c.a) FROM c) s ORDER BY ^s.a", "s", "2206", "not a document"},
		{"SELECT * FROM c ORDER BY RANK ^ABS(c.n)", "ABS", "SC2221", "FullTextScore function call"},
		{"SELECT TOP 1 * FROM c ^OFFSET 0 LIMIT 1", "OFFSET", "SC2990", "TOP and OFFSET LIMIT"},

		// FROM and subqueries; the codes are those of the LINQ baselines of the .NET SDK.
		{"SELECT *^", "", "SC2041", "needs a FROM clause"},
		{"SELECT * FROM c JOIN ^t IN c.tags", "t", "SC2041", "single input set"},
		{"SELECT 1 FROM c JOIN ^c IN c.tags", "c", "SC2021", "specified more than once"},
		{"SELECT 1 FROM c JOIN ^d", "d", "SC2001", "could not be resolved"},
		{"SELECT 1 FROM c JOIN t IN ^d.tags", "d", "SC2001", "could not be resolved"},
		{"SELECT 1 FROM c JOIN t IN ^s.tags JOIN s IN c.x", "s", "SC2001", "could not be resolved"},
		{"SELECT 1 FROM c JOIN (SELECT VALUE ^s) x JOIN s IN c.x", "s", "SC2001", "could not be resolved"},
		{"SELECT 1 FROM (SELECT VALUE ^s) x JOIN s IN x", "s", "SC2001", "could not be resolved"},
		{"SELECT VALUE EXISTS(SELECT 1 FROM t IN ^d.x) FROM c", "d", "SC2001", "could not be resolved"},
		{"SELECT ^a", "a", "SC2001", "declare it in FROM"},
		{"SELECT 1 FROM c JOIN t IN ^1", "1", "SC1001", "a path such as c.tags"},
		{"SELECT 1 FROM c JOIN t IN c[^@p]", "@p", "SC1001", "a property name in quotes, or a position"},
		{"SELECT 1 FROM c JOIN t IN c[^1.5]", "1.5", "SC1001", "a position in an array"},
		{"SELECT 1 FROM c JOIN t IN c.^order", "order", "SC1001", "reserved word"},
		{"SELECT 1 FROM c JOIN t IN ^OBJECTTOARRAY(c.x)", "OBJECTTOARRAY", "SC2990", "write (SELECT VALUE OBJECTTOARRAY(…))"},
		{"SELECT 1 FROM (^c)", "c", "SC1001", "expected SELECT"},
		{"SELECT 1 FROM (SELECT ^TOP 1 * FROM c)", "TOP", "SC2203", "TOP is not supported in subqueries"},
		{"SELECT 1 FROM (SELECT * FROM c ^ORDER BY c.a)", "ORDER", "SC2202", "ORDER BY is not supported in subqueries"},
		{"SELECT 1 FROM (SELECT * FROM c ^OFFSET 0 LIMIT 1)", "OFFSET", "SC2204", "OFFSET LIMIT is not supported in subqueries"},
		{"SELECT 1 FROM c JOIN a IN c.a JOIN b IN c.a JOIN d IN c.a JOIN e IN c.a JOIN f IN c.a JOIN g IN c.a JOIN h IN c.a JOIN i IN c.a JOIN j IN c.a JOIN k IN c.a ^JOIN l IN c.a", "JOIN", "SC2990", "at most 10 JOINs"},
		{"SELECT VALUE ARRAY ^c.a FROM c", "c", "SC1001", "expected ("},
		{"SELECT * FROM c WHERE EXISTS(^c.a)", "c", "SC1001", "expected SELECT"},
		{"SELECT * FROM c WHERE c.a IN (^SELECT VALUE 1)", "SELECT", "SC2990", "write EXISTS"},
		{"SELECT VALUE (SELECT 1 ^FROM", "", "", ""},

		// Expressions.
		{"SELECT * FROM c WHERE c.s LIKE 'a' ESCAPE ^'ab'", "'ab'", "SC1001", "one character in quotes after ESCAPE"},
		{"SELECT * FROM c WHERE c.s LIKE ^'a[bc'", "'a[bc'", "SC3000", "LIKE: the set in brackets is empty, open"},
		{"SELECT * FROM c WHERE c.s LIKE ^'a!' ESCAPE '!'", "'a!'", "SC3000", "ends with the escape character"},
		{"SELECT * FROM c WHERE ^udf.f(c.s)", "udf", "SC2990", "user-defined"},
		{"SELECT * FROM c WHERE LEFT ^= 'a'", "=", "SC1001", "expected ("},
		{"SELECT VALUE c.a ?? 1 ^? 2 : 3 FROM c", "?", "SC2990", "? next to ?? is ambiguous"},
		{"SELECT VALUE c.a ? 1 : 2 ^?? 3 FROM c", "??", "SC2990", "?? next to ? is ambiguous"},
		{"SELECT VALUE c.a ? 1 ^FROM c", "FROM", "SC1001", "expected :"},
		{"SELECT VALUE c.a ??^", "", "SC1001", "expected"},
		{"SELECT VALUE {^1: 2} FROM c", "1", "SC1001", "a property name in quotes"},
		{"SELECT VALUE {^value: 2} FROM c", "value", "SC1001", "reserved word"},
		{"SELECT VALUE {'a' ^2} FROM c", "2", "SC1001", "expected :"},
		{"SELECT VALUE {'a': 2,^} FROM c", "}", "SC1001", "a property name in quotes"},
		{"SELECT VALUE [1,^] FROM c", "]", "SC1001", "expected an expression"},
		{"SELECT VALUE ^0xg FROM c", "0xg", "SC1001", "hexadecimal"},
		{"SELECT VALUE REGEXMATCH(c.s, ^c.p) FROM c", "c", "SC2990", "constants or parameters"},
		{"SELECT VALUE ^REGEXMATCH(c.s, '(?=a)') FROM c", "REGEXMATCH", "SC3000", "REGEXMATCH: "},
		{"SELECT VALUE ^REGEXMATCH(c.s, '" + strings.Repeat("a", 10_001) + "') FROM c", "REGEXMATCH", "SC3000", "at most 10000 are allowed"},
		{"SELECT VALUE ^REGEXMATCH(c.s, 'a', 'q') FROM c", "REGEXMATCH", "SC3000", "unknown modifier q"},
		{"SELECT VALUE ^ST_AREA(c.a) FROM c", "ST_AREA", "SC2005", "not a function"},
	}
	values := map[string]value.Value{"@text": mustDecode(t, `"3"`), "@minus": mustDecode(t, `-1`)}
	for _, tt := range tests {
		query := strings.Replace(tt.marked, "^", "", 1)
		q, err := cosmossql.Parse(query)
		if err == nil {
			_, err = Bind(nil, q, values)
		}
		var e *cosmossql.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: error %v, want an *Error", query, err)
			continue
		}
		if got := query[e.Start:e.End]; got != e.Word {
			t.Errorf("%q: word %q, but the position holds %q", query, e.Word, got)
		}
		if tt.code == "" {
			continue // any error will do
		}
		if at := strings.IndexByte(tt.marked, '^'); e.Start != at || e.Word != tt.word || e.Code != tt.code || !strings.Contains(e.Message, tt.message) {
			t.Errorf("%q:\ngot  %s %q at %d: %s\nwant %s %q at %d: …%s…", query, e.Code, e.Word, e.Start, e.Message, tt.code, tt.word, at, tt.message)
		}
	}
}

// TestDamagedQueries cuts every query of the tests at every byte, and puts a
// character there that no query may hold, and checks that errors are complete.
func TestDamagedQueries(t *testing.T) {
	for _, c := range seedQueries() {
		for i := range c.query {
			if _, err := cosmossql.Parse(c.query[:i]); err != nil {
				checkError(t, c.query[:i], err)
			}
			damaged := c.query[:i] + "$" + c.query[i:]
			if _, err := cosmossql.Parse(damaged); err != nil {
				checkError(t, damaged, err)
			} else if !strings.Contains(c.query[i:], "'") && !strings.Contains(c.query[i:], `"`) {
				t.Errorf("%q is accepted", damaged)
			}
		}
	}
}

// TestMissingParameters checks that a parameter without a value is found in each
// clause.
func TestMissingParameters(t *testing.T) {
	for _, query := range []string{
		"SELECT @p FROM c", "SELECT VALUE -@p FROM c", "SELECT SUM(@p) FROM c", "SELECT VALUE LOWER(@p) FROM c",
		"SELECT * FROM c WHERE c.a = 1 AND @p", "SELECT * FROM c WHERE c.a = @p", "SELECT * FROM c WHERE @p < c.a",
		"SELECT * FROM c WHERE c.a IN (1, @p)", "SELECT * FROM c WHERE @p IN (1)", "SELECT * FROM c WHERE c.a BETWEEN 1 AND @p",
		"SELECT * FROM c WHERE @p.a.b", "SELECT * FROM c WHERE c.a[@p].b", "SELECT * FROM c WHERE LOWER(c.a)[@p]",
		"SELECT * FROM c ORDER BY c[@p]", "SELECT TOP @p * FROM c", "SELECT * FROM c OFFSET @p LIMIT 1", "SELECT * FROM c OFFSET 1 LIMIT @p",
	} {
		q, err := cosmossql.Parse(query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		_, err = Bind(nil, q, map[string]value.Value{"p": value.OfNull(), "@P": value.OfNull()})
		var e *cosmossql.Error
		if !errors.As(err, &e) || e.Word != "@p" || e.Start != strings.Index(query, "@p") {
			t.Errorf("%s: error %v, want one about @p", query, err)
		}
	}
}

func TestErrorPosition(t *testing.T) {
	_, err := cosmossql.Parse("SELECT *\nFROM c\r\nWHERE 'äöü' = c.ü")
	const want = `line 3, column 17: unexpected character "ü"; write a property of such a name as c["…"]`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestLimits(t *testing.T) {
	const head = "SELECT * FROM c WHERE "
	long := head + strings.Repeat("(c.a = 1 AND c.b = 'x') OR ", 10_000) + "false"
	refused := map[string]string{
		"too long":        strings.Repeat(" ", cosmossql.MaxQueryBytes+1),
		"not UTF-8":       "SELECT \xff",
		"parentheses":     head + strings.Repeat("(", 100_000),
		"functions":       head + strings.Repeat("LOWER(", 50_000),
		"indexes":         head + strings.Repeat("c[", 100_000),
		"negations":       head + strings.Repeat("NOT ", 100_000),
		"signs":           head + strings.Repeat("-", 1) + strings.Repeat(" -", 100_000) + "1",
		"a chain of +":    head + "1" + strings.Repeat("+1", 100_000),
		"a path":          head + "c" + strings.Repeat(".a", 100_000),
		"lists in lists":  head + strings.Repeat("1 IN (", 50_000),
		"aggregate chain": "SELECT " + strings.Repeat("COUNT(", 50_000),
	}
	for name, query := range refused {
		var e *cosmossql.Error
		if _, err := cosmossql.Parse(query); !errors.As(err, &e) {
			t.Errorf("%s: error %v, want an *Error", name, err)
		}
	}
	p := mustBind(t, long, nil)
	for doc, want := range map[string]bool{`{"a":1}`: false, `{"a":1,"b":"x"}`: true} {
		if ok, err := p.Match(mustDecode(t, doc)); err != nil || ok != want {
			t.Errorf("a chain of 10,000 terms over %s: %v, %v", doc, ok, err)
		}
	}
}
