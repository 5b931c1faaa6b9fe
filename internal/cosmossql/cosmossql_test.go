package cosmossql

import (
	"slices"
	"strings"
	"testing"
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
	rows := []string{}
	for _, raw := range mustBind(t, c.query, c.params).Run(slices.Values(mustDocs(t, c.docs))) {
		rows = append(rows, string(raw))
	}
	return rows
}

func mustBind(t testing.TB, query string, params map[string]string) *Plan {
	t.Helper()
	q, err := Parse(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	values := map[string]Value{}
	for name, text := range params {
		values[name] = mustDecode(t, text)
	}
	p, err := q.Bind(values)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return p
}

func mustDecode(t testing.TB, text string) Value {
	t.Helper()
	v, err := Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func mustDocs(t testing.TB, lines string) []Value {
	t.Helper()
	var docs []Value
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		docs = append(docs, mustDecode(t, line))
	}
	return docs
}

// TestExpressions evaluates single expressions over one document; "undefined"
// stands for no row.
func TestExpressions(t *testing.T) {
	const doc = `{"s":"abc","n":5,"t":true,"f":false,"z":null,"a":[1,"x",{"k":1,"l":2}],"o":{"p":{"q":7}},"e":"","u":"Straße"}`
	tests := []struct{ expr, want string }{
		// Paths.
		{`c.o.p.q`, `7`},
		{`c["o"]['p'].q`, `7`},
		{`c.a[0]`, `1`},
		{`c.a[2].k`, `1`},
		{`c.a[3]`, `undefined`},
		{`c.a[0.5]`, `undefined`},
		{`c.a[-1]`, `undefined`},
		{`c.a["0"]`, `undefined`},
		{`c.o[0]`, `undefined`},
		{`c.s.length`, `undefined`},
		{`c.o[LOWER("P")].q`, `7`},
		{`c.a[c.n - 5]`, `1`},
		{`("abc").x`, `undefined`},
		{`(c.o).p.q`, `7`},

		// Equality: same type by content, other types unequal, undefined undefined.
		{`c.n = 5`, `true`},
		{`5 = c.n`, `true`},
		{`c.n = 5.0`, `true`},
		{`c.n != 5`, `false`},
		{`c.n <> 6`, `true`},
		{`c.z = null`, `true`},
		{`c.n = "5"`, `false`},
		{`c.n != "5"`, `true`},
		{`c.s != null`, `true`},
		{`c.z != null`, `false`},
		{`c.t = 1`, `false`},
		{`c.none = null`, `undefined`},
		{`c.none != 1`, `undefined`},
		{`undefined = undefined`, `undefined`},
		{`c.none = c.none`, `undefined`},
		{`c.a = c.a`, `true`},
		{`c.a[2] = c.o`, `false`},
		{`c.a != c.o`, `true`},

		// Ordering: undefined across types and for arrays and objects.
		{`c.n > 4`, `true`},
		{`c.n >= 5 AND c.n <= 5`, `true`},
		{`c.n < 5`, `false`},
		{`"a" < "b"`, `true`},
		{`"B" < "a"`, `true`},
		{`"z" < "é"`, `true`},
		{`false < true`, `true`},
		{`null <= null`, `true`},
		{`c.n > "4"`, `undefined`},
		{`c.n > null`, `undefined`},
		{`c.a < c.a`, `undefined`},
		{`c.o >= c.o`, `undefined`},
		{`c.none < 1`, `undefined`},

		// The tables of the page "Logical operators".
		{`true OR undefined`, `true`},
		{`undefined OR true`, `true`},
		{`false OR undefined`, `undefined`},
		{`undefined OR undefined`, `undefined`},
		{`false OR false`, `false`},
		{`true AND undefined`, `undefined`},
		{`undefined AND false`, `false`},
		{`false AND undefined`, `false`},
		{`undefined AND undefined`, `undefined`},
		{`true AND true`, `true`},
		{`NOT true`, `false`},
		{`NOT c.f`, `true`},
		{`NOT undefined`, `undefined`},
		{`NOT c.n`, `undefined`},
		{`c.n AND true`, `undefined`},
		{`c.n AND false`, `false`},
		{`c.n OR true`, `true`},
		{`NOT (c.n = 5) OR NOT NOT c.t`, `true`},
		{`true OR true AND false`, `true`},
		{`(true OR true) AND false`, `false`},

		// IN and BETWEEN.
		{`c.n IN (1, 5)`, `true`},
		{`c.n IN (1, "5")`, `false`},
		{`c.n NOT IN (1, 2)`, `true`},
		{`c.n IN (1, undefined)`, `undefined`},
		{`c.n IN (5, undefined)`, `true`},
		{`c.none IN (1)`, `undefined`},
		{`c.none NOT IN (1)`, `undefined`},
		{`c.a[0] IN (c.n, c.a[0])`, `true`},
		{`c.o IN (c.o)`, `true`},
		{`c.z IN (null)`, `true`},
		{`c.n BETWEEN 5 AND 6`, `true`},
		{`c.n BETWEEN 1 AND 4`, `false`},
		{`c.n NOT BETWEEN 1 AND 4 AND c.t`, `true`},
		{`c.n BETWEEN "a" AND 4`, `false`},
		{`c.n BETWEEN "a" AND 9`, `undefined`},
		{`c.s BETWEEN "abb" AND "abd"`, `true`},

		// Arithmetic and concatenation.
		{`1 + 2 * 3`, `7`},
		{`(1 + 2) * 3`, `9`},
		{`7 - 2 - 1`, `4`},
		{`-c.n + 1`, `-4`},
		{`- -2`, `2`},
		{`+c.n`, `5`},
		{`c.n / 2`, `2.5`},
		{`c.n % 3`, `2`},
		{`-7 % 3`, `-1`},
		{`c.n / 0`, `undefined`},
		{`0 / 0`, `undefined`},
		{`c.n % 0`, `undefined`},
		{`1e308 * 10`, `undefined`},
		{`c.n + "1"`, `undefined`},
		{`c.n + null`, `undefined`},
		{`-c.s`, `undefined`},
		{`1e21`, `1e+21`},
		{`1e20`, `100000000000000000000`},
		{`.5 + 1.`, `1.5`},
		{`0.0000001`, `1e-7`},
		{`-c.n * 0`, `0`},
		{`c.s || "d" || 'e'`, `"abcde"`},
		{`c.s || c.n`, `undefined`},
		{`(c.s || "d") = "abcd"`, `true`},
		{`c.n + 1 = 6 AND 2 < 3 = true`, `true`},

		// Strings.
		{`"a\"b\\c\/d\n\u00e9\ud83d\ude00"`, `"a\"b\\c/d\u000aé😀"`},
		{`'it\'s "x"'`, `"it's \"x\""`},
		{`"\ud83dx"`, "\"\uFFFDx\""},

		// Functions.
		{`STARTSWITH(c.s, "ab")`, `true`},
		{`startswith(c.s, "AB")`, `false`},
		{`STARTSWITH(c.s, "AB", true)`, `true`},
		{`STARTSWITH(c.s, "AB", false)`, `false`},
		{`STARTSWITH(c.s, "")`, `true`},
		{`STARTSWITH(c.n, "5")`, `undefined`},
		{`STARTSWITH(c.none, "5")`, `undefined`},
		{`STARTSWITH(c.s, "ab", 1)`, `undefined`},
		{`ENDSWITH(c.s, "BC", true)`, `true`},
		{`CONTAINS(c.s, "b")`, `true`},
		{`CONTAINS(c.s, "B")`, `false`},
		{`StringEquals("ABC", c.s)`, `false`},
		{`StringEquals("ABC", c.s, true)`, `true`},
		{`StringEquals(null, null)`, `undefined`},
		{`LOWER("AbÉ")`, `"abé"`},
		{`UPPER(c.s)`, `"ABC"`},
		{`LENGTH(c.u)`, `6`},
		{`LENGTH("😀")`, `2`},
		{`LENGTH(c.e)`, `0`},
		{`LENGTH(c.n)`, `undefined`},
		{`ARRAY_CONTAINS(c.a, "x")`, `true`},
		{`ARRAY_CONTAINS(c.a, "y")`, `false`},
		{`ARRAY_CONTAINS(c.s, "a")`, `undefined`},
		{`ARRAY_CONTAINS(c.a, c.none)`, `undefined`},
		{`ARRAY_CONTAINS(c.a, c.a[2])`, `true`},
		{`IS_DEFINED(c.z)`, `true`},
		{`IS_DEFINED(c.none)`, `false`},
		{`NOT IS_DEFINED(c.o.none)`, `true`},
		{`IS_NULL(c.z)`, `true`},
		{`IS_NULL(c.none)`, `false`},
		{`IS_NUMBER(c.n)`, `true`},
		{`IS_STRING(c.n)`, `false`},
		{`IS_BOOL(c.f)`, `true`},
		{`IS_ARRAY(c.a)`, `true`},
		{`IS_OBJECT(c.a)`, `false`},
		{`IS_OBJECT(c)`, `true`},
		{`IS_PRIMITIVE(c.z)`, `true`},
		{`IS_PRIMITIVE(c.o)`, `false`},
		{`IS_PRIMITIVE(c.none)`, `false`},
	}
	for _, tt := range tests {
		for _, query := range []string{
			"SELECT VALUE " + tt.expr + " FROM c",
			"SELECT " + tt.expr + " AS it FROM c",
			"SELECT VALUE (" + tt.expr + ") FROM root AS c -- with a comment",
		} {
			want := tt.want
			switch {
			case want == "undefined" && strings.Contains(query, " AS it"):
				want = "{}"
			case want == "undefined":
				want = ""
			case strings.Contains(query, " AS it"):
				want = `{"it":` + want + `}`
			}
			got := strings.Join(runCase(t, queryCase{docs: doc, query: query}), " ")
			if got != want {
				t.Errorf("%s = %s, want %s", query, got, want)
			}
		}
	}
}
