package source

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// TestLiteral points at each place of a value in source: the marked byte of the
// value is at the mark of the source.
func TestLiteral(t *testing.T) {
	tests := []struct {
		source string
		value  string
		byteOf string // text in the value
		at     string // text in the source where that is
	}{
		{"`json:\"a\" cosmos:\"pk\"`", `json:"a" cosmos:"pk"`, "cosmos", "cosmos"},
		{"`a\r\nb\r\nc`", "a\nb\nc", "c", "c"},
		{`"a\"b"`, `a"b`, `"`, `\"b`},
		{`"é\u00e9\x41z"`, "ééAz", "A", `\x41`},
		{`"é\u00e9\x41z"`, "ééAz", "z", "z"},
		{`"\377\101"`, "\xffA", "A", `\101`},
		{`""`, "", "", `"`},
		{"``", "", "", "`"},
	}
	for _, tt := range tests {
		text := []byte("x = " + tt.source + " // end")
		l, ok := readLiteral(text, 4)
		if !ok || l.Value != tt.value {
			t.Errorf("%s: got %q, %v; want %q", tt.source, l.Value, ok, tt.value)
			continue
		}
		got, want := l.At(strings.Index(tt.value, tt.byteOf)), 5+strings.LastIndex(tt.source[1:], tt.at)
		if got != want {
			t.Errorf("%s: %q is at %d, want %d", tt.source, tt.byteOf, got, want)
		}
		if end := l.At(len(l.Value) + 10); text[end] != tt.source[0] {
			t.Errorf("%s: a byte beyond the end is at %q, want the closing quote", tt.source, text[end:])
		}
	}
	for _, cut := range []string{"", "`abc", `"abc`, "\"abc\n\"", `"\q"`, `"abc\`} {
		if l, ok := readLiteral([]byte(cut), 0); ok {
			t.Errorf("%q: read as %q", cut, l.Value)
		}
	}
}

// TestTagLikeReflect compares what is read of tags with reflect.
func TestTagLikeReflect(t *testing.T) {
	for _, tag := range []string{
		"", " ", `cosmos:"pk"`, ` json:"a"  cosmos:"pk" `, `json:"a"cosmos:"pk"`, `cosmos: "pk"`, `cosmos:pk`,
		`cosmos:"p\"k" json:"\x41"`, `cosmos:"pk`, `json:"a",cosmos:"pk"`, `:"x" cosmos:"pk"`, "cosmos:\"a\nb\"",
		`cosmos:"a" cosmos:"b"`, `json:"\q" cosmos:"pk"`, `x cosmos:"pk"`, "\tcosmos:\"pk\"",
	} {
		l, _ := readLiteral([]byte(strconv.Quote(tag)), 0)
		for _, key := range []string{CosmosKey, JSONKey} {
			want, wantOK := reflect.StructTag(tag).Lookup(key)
			got, ok := readTag(l).Lookup(key)
			if got.Value != want || ok != wantOK {
				t.Errorf("%q %s: got %q, %v; reflect reads %q, %v", tag, key, got.Value, ok, want, wantOK)
			}
		}
	}
}
