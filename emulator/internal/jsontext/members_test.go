package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// decodedMembers is Members by the decoder of the standard library.
func decodedMembers(body []byte) ([]Member, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errNotObject()
	}
	var list []Member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		p := Member{name.(string), raw}
		if i := slices.IndexFunc(list, func(m Member) bool { return m.Name == p.Name }); i >= 0 {
			list[i] = p
		} else {
			list = append(list, p)
		}
	}
	return list, nil
}

// many is an object of more members than are compared one by one, some of them twice.
func many() string {
	var b strings.Builder
	for i := range 3 * fewMembers {
		fmt.Fprintf(&b, `"%d":%d,`, i%(2*fewMembers), i)
	}
	return "{" + strings.TrimSuffix(b.String(), ",") + "}"
}

// FuzzMembers holds that Members splits an object as the decoder of the standard
// library does.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` { } `, `{"a":1}`, `{"a":1,"a":2}`, "{\n \"a\" :\t[1, {\"b\":\"]\"}] ,\"c\":\"\\\\\" }",
		`{"\u0061":"\"","b\"":"\\\"}","😀":null,"\ud800":true}`, `[]`, `"{"`, `1`, `{"a":-1.5e+3,"b":false}`, many(),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		body := []byte(text)
		if !utf8.Valid(body) || !json.Valid(body) {
			return
		}
		want, wantErr := decodedMembers(body)
		got, err := Members(body)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v, want %v", err, wantErr)
		}
		if !slices.EqualFunc(got, want, func(a, b Member) bool { return a.Name == b.Name && bytes.Equal(a.Raw, b.Raw) }) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	})
}

// TestQuoteIsEncode holds that plain text is quoted as all other text is.
func TestQuoteIsEncode(t *testing.T) {
	for c := range rune(0x2100) {
		if s := "a" + string(c) + "z"; !bytes.Equal(Quote(s), Encode(s)) {
			t.Errorf("%q: %s, want %s", s, Quote(s), Encode(s))
		}
	}
}

// TestParseObject holds which bodies are documents, and in which form they are kept.
func TestParseObject(t *testing.T) {
	deep := strings.Repeat("[", maxDepth-1) + strings.Repeat("]", maxDepth-1)
	for _, row := range []struct{ body, want string }{
		{` {"b" : 1.0 , "a":{"x" : [ 1e2,-0 ]}, "b":"two"} `, `b="two" a={"x":[100,0]} `},
		{`{}`, ``},
		{`{"a":` + deep + `}`, `a=` + deep + ` `},
		{`{"a":[` + deep + `]}`, "nested too deeply"},
		{`[]`, "one JSON object"},
		{`{"a":1}{}`, "one JSON object"},
		{``, "one JSON object"},
		{"{\"a\":\"\xff\"}", "one JSON object"},
		{`{"a":1e999}`, "out of the range"},
	} {
		list, err := ParseObject([]byte(row.body))
		var got strings.Builder
		for _, p := range list {
			fmt.Fprintf(&got, "%s=%s ", p.Name, p.Raw)
		}
		if err != nil && !strings.Contains(err.Error(), row.want) || err == nil && got.String() != row.want {
			t.Errorf("%q: %q, %v, want %q", row.body, got.String(), err, row.want)
		}
	}
}
