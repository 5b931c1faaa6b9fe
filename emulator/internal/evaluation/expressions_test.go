package evaluation

import (
	"strings"
	"testing"
)

const expressionDoc = `{"s":"abc","n":5,"t":true,"f":false,"z":null,"a":[1,"x",{"k":1,"l":2}],"o":{"p":{"q":7}},"e":"","u":"Straße"}`

// TestExpressions evaluates single expressions over one document; "undefined" means
// no row.
func TestExpressions(t *testing.T) {
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

		// Precedence, as the parser baselines of the .NET SDK have it
		// (ScalarExpressionSqlParserBaselineTests).
		{`1 < 2 = true`, `true`},
		{`1 = 1 != false`, `true`},
		{`1 | 2 & 3 ^ 4`, `7`},
		{`6 & 3 = 3`, `undefined`},
		{`(6 & 3) = 2`, `true`},
		{`NOT c.t = false`, `true`},
		{`NOT c.n = 5`, `undefined`},
		{`NOT c.t IN (false)`, `true`},
		{`c.n = 5 IN (true)`, `true`},
		{`c.s || "d" = "abcd"`, `undefined`},
		{`c.n BETWEEN 1 AND 4 + 1`, `true`},
		{`1 + 1 << 2`, `8`},
		{`c.t OR false ?? 1`, `true`},
		{`c.t ? 1 : c.f ? 2 : 3`, `1`},
		{`c.f ? 1 : c.t ? 2 : 3`, `2`},

		// Conditional and coalesce: null is defined, and only true is true
		// (ScalarExpressionEvaluatorTests of the .NET SDK).
		{`null ? 3 : 5`, `5`},
		{`undefined ? 3 : 5`, `5`},
		{`c.n ? 3 : 5`, `5`},
		{`c.t ? c.none : 5`, `undefined`},
		{`null ?? 5`, `null`},
		{`c.none ?? c.x ?? 5`, `5`},
		{`undefined ?? undefined`, `undefined`},
		{`(c.none ?? c.f) ? 1 : 2`, `2`},

		// Bitwise operators are those of JavaScript (Microsoft's page "Operators";
		// the large number is of ScalarExpressionEvaluatorTests).
		{`100 >> 2`, `25`},
		{`100 << 2`, `400`},
		{`100 >>> 0`, `100`},
		{`-1 >>> 0`, `4294967295`},
		{`-1 >> 31`, `-1`},
		{`1 << 33`, `2`},
		{`100 & 1000`, `96`},
		{`100 | 1000`, `1004`},
		{`100 ^ 1000`, `908`},
		{`~5`, `-6`},
		{`~130679749712577953`, `-1022657953`},
		{`5.9 | 0`, `5`},
		{`-5.9 | 0`, `-5`},
		{`(1 / 0) | 0`, `0`},
		{`1 | "2"`, `undefined`},

		// Numbers that are not finite exist until they would be returned
		// (Microsoft's page "IS_FINITE_NUMBER").
		{`1 / 0 > 5`, `true`},
		{`-1 / 0 < 5`, `true`},
		{`0 / 0 = 0 / 0`, `false`},
		{`0 / 0 < 1`, `false`},
		{`IS_NUMBER(c.n % 0)`, `true`},
		{`IS_FINITE_NUMBER(1e308 * 10)`, `false`},

		// LIKE (Microsoft's page "LIKE").
		{`c.s LIKE "abc"`, `true`},
		{`c.s LIKE "ABC"`, `false`},
		{`c.s LIKE "a%"`, `true`},
		{`c.s LIKE "%c"`, `true`},
		{`c.s LIKE "%b%"`, `true`},
		{`c.s LIKE "b%"`, `false`},
		{`c.s LIKE "a_c"`, `true`},
		{`c.s LIKE "a_"`, `false`},
		{`c.s LIKE "%%%"`, `true`},
		{`"" LIKE "%"`, `true`},
		{`"" LIKE "_"`, `false`},
		{`"mississippi" LIKE "%iss%ip%"`, `true`},
		{`"mississippi" LIKE "%iss%is%s_"`, `false`},
		{`c.s LIKE "a[a-c]c"`, `true`},
		{`c.s LIKE "a[xyb]c"`, `true`},
		{`c.s LIKE "a[^a-c]c"`, `false`},
		{`c.s LIKE "a[^x]c"`, `true`},
		{`"20-30%" LIKE "20-30[%]"`, `true`},
		{`"_n" LIKE "[_]n"`, `true`},
		{`"[" LIKE "[[]"`, `true`},
		{`"]" LIKE "]"`, `true`},
		{`"20% off" LIKE "%20^%%" ESCAPE "^"`, `true`},
		{`"20x off" LIKE "%20^%%" ESCAPE "^"`, `false`},
		{`"a-c" LIKE "a[x-]c"`, `true`},
		{`c.s NOT LIKE "x%"`, `true`},
		{`c.s LIKE c.s`, `true`},
		{`c.s LIKE c.s || "%"`, `true`},
		{`"Straße" LIKE c.u`, `true`},
		{`c.n LIKE "5"`, `undefined`},
		{`c.n NOT LIKE "5"`, `undefined`},
		{`c.s LIKE 5`, `undefined`},
		{`c.s LIKE "a%" AND c.n IN (5) OR false`, `true`},

		// Constructors leave out what is undefined (Microsoft's page "Scalar
		// expressions").
		{`[1, "a", null, undefined, [c.none], {}]`, `[1,"a",null,[],{}]`},
		{`[]`, `[]`},
		{`{a: 1, "b c": c.o, x: undefined, 'd': [c.n]}`, `{"a":1,"b c":{"p":{"q":7}},"d":[5]}`},
		{`{"a": 1, a: 2}`, `{"a":2}`},
		{`{"a": 1}.a`, `1`},
		{`[1, 2][1]`, `2`},
		{`[1, c.n] = [1, 5]`, `true`},
		{`{"p": {"q": 7}} = c.o`, `true`},
		{`c.o IN ({"p": {"q": 7}})`, `true`},
		{`0x1F + 0X0a`, `41`},
		{`9223372036854775807`, `9223372036854775807`},

		// Strings.
		{`"a\"b\\c\/d\n\u00e9\ud83d\ude00"`, `"a\"b\\c/d\u000aé😀"`},
		{`'it\'s "x"'`, `"it's \"x\""`},
		{`"\ud83dx"`, "\"\uFFFDx\""},
	}
	for _, tt := range tests {
		checkExpression(t, expressionDoc, tt.expr, tt.want)
	}
}

// checkExpression evaluates an expression over one document in several clauses;
// "undefined" means no row.
func checkExpression(t *testing.T, doc, expression, value string) {
	t.Helper()
	for _, query := range []string{
		"SELECT VALUE " + expression + " FROM c",
		"SELECT " + expression + " AS it FROM c",
		"SELECT VALUE (" + expression + ") FROM root AS c -- with a comment",
		"SELECT (SELECT VALUE " + expression + ") AS it FROM c",
	} {
		want := value
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
