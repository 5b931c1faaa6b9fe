package value

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

func TestDecode(t *testing.T) {
	many := make([]string, 40)
	for i := range many {
		many[i] = fmt.Sprintf(`"p%d":%d`, i, i)
	}
	big := mustDecode(t, "{"+strings.Join(many, ",")+`,"p3":"last"}`)
	if v := big.Get("p39"); v.Float() != 39 || big.Len() != 40 {
		t.Errorf("p39 = %v of %d properties", v.Float(), big.Len())
	}
	if v := big.Get("p3"); v.Text() != "last" {
		t.Errorf("of two properties with one name, Get returns %q", v.Text())
	}
	if v := big.Get("none"); v.Kind() != Undefined {
		t.Error("an absent property is defined")
	}

	v := mustDecode(t, ` {"a":[1,{"b":true},null,"x\n\u00e9"],"a":[ 2 , "y\"\\" ],"":{}} `)
	tests := []struct {
		value Value
		kind  cosmossql.Kind
		json  string
	}{
		{v, Object, `{"a":[1,{"b":true},null,"x\n\u00e9"],"a":[ 2 , "y\"\\" ],"":{}}`},
		{v.Get("a"), Array, `[ 2 , "y\"\\" ]`},
		{v.Get("a").At(1), String, `"y\"\\"`},
		{v.Get(""), Object, `{}`},
		{v.Get("a").At(2), Undefined, ``},
		{v.Get("a").At(0), Number, `2`},
		{mustDecode(t, "-1.50e3"), Number, "-1.50e3"},
		{mustDecode(t, "false"), Bool, "false"},
		{mustDecode(t, "null"), Null, "null"},
		{mustDecode(t, `"\u0001<&>"`), String, `"\u0001<&>"`},
	}
	for _, tt := range tests {
		if tt.value.Kind() != tt.kind || string(tt.value.JSON()) != tt.json {
			t.Errorf("got %v %s, want %v %s", tt.value.Kind(), tt.value.JSON(), tt.kind, tt.json)
		}
	}
	if got := fmt.Sprint(Undefined, Null, Bool, Number, String, Array, Object); got != "undefined null bool number string array object" {
		t.Errorf("kinds are called %s", got)
	}
	if v.Len() != 2 || v.Get("a").Len() != 2 || v.Get("").Len() != 0 || OfBool(true).Len() != 0 {
		t.Error("wrong lengths")
	}
	if v.Text() != "" || v.Float() != 0 || v.Bool() || !OfBool(true).Bool() {
		t.Error("wrong contents for other kinds")
	}
}

func TestDecodeFails(t *testing.T) {
	tests := []struct{ text, message string }{
		{``, "not one json value"},
		{`{"a":1`, "not one json value"},
		{`{"a":1} x`, "not one json value"},
		{`{a:1}`, "not one json value"},
		{`NaN`, "not one json value"},
		{strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), "not one json value"},
		{"\"\xff\"", "not valid UTF-8"},
		{`[1,1e999]`, "number 1e999 at byte 3 is beyond the range"},
	}
	for _, tt := range tests {
		if _, err := Decode([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%.20q: error %v, want …%s…", tt.text, err, tt.message)
		}
	}
}

func TestCompareAndEqual(t *testing.T) {
	// Ascending; arrays and objects are not ordered among themselves.
	order := []string{"", "null", "false", "true", "-1", "0", "1.5", `""`, `"A"`, `"a"`, `"aa"`, `"é"`, `"😀"`, "[]", "{}"}
	values := make([]Value, len(order))
	for i, text := range order[1:] {
		values[i+1] = mustDecode(t, text)
	}
	for i, a := range values {
		for j, b := range values {
			want := max(-1, min(1, i-j))
			if got := Compare(a, b); got != want {
				t.Errorf("Compare(%s, %s) = %d, want %d", order[i], order[j], got, want)
			}
			if got := Equal(a, b); got != (i == j) {
				t.Errorf("Equal(%s, %s) = %v", order[i], order[j], got)
			}
		}
	}

	equal := []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true},
		{`-0`, `0`, true},
		{`{"a":1,"b":[1,{"c":null}]}`, `{"b":[1.0,{"c":null}],"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1,"c":2}`, `{"a":1,"b":2}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,1]`, false},
		{`[]`, `{}`, false},
	}
	for _, tt := range equal {
		a, b := mustDecode(t, tt.a), mustDecode(t, tt.b)
		if Equal(a, b) != tt.want || Equal(b, a) != tt.want {
			t.Errorf("Equal(%s, %s) = %v", tt.a, tt.b, !tt.want)
		}
	}
}

func TestPartlyEqual(t *testing.T) {
	tests := []struct {
		needle, hay string
		want        bool
	}{
		{`{"a":1}`, `{"a":1,"b":2}`, true},
		{`{"a":{"x":1}}`, `{"a":{"x":1},"b":2}`, true},
		{`{"a":{"x":1}}`, `{"a":{"x":1,"y":2},"b":2}`, false},
		{`[1]`, `[1,2]`, false},
		{`[1,2]`, `[1,3]`, false},
		{`{"a":null}`, `{}`, false},
		{`{"a":1}`, `[1]`, false},
		{`{}`, `{"a":1}`, true},
	}
	for _, tt := range tests {
		if got := Includes(mustDecode(t, tt.needle), mustDecode(t, tt.hay)); got != tt.want {
			t.Errorf("%s in %s: %v", tt.needle, tt.hay, got)
		}
	}
}

// TestIdentity checks that two values have the same identity exactly when they are
// equal, and undefined one of its own.
func TestIdentity(t *testing.T) {
	texts := []string{"", "null", "false", "true", "0", "1", "1.5", `""`, `"1"`, `"a"`, "[]", "[1]", "[[1]]", "[1,1]", `["1"]`, "{}",
		`{"a":1}`, `{"a":"1"}`, `{"b":1}`, `{"a":1,"b":[{"c":null}]}`, `{"a":{"b":1}}`, `["a","b"]`, `["ab"]`, `{"ab":""}`}
	other := map[string]string{"0": "-0", "1": "1.0", "1.5": "15e-1", `{"a":1,"b":[{"c":null}]}`: `{"b":[{"c":null}],"a":1.0}`, `"a"`: `"\u0061"`}
	read := func(text string) Value {
		if text == "" {
			return Value{}
		}
		return mustDecode(t, text)
	}
	for _, a := range texts {
		if same, ok := other[a]; ok && string(read(a).AppendIdentity(nil)) != string(read(same).AppendIdentity(nil)) {
			t.Errorf("%s and %s are different", a, same)
		}
		for _, b := range texts {
			if same := string(read(a).AppendIdentity(nil)) == string(read(b).AppendIdentity(nil)); same != (a == b) {
				t.Errorf("%s and %s: same is %v", a, b, same)
			}
		}
	}
}

// mustDecode decodes a JSON value.
func mustDecode(t *testing.T, text string) Value {
	t.Helper()
	v, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
