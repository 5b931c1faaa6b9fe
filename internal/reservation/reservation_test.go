package reservation

import "testing"

// TestIDOf has the ids of a few values, which cannot change: reservations are stored
// under them.
func TestIDOf(t *testing.T) {
	for _, c := range []struct{ scope, property, value, want string }{
		{"", "email", "", ""},
		{"", "email", "ada@example.com", "_pkgen-unique-f6df529767fcef2ec1a81a91d9899f7664da38ddbe904747338b95766a88a8ce"},
		{"user", "email", "ada@example.com", "_pkgen-unique-cb0b401cda06b33084b71294274796b00cb9af66b85ed211b9053c3bf28e9cfa"},
		{"", "badge", "7", "_pkgen-unique-ae5228aa3b0c86f8624a8877dc38b8da7dc6dc4a4f325997e5113c6fd07183f8"},
		{"", "name", "zoë \u2028/", "_pkgen-unique-0759a042e98514882ab7d81338b815b4e919198c1e705f8de0d8a725dada28d9"},
	} {
		if got := IDOf(c.scope, c.property, c.value); got != c.want {
			t.Errorf("%q: got %s, want %s", c, got, c.want)
		}
	}
}

// TestIDsDiffer has values whose parts are one text when they are put together.
func TestIDsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range [][3]string{{"ab", "c", "d"}, {"a", "bc", "d"}, {"a", "b", "cd"}, {"", "abc", "d"}, {"1:a", "b", "c"}, {"1", ":a1:b", "c"}} {
		id := IDOf(c[0], c[1], c[2])
		if seen[id] {
			t.Errorf("%q has the id of another value", c)
		}
		seen[id] = true
	}
}

// TestTextOf has values as JSON.
func TestTextOf(t *testing.T) {
	for value, want := range map[string]string{
		``: "", `null`: "", `""`: "", `"a"`: "a", `"\u0061"`: "a", `"\u003c"`: "<", `7`: "7", `-7`: "-7", `-0`: "0", `9007199254740992`: "9007199254740992",
	} {
		if got, err := TextOf([]byte(value)); err != nil || got != want {
			t.Errorf("%s: %q, %v", value, got, err)
		}
	}
	for _, value := range []string{`7.5`, `1e3`, `true`, `[]`, `{}`, `9007199254740993`, `-9007199254740993`, `99999999999999999999`, `"a`} {
		if got, err := TextOf([]byte(value)); err == nil {
			t.Errorf("%s: %q", value, got)
		}
	}
}

// TestHolderOf has broken reservations.
func TestHolderOf(t *testing.T) {
	for _, value := range []string{`null`, `7`, `{}`, `{"id":"a"}`, `{"key":["x"]}`, `{"id":7,"key":"x"}`} {
		if h, err := HolderOf([]byte(value)); err == nil {
			t.Errorf("%s: %+v", value, h)
		}
	}
	body, err := Body("r", Holder{Type: "T", Property: "p", ID: "i", Key: []byte(`["k"]`), Token: "t"})
	if want := `{"id":"r","_unique":{"type":"T","property":"p","id":"i","key":["k"],"token":"t"},"ttl":-1}`; err != nil || string(body) != want {
		t.Errorf("%s, %v", body, err)
	}
}
