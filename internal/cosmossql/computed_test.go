package cosmossql

import (
	"errors"
	"strings"
	"testing"
)

// TestComputed checks which expressions computed properties may have, and their queries.
func TestComputed(t *testing.T) {
	for _, test := range []struct{ text, want, kinds string }{
		{"LOWER(c.email)", "LOWER(c.email)", "string"},
		{"lower(c['e-mail'])", `LOWER(c["e-mail"])`, "string"},
		{"c.price*0.2", "(c.price * 0.2)", "number"},
		{"CONCAT(c.first, ', ', c.last)", `CONCAT(c.first, ", ", c.last)`, "string"},
		{"c.first || ' ' || c.last", `((c.first || " ") || c.last)`, "string"},
		{"IS_DEFINED(c.lastName) ? c.lastName : c.parents[0].familyName", "(IS_DEFINED(c.lastName) ? c.lastName : c.parents[0].familyName)", "any"},
		{"c.a ?? 1 ?? 'x'", `(c.a ?? 1 ?? "x")`, "any"},
		{"(c.a ?? {\"b\": 1}).b", `((c.a ?? {"b": 1})).b`, "any"},
		{"DateTimePart('m', TimestampToDateTime(c._ts*1000))", `DATETIMEPART("m", TIMESTAMPTODATETIME((c._ts * 1000)))`, "number"},
		{"IIF(c.n > 1 AND NOT c.b, 1, null)", "IIF(((c.n > 1) AND (NOT c.b)), 1, null)", "null or number"},
		{"CHOOSE(c.n, 'a', true)", `CHOOSE(c.n, "a", true)`, "bool or string"},
		{"[c.a, c.tags[c.n]]", "[c.a, c.tags[c.n]]", "array"},
		{"{'x': c.a}", `{"x": c.a}`, "object"},
		{"c.a LIKE 'x%' OR c.a IN ('y') OR c.n BETWEEN 1 AND 2", `((c.a LIKE "x%") OR (c.a IN ("y")) OR (c.n BETWEEN 1 AND 2))`, "bool"},
		{"-c.n & 3", "((- c.n) & 3)", "number"},
		{"c.a = 1", "(c.a = 1)", "bool"},
		{"'constant'", `"constant"`, "string"},
	} {
		e, err := ParseExpression(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := Format(e); got != test.want {
			t.Errorf("%s is written as %s, want %s", test.text, got, test.want)
		}
		kinds := ResultKinds(e, func(*Access) Kinds { return AnyKind }).String()
		if kinds == AnyKind.String() {
			kinds = "any"
		}
		if kinds != test.kinds {
			t.Errorf("%s is %s, want %s", test.text, kinds, test.kinds)
		}
		query := ComputedQuery(e)
		if _, err := ParseComputed(query); err != nil {
			t.Errorf("%s: %v", query, err)
		}
		if other := "select value " + test.text + " from root AS c"; !SameComputed(query, other) {
			t.Errorf("%s and %s differ", query, other)
		}
		if SameComputed(query, "SELECT VALUE c.other FROM c") {
			t.Errorf("%s is another one", query)
		}
	}
}

// TestComputedRefused checks what is refused, with its place: a ^ is before the word.
func TestComputedRefused(t *testing.T) {
	for marked, message := range map[string]string{
		"^":                 "the expression ends where an expression was expected",
		"LOWER(c.email^":    "the expression ends where ) was expected",
		"c.a ^c.b":          "expected the end of the expression",
		"c.a^, c.b":         "expected the end of the expression",
		"^email":            "properties are written c.email",
		"LOWER(^d.email)":   "could not be resolved",
		"^c":                "not of the document as a whole: write c.name",
		"OBJECTTOARRAY(^c)": "not of the document as a whole",
		"^c[0]":             "properties that have names",
		"^c[c.x].y":         "properties that have names",
		"c.x[^RAND()]":      "cannot call RAND",
		"c.n > ^@n":         "no parameters, such as @n",
		"^EXISTS(SELECT VALUE t FROM t IN c.tags)": "no subqueries",
		"^ARRAY(SELECT VALUE 1)":                   "no subqueries",
		"1 + ^(SELECT VALUE 1)":                    "no subqueries",
		"^COUNT(c.a)":                              "an aggregate is not allowed in a computed property",
		"^udf.f(c.a)":                              "a user-defined function is not supported",
		"^NOSUCH(c.a)":                             "not a function",
		"^LOWER(c.a, c.b)":                         "LOWER takes 1 argument, not 2",
		"c.n + ^RAND()":                            "cannot call RAND: it changes without the document",
		"^GetCurrentDateTime()":                    "cannot call GETCURRENTDATETIME",
		"^GetCurrentTimestampStatic()":             "cannot call GETCURRENTTIMESTAMPSTATIC",
		"^VectorDistance(c.v, [1])":                "documents it for queries only",
		"^FullTextContains(c.s, 'x')":              "documents it for queries only",
		"c.a ^-- a note":                           "has no comments",
		"c.^order":                                 `write a property as c['order']`,
		"c.a = ^'x":                                "its quote ' is missing",
		"c.a ? 1 : 2 ^?? 3":                        "ambiguous",
		"c.^" + strings.Repeat("a.", 300):          "",
		strings.Repeat("(", 300) + "^c.a":          "nested deeper",
		strings.Repeat(" ", MaxQueryBytes+1):       "bytes, at most",
	} {
		text := strings.Replace(marked, "^", "", 1)
		_, err := ParseExpression(text)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, message) {
			t.Errorf("%.60s: got %v, want %s", text, err, message)
			continue
		}
		if at := strings.IndexByte(marked, '^'); at >= 0 && message != "" && message != "nested deeper" && e.Start != at {
			t.Errorf("%.60s: %v is at %d, want %d", text, err, e.Start, at)
		}
	}
	for query, message := range map[string]string{
		"SELECT LOWER(c.a) FROM c":                                    "selects one VALUE",
		"SELECT * FROM c":                                             "selects one VALUE",
		"SELECT VALUE 1":                                              "has a FROM clause",
		"SELECT VALUE c.a FROM c WHERE c.b":                           "cannot have WHERE",
		"SELECT VALUE c.a FROM c JOIN t IN c.t":                       "cannot have anything but the container in FROM",
		"SELECT VALUE c.a FROM c.b c":                                 "cannot have anything but the container in FROM",
		"SELECT VALUE t FROM t IN c.tags":                             "cannot have anything but the container in FROM",
		"SELECT VALUE s.a FROM (SELECT VALUE c FROM c) s":             "cannot have anything but the container in FROM",
		"SELECT DISTINCT VALUE c.a FROM c":                            "cannot have DISTINCT",
		"SELECT TOP 1 VALUE c.a FROM c":                               "cannot have TOP",
		"SELECT VALUE c.a FROM c GROUP BY c.a":                        "cannot have GROUP BY",
		"SELECT VALUE c.a FROM c ORDER BY c.a":                        "cannot have ORDER BY",
		"SELECT VALUE c.a FROM c OFFSET 1 LIMIT 1":                    "cannot have OFFSET LIMIT",
		"SELECT VALUE COUNT(1) FROM c":                                "cannot have aggregates",
		"SELECT VALUE c FROM c":                                       "not of the document as a whole",
		"SELECT VALUE RAND() FROM c":                                  "cannot call RAND",
		"SELECT VALUE EXISTS(SELECT VALUE t FROM t IN c.tags) FROM c": "no subqueries",
		"SELECT VALUE d.a FROM c":                                     "could not be resolved",
	} {
		_, err := ParseComputed(query)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, message) {
			t.Errorf("%s: got %v, want %s", query, err, message)
		}
		if SameComputed(query, "SELECT VALUE c.a FROM c") || !SameComputed(query, query) {
			t.Errorf("%s is another one, or not itself", query)
		}
	}
}

