package jsonscan

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// texts are JSON, and texts on which readers of JSON disagree.
var texts = []string{
	`{"a":[1,-2.5e3,true,false,null,"x\"y\\"],"b":{"c":{}},"\u00e9\n":[[],[{}]]}`, ` [ 1 , { "a" : 2 } ] `, `"]}"`, `"\\"`, `7`, `""`, "\"\xff\"", `{"a":1,"a":2}`, `[`, `{"a"`, `"\`,
	`{}`, ` { } `, `{"a":01}`, `{"a":-}`, `{"a":.5}`, `{"a":1.}`, `{"a":1e}`, `{"a":1e+5}`, `{"a":+1}`, `{"a":tru}`, `{"a":nul`, `{"\ud83c\udf0d":"\uD800\u0041"}`, `"\x"`, `"\u12g4"`,
	`{"a":1,}`, `{,}`, `{"a" 1}`, `{a:1}`, `{"a":1}}`, `{"a":1}x`, `[1,2`, `[1,]`, `[,]`, `[1 2]`, `{"a":1 "b":2}`, `{]`, `[}`, "\ufeff{}", "{}\x00", "{}\v", "\"\t\"", ``, ` `, `/**/{}`,
	strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1),
	strings.Repeat(`{"a":`, MaxDepth) + "1" + strings.Repeat("}", MaxDepth), strings.Repeat(`{"a":`, MaxDepth+1) + "1" + strings.Repeat("}", MaxDepth+1),
}

// read returns a value as json.Unmarshal would, with numbers as texts.
func read(s *Scanner) any {
	switch s.Kind() {
	case '{':
		out := map[string]any{}
		for s.Enter('{'); s.More(); {
			name := string(s.Name())
			out[name] = read(s)
		}
		return out
	case '[':
		out := []any{}
		for s.Enter('['); s.More(); {
			out = append(out, read(s))
		}
		return out
	case '"':
		text, _ := s.Text()
		return text
	}
	switch raw := string(s.Raw()); raw {
	case "null":
		return nil
	case "true", "false":
		return raw == "true"
	default:
		return json.Number(raw)
	}
}

// decoded returns a value as encoding/json does.
func decoded(t *testing.T, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// check compares what this package does with what encoding/json does.
func check(t *testing.T, text []byte) {
	t.Helper()
	if got, want := Valid(text), json.Valid(text); got != want {
		t.Fatalf("%q: valid is %v", text, got)
	}
	if !json.Valid(text) { // what is read need not be right, but has to end
		s := Of(text)
		s.Skip()
		for s = Of(text); s.More(); {
			s.Skip()
		}
		if members := Of(text); members.Enter('{') {
			for members.More() {
				_, _ = members.Name(), members.Raw()
			}
		}
		AppendWithout(nil, text, []string{"a"})
		Complete(text)
		return
	}
	want := decoded(t, text)
	s := Of(text)
	if got := read(&s); !reflect.DeepEqual(got, want) || s.Kind() != 0 {
		t.Errorf("%s is %#v, want %#v", text, got, want)
	}
	s = Of(text)
	if raw := s.Raw(); !bytes.Equal(raw, bytes.Trim(text, " \t\r\n")) || s.Kind() != 0 {
		t.Errorf("%s as it is written is %s", text, raw)
	}
	switch want := want.(type) {
	case map[string]any:
		if !Complete(text) {
			t.Errorf("%s is not complete", text)
		}
		checkWithout(t, text, want)
	case string:
		checkText(t, bytes.TrimSpace(text), want)
	}
}

// checkWithout leaves the member a out of an object, in memory of its own and in that of
// the object.
func checkWithout(t *testing.T, text []byte, object map[string]any) {
	t.Helper()
	if !utf8.Valid(text) {
		return // names are compared byte for byte
	}
	delete(object, "a")
	left := AppendWithout(nil, text, []string{"a", "none"})
	if got := decoded(t, left); !reflect.DeepEqual(got, any(object)) {
		t.Errorf("%s without a is %s", text, left)
	}
	same := bytes.Clone(text)
	if got := AppendWithout(same[:0], same, []string{"none", "a"}); !bytes.Equal(got, left) {
		t.Errorf("%s without a, in its memory, is %s", text, got)
	}
}

// checkText compares what a string says.
func checkText(t *testing.T, quoted []byte, want string) {
	t.Helper()
	said, unicode := AppendText([]byte("x"), quoted)
	valid := utf8.Valid(quoted)
	if valid && string(said) != "x"+want || !valid && strings.ToValidUTF8(string(said[1:]), "") != strings.ReplaceAll(want, "\ufffd", "") && unicode {
		t.Errorf("%s says %q, want %q", quoted, said, want)
	}
	if valid && (!Spells(quoted, want) || Spells(quoted, want+"x")) {
		t.Errorf("%s does not spell %q", quoted, want)
	}
	c := Check(quoted)
	if c.Value(); c.Plain() && string(quoted[1:len(quoted)-1]) != want {
		t.Errorf("%s is plain, and says %q", quoted, want)
	}
}

func TestTexts(t *testing.T) {
	for _, text := range texts {
		check(t, []byte(text))
	}
}

// FuzzTexts expects the same of a text as encoding/json does, and that every call ends.
func FuzzTexts(f *testing.F) {
	for _, text := range texts {
		if len(text) < 1000 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(check)
}

// TestOtherKinds asks for a kind that the value is not: it is skipped.
func TestOtherKinds(t *testing.T) {
	for bracket, want := range map[byte][]bool{'[': {false, true, false, false}, '{': {true, false, false, false}} {
		s := Of([]byte(`[{"a":1},[2],"x",3]`))
		var is []bool
		for s.Enter('['); s.More(); {
			entered := s.Enter(bracket)
			for entered && s.More() {
				s.Skip()
			}
			is = append(is, entered)
		}
		if !slices.Equal(is, want) || s.Kind() != 0 {
			t.Errorf("%c: %v", bracket, is)
		}
	}
	for _, value := range []string{``, `"`, `1`, `null`, `[]`} {
		if text, ok := Text([]byte(value)); ok || Unquoted([]byte(value)) != nil {
			t.Errorf("%s is the text %q", value, text)
		}
	}
}

func TestComplete(t *testing.T) {
	for text, want := range map[string]bool{
		` {"a":[{}],"b":"}"} `: true, `{}`: true, ``: false, `[]`: false, `{"a":"}`: false, `{"a":{}`: false, `{}{}`: false, `{} x`: false,
	} {
		if got := Complete([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestPosition expects the offset of the first byte that is not JSON.
func TestPosition(t *testing.T) {
	for text, want := range map[string]int{
		`{"a":1,}`: 7, `{"a" 1}`: 5, `[1 2]`: 3, `{"a":"\x"}`: 5, `[tru]`: 1, `[1,`: 3, `[01]`: 2, ` `: 1, `{}x`: 2,
		strings.Repeat("[", MaxDepth+1): MaxDepth,
	} {
		c := Check([]byte(text))
		if c.Value() && c.Ended() || c.Pos() != want {
			t.Errorf("%.20s: offset %d, want %d", text, c.Pos(), want)
		}
	}
}

// TestAllocations walks through a document in both modes.
func TestAllocations(t *testing.T) {
	text := []byte(texts[0])
	if n := testing.AllocsPerRun(100, func() { Valid(text) }); n != 0 {
		t.Errorf("a checker allocates %v times", n)
	}
	walk := func() {
		s := Of(text)
		for s.Enter('{'); s.More(); {
			s.Skip()
			s.Raw()
		}
	}
	if n := testing.AllocsPerRun(100, walk); n != 0 {
		t.Errorf("a scanner allocates %v times", n)
	}
}

// BenchmarkTexts compares both modes with json.Valid, on a document of 1 KB.
func BenchmarkTexts(b *testing.B) {
	text := []byte(`{"id":"0e3a5c1e-6a2f-4a5e-9d0b-2f5f9a3a1c11","position":{"lat":47.6062,"lon":-122.3321},"signals":[` +
		strings.TrimSuffix(strings.Repeat(`{"n":"rpm","v":2412.25},`, 24), ",") + `],"note":"` + strings.Repeat("lorem ipsum ", 22) + `","_etag":"\"0000-00\""}`)
	for name, f := range map[string]func(){
		"Scanner": func() {
			s := Of(text)
			s.Skip()
		},
		"Checker":    func() { Valid(text) },
		"json.Valid": func() { json.Valid(text) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}
