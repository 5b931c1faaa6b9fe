package value

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// viewed are texts that a Reader must read as encoding/json does.
var viewed = []string{
	`{}`, `[]`, `null`, `true`, `false`, `-1.50e3`, `"\u0001<&>"`, `""`,
	` { "a" : [ 1 , { "b" : true } , null , "x\n\u00e9" ] , "" : { } } `,
	`{"a":"\\","b":"\"","c":"\\\"","d":"é\\u","e":[[],[[]],{"x":{}}],"a":2}`,
	`{"o":{"x":1,"x":2},"n":123456789012345678,"s":"` + strings.Repeat("y", 300) + `"}`,
	manyProperties(70),
}

func manyProperties(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"p%d":[%d,"%d"]`, i, i, i)
	}
	return `{` + strings.Join(list, ",") + `,"p3":"last"}`
}

func checkView(t *testing.T, readers []*Reader, text string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	want := decoded(t, d)
	identity := string(want.AppendIdentity(nil))
	for i, r := range readers {
		got := r.Read([]byte(text))
		if json := string(got.JSON()); string(got.AppendIdentity(nil)) != identity || got.Kind() >= Array && json != strings.Trim(text, " \t\r\n") {
			t.Errorf("reader %d: %q became %s", i, text, got.JSON())
		}
	}
}

// decoded returns the next value of encoding/json.
func decoded(t *testing.T, d *json.Decoder) Value {
	t.Helper()
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token := token.(type) {
	case nil:
		return OfNull()
	case bool:
		return OfBool(token)
	case string:
		return OfString(token)
	case json.Number:
		f, _ := token.Float64()
		return Value{kind: Number, num: f, str: string(token)}
	}
	v := Value{kind: Array, comp: &Members{}}
	if token == json.Delim('{') {
		v.kind = Object
	}
	for d.More() {
		if v.kind == Array {
			v.comp.items = append(v.comp.items, decoded(t, d))
			continue
		}
		name := decoded(t, d)
		v.comp.set(name.Text(), decoded(t, d))
	}
	_, _ = d.Token() // the bracket that closes it
	return v
}

func TestView(t *testing.T) {
	readers := []*Reader{{}, {Reuse: true}}
	for range 3 {
		for _, text := range viewed {
			checkView(t, readers, text)
		}
	}
}

func FuzzView(f *testing.F) {
	for _, text := range viewed {
		f.Add(text)
	}
	readers := []*Reader{{}, {Reuse: true}}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Decode([]byte(text)); err != nil || !utf8.ValidString(text) || !json.Valid([]byte(text)) {
			return
		}
		checkView(t, readers, text)
	})
}

// TestViewOfNames leaves out properties, whatever is in them.
func TestViewOfNames(t *testing.T) {
	r := &Reader{Names: map[string]bool{"b": true, "none": true}, Reuse: true}
	for _, skipped := range viewed {
		text := `{"a":` + skipped + `,"b":{"a":1},"c":` + skipped + `}`
		v := r.Read([]byte(text))
		if b := v.Get("b"); v.Len() != 1 || string(b.JSON()) != `{"a":1}` || !Equal(b.Get("a"), OfFloat(1)) || string(v.JSON()) != text {
			t.Errorf("of %s: %d properties, b is %s", text, v.Len(), b.JSON())
		}
	}
}

// TestViewAllocatesNothing reads documents into memory that is used again.
func TestViewAllocatesNothing(t *testing.T) {
	r := &Reader{Reuse: true}
	raw := []byte(`{"id":"1","tags":["a","b"],"o":{"lat":48.2,"lon":11.5},"n":3,"t":true,"_ts":1533800000}`)
	r.Read(raw)
	if n := testing.AllocsPerRun(100, func() { r.Read(raw) }); n != 0 {
		t.Errorf("%v allocations a document, want none", n)
	}
}

func BenchmarkView(b *testing.B) {
	raw := []byte(`{"id":"1","pk":"2018-08-09.1","vin":"1HGCM82633A000001","speed":120,"position":{"lat":48.2,"lon":11.7},"tags":["a","b","c"],"text":"` +
		strings.Repeat("x", 700) + `","_rid":"AAAAAAAAAAA=","_self":"dbs/AAAAAA==/colls/AAAAAAAAAAA=/docs/AAAAAAAAAAAAAAAAAAAAAA==/","_etag":"\"00000000-0000-0000-0000-000000000000\"","_attachments":"attachments/","_ts":1533800000}`)
	for name, r := range map[string]*Reader{"all": {}, "all again": {Reuse: true}, "one name": {Reuse: true, Names: map[string]bool{"speed": true}}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				r.Read(raw)
			}
		})
	}
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		b.ReportAllocs()
		for b.Loop() {
			_, _ = Decode(raw)
		}
	})
}