func TestReferences(t *testing.T) {
	e, err := ParseExpression("CONCAT(c.a.b, c['x'][0].y, c.tags[c.n], LOWER(c.a.b)) || (c.z ?? 1).q")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, access := range References(e) {
		got = append(got, Format(access))
	}
	if want := "c.a.b c.x[0].y c.tags[c.n] c.n c.a.b c.z"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestComma(t *testing.T) {
	for text, rest := range map[string]string{
		"LOWER(c.a)":                  "",
		"LOWER(c.a),note=x":           ",note=x",
		"CONCAT(c.a, ',', c.b),later": ",later",
		"[1,{'a':2,'b':[3,4]}],x":     ",x",
		"c['a,b'],x":                  ",x",
		`"a\",b",x`:                   ",x",
		"CONCAT(c.a, c.b":             "", // the expression is reported
		"c.a), c.b":                   ", c.b",
		"c.$a,x":                      "",
		"'open,x":                     "",
		"":                            "",
		",":                           ",",
	} {
		if got := text[Comma(text):]; got != rest {
			t.Errorf("%s ends before %q, want %q", text, got, rest)
		}
	}
}

// FuzzExpression checks that no text makes the parser panic, that errors have their place in the
// text, and that the query of an expression is read as the same expression.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{"LOWER(c.email)", "c.a ?? c.b[0]['x'] ?? 1.5e3", "IIF(NOT c.a, -1, {'x': [c.y]})", "c.a LIKE 'x!%' ESCAPE '!'", "c.a --"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if end := Comma(text); end < 0 || end > len(text) || end < len(text) && text[end] != ',' {
			t.Fatalf("%q ends at %d", text, end)
		}
		e, err := ParseExpression(text)
		var refused *Error
		switch {
		case err == nil:
			query := ComputedQuery(e)
			again, err := ParseComputed(query)
			if err != nil && !strings.Contains(err.Error(), "deep") {
				t.Fatalf("%q becomes %s: %v", text, query, err)
			}
			if err == nil && ComputedQuery(again.Main.Items[0].Expr) != query {
				t.Fatalf("%q becomes %s, and that %s", text, query, ComputedQuery(again.Main.Items[0].Expr))
			}
		case !errors.As(err, &refused):
			t.Fatalf("%q: error %v is no *Error", text, err)
		case refused.Start < 0 || refused.Start > refused.End || refused.End > len(text):
			t.Fatalf("%q: wrong place in %#v", text, refused)
		}
	})
}
