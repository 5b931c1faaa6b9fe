package text

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
)

func TestValueAt(t *testing.T) {
	const document = `{ "a" : 1 , "b":{"c":[1,{"d":"}"}],"e\u0066":"\\\"" },"s":"x\"y","a.b":null,"":true, "n":-1.5e3}`
	for _, test := range []struct {
		path []string
		want string
	}{
		{nil, document},
		{[]string{"a"}, "1"},
		{[]string{"b", "c"}, `[1,{"d":"}"}]`},
		{[]string{"b", "ef"}, `"\\\""`},
		{[]string{"s"}, `"x\"y"`},
		{[]string{"a.b"}, "null"},
		{[]string{""}, "true"},
		{[]string{"n"}, "-1.5e3"},
		{[]string{"b", "d"}, ""},
		{[]string{"a", "b"}, ""},
		{[]string{"x"}, ""},
	} {
		if got := ValueAt([]byte(document), test.path); string(got) != test.want {
			t.Errorf("%q: got %s, want %s", test.path, got, test.want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { ValueAt([]byte(document), []string{"n"}) }); n > 1 { // the document
		t.Errorf("%v allocations", n)
	}
}

// FuzzValueAt compares with encoding/json what is found in valid documents, and
// sees to it that others do no harm.
func FuzzValueAt(f *testing.F) {
	for _, seed := range []string{
		`{"a":1}`, `{"b":"\"","a":{"a":[]}}`, `{"a":"\\","b":"\\\\\""}`, `{"\u0061":0}`, `[1]`, `{`, `{"a"`, `{"a":`, `{"a":}`, `{"a":1,`, `{,}`, `{"x":"`, `{"x":"\`, ``, ` `, `{"a":[}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := ValueAt(data, []string{"a"})
		var properties map[string]json.RawMessage
		if json.Unmarshal(data, &properties) != nil || !json.Valid(data) || twice(data) {
			return
		}
		if want := properties["a"]; !bytes.Equal(got, want) {
			t.Errorf("%s: got %s, want %s", data, got, want)
		}
	})
}

// twice reports whether an object has a name twice.
func twice(object []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(object))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return false
	}
	seen := map[any]bool{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil || seen[name] {
			return true
		}
		seen[name] = true
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return true
		}
	}
	return false
}

func TestSortValues(t *testing.T) {
	order := []string{
		"", "null", "false", "true", "-1e400", "-2", "0", "0.5", "2", "1e300", "1e400",
		`""`, `"A"`, `"a"`, `"a\u0062"`, `"b"`, `"é"`, "\"\uFFFD\"", `"\ud83d\ude00"`, "[1]", `{"a":1}`,
	}
	for i, a := range order {
		for j, b := range order {
			v, err := SortValueOf([]byte(a))
			if err != nil {
				t.Fatal(err)
			}
			w, err := SortValueOf([]byte(b))
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			switch {
			case i < j:
				want = -1
			case i > j:
				want = 1
			}
			if got := v.Compare(w); got != want {
				t.Errorf("%s compared with %s is %d, want %d", a, b, got, want)
			}
		}
	}
	for _, equal := range [][2]string{{"-0", "0"}, {"1", "1.0"}, {`"a"`, `"\u0061"`}, {"[]", "[1]"}, {"{}", `{"a":1}`}} {
		v, _ := SortValueOf([]byte(equal[0]))
		w, _ := SortValueOf([]byte(equal[1]))
		if v.Compare(w) != 0 {
			t.Errorf("%s and %s differ", equal[0], equal[1])
		}
	}
	if v, _ := SortValueOf([]byte("1e400")); !math.IsInf(v.number, 1) {
		t.Errorf("1e400 is %v", v.number)
	}
	if _, err := SortValueOf([]byte("x")); err == nil {
		t.Error("x is a value")
	}
}
