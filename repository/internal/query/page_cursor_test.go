package query

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// framedAs makes a cursor of a version, a form and what it says.
func framedAs(version, form byte, body string) string {
	framed := append([]byte{version, 0, 0, 0, 0, form}, body...)
	sum := crc32.Update(crc32.ChecksumIEEE(framed[:1]), crc32.IEEETable, framed[5:])
	binary.BigEndian.PutUint32(framed[1:], sum)
	return base64.RawURLEncoding.EncodeToString(framed)
}

// seal makes an open cursor of this version.
func seal(body string) string { return framedAs(2, 0, body) }

// sortValuesOf are the sort values of JSON texts; an empty text is that of an absent
// property.
func sortValuesOf(all ...string) []text.SortValue {
	values := make([]text.SortValue, len(all))
	for i, raw := range all {
		var err error
		if values[i], err = text.SortValueOf([]byte(raw)); err != nil {
			panic(err)
		}
	}
	return values
}

func TestCursorRoundTrip(t *testing.T) {
	last := docNumber(1<<64 - 1)
	p := position{
		Query: []byte{1, 2, 255}, Container: "AbCdAO0h2ac=", Delivered: 7,
		Keys:      sortValuesOf("", "null", "false", "true", "0", "-1e300", "0.1", `""`, "\"\\\"\\\\é\u2028😀\"", "[]", "{}"),
		Stretches: []stretch{{Max: "0AAA", All: true}, {Max: "1555", Some: docNumbers{1, 1 << 63}, UpTo: &last}, {Max: "FF", Some: docNumbers{9}}},
		Last:      docNumbers{3, 1 << 62},
		Direction: downwards,
		Tokens:    []pageToken{{Min: "0AAA", Max: "1555", Token: "-RID:~x==#RT:1#<&>", Read: 3, Sum: []byte{1}, From: "0AAA", To: "FF"}},
	}
	for name, keys := range map[string]cursor.Keys{"open": nil, "closed": {cursor.Key("0123456789abcdef")}} {
		text, err := p.cursor(keys)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseCursor(keys, text)
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%s: got %+v, %v, want %+v", name, got, err, p)
		}
		for i := range text {
			for _, c := range []string{"", "A", "x", "=", "\n"} {
				if other := text[:i] + c + text[i+1:]; other != text {
					if _, err := parseCursor(keys, other); err == nil {
						t.Errorf("%s: a cursor with %q at %d is accepted", name, c, i)
					}
				}
			}
		}
	}
}

// least is the least that a cursor says.
const least = `{"n":1,"k":[{"k":4}],"g":[{"m":"FF","a":true}]}`

func TestCursorsThatAreRefused(t *testing.T) {
	token := func(text string) string { return strings.Replace(least, `"g":`, `"t":[`+text+`],"g":`, 1) }
	stretches := func(text string) string { return strings.Replace(least, `{"m":"FF","a":true}`, text, 1) }
	for name, test := range map[string]struct{ cursor, want string }{
		"empty":                   {"", "damaged"},
		"short":                   {base64.RawURLEncoding.EncodeToString([]byte{1, 0, 0}), "damaged"},
		"version 0":               {framedAs(0, 0, `{}`), "damaged"},
		"an earlier version":      {framedAs(1, '{', `}`), "version 1"},
		"a later version":         {framedAs(3, 0, `whatever`), "version 3"},
		"another form":            {framedAs(2, 2, least), "damaged"},
		"closed":                  {framedAs(2, 1, least), "WithCursorKey"},
		"very long":               {strings.Repeat("A", cursor.MaxPage+1), "65537 bytes"},
		"no JSON":                 {seal(`{`), "damaged"},
		"nothing in it":           {seal(`{}`), "damaged"},
		"a kind too many":         {seal(strings.Replace(least, `"k":4`, `"k":8`, 1)), "damaged"},
		"a kind below":            {seal(strings.Replace(least, `"k":4`, `"k":-1`, 1)), "damaged"},
		"a number as text":        {seal(strings.Replace(least, `"k":4`, `"k":4,"s":"1"`, 1)), "damaged"},
		"a text as number":        {seal(strings.Replace(least, `"k":4`, `"k":5,"n":1`, 1)), "damaged"},
		"an infinity":             {seal(strings.Replace(least, `"k":4`, `"k":4,"n":1e999`, 1)), "damaged"},
		"no document before":      {seal(strings.Replace(least, `"n":1`, `"n":0`, 1)), "damaged"},
		"fewer than none":         {seal(strings.Replace(least, `"n":1`, `"n":-5`, 1)), "damaged"},
		"no stretches":            {seal(stretches(``)), "damaged"},
		"an empty stretch":        {seal(stretches(`{"m":""}`)), "damaged"},
		"stretches that overlap":  {seal(stretches(`{"m":"1A"},{"m":"0A"}`)), "damaged"},
		"no bound":                {seal(stretches(`{"m":"xx"}`)), "damaged"},
		"a whole stretch later":   {seal(stretches(`{"m":"0A"},{"m":"FF","a":true}`)), "damaged"},
		"an order of no order":    {seal(stretches(`{"m":"FF","u":5}`)), "damaged"},
		"half a number":           {seal(stretches(`{"m":"FF","s":"AAAA"}`)), "damaged"},
		"many stretches":          {seal(stretches(manyStretches(maxStretches + 1))), "damaged"},
		"many numbers":            {seal(stretches(`{"m":"FF","s":"` + base64.StdEncoding.EncodeToString(make([]byte, 8*(maxNamed+1))) + `"}`)), "damaged"},
		"many names":              {seal(strings.Replace(least, `"g":`, `"l":"`+base64.StdEncoding.EncodeToString(make([]byte, 8*(fewNamed+1)))+`","g":`, 1)), "damaged"},
		"no direction":            {seal(strings.Replace(least, `"g":`, `"o":3,"g":`, 1)), "damaged"},
		"a token of nothing":      {seal(token(`{"i":"0A","m":"0A"}`)), "damaged"},
		"a token of less":         {seal(token(`{"i":"0A","m":"1A","f":"0B","l":"1A"}`)), "damaged"},
		"a long token":            {seal(token(`{"m":"FF","t":"` + strings.Repeat("x", maxPageToken+1) + `"}`)), "damaged"},
		"a token that is two":     {seal(token(`{"m":"FF","t":"a\r\nb"}`)), "damaged"},
		"a token before the next": {seal(token(`{"m":"FF","d":-1}`)), "damaged"},
		"many tokens":             {seal(token(strings.Repeat(`{"m":"FF"},`, maxPageTokens) + `{"m":"FF"}`)), "damaged"},
	} {
		if _, err := parseCursor(nil, test.cursor); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, body := range map[string]string{
		"least": least, "stretches": stretches(manyStretches(maxStretches)), "token": token(`{"m":"FF","t":"x","d":4}`),
	} {
		if _, err := parseCursor(nil, seal(body)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// manyStretches is the JSON of n stretches.
func manyStretches(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"m":"%02X"}`, i+1))
	}
	return strings.Join(all, ",")
}

// FuzzCursor reads texts, and JSON with a good checksum, in the open and closed.
// What is accepted is written so that the same is read.
func FuzzCursor(f *testing.F) {
	f.Add("", `{"q":"AQI=","c":"x","n":1,"k":[{"k":5,"s":"a"}],"g":[{"m":"1555","a":true},{"m":"FF","s":"AAAAAAAAAAE="}]}`)
	f.Add("AQAAAAB7fQ", `{"n":9,"k":[{"k":0},{"k":4,"n":-0.5}],"o":-1,"g":[{"m":"FF","u":77}],"t":[{"m":"FF","t":"x","d":9}]}`)
	f.Add(seal(least), `null`)
	f.Add(framedAs(9, 0, ``), `{"k":[{"k":300}]}`)
	f.Fuzz(func(t *testing.T, given, body string) {
		keys := cursor.Keys{cursor.Key("0123456789abcdef")}
		if _, err := parseCursor(keys, given); err == nil {
			t.Error("a text is taken for a cursor that is closed")
		}
		for _, cursor := range []string{given, seal(body)} {
			p, err := parseCursor(nil, cursor)
			if err != nil {
				continue
			}
			again, err := p.cursor(nil)
			if err != nil {
				t.Fatal(err)
			}
			q, err := parseCursor(nil, again)
			if err != nil {
				t.Fatalf("%s: %v", again, err)
			}
			if third, err := q.cursor(nil); err != nil || third != again {
				t.Errorf("%s is written as %s", again, third)
			}
			closed, err := p.cursor(keys)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parseCursor(keys, closed); err != nil {
				t.Errorf("%s: %v", closed, err)
			}
			for _, strict := range []bool{false, true} {
				if condition, _ := text.After(make([]text.Order, len(p.Keys)), p.Keys, strict); condition == "" {
					t.Error("a position without a condition")
				}
			}
		}
	})
}

func TestContainerOf(t *testing.T) {
	for rid, want := range map[string]string{
		"AbCdAO0h2acBAAAAAAAAAA==": "AbCdAO0h2ac=",
		"--CdAO0h2acBAAAAAAAAAA==": "--CdAO0h2ac=",
		"AbCdAA==":                 "",
		"?":                        "",
		"":                         "",
	} {
		if got := containerOf(rid); got != want {
			t.Errorf("%q is in %q, want %q", rid, got, want)
		}
	}
}

func TestPositionsThatFitNoQuery(t *testing.T) {
	p := position{Query: []byte("q"), Keys: []text.SortValue{{}}, Delivered: 3}
	if err := p.fits([]byte("q"), 1, 0); err != nil {
		t.Error(err)
	}
	for _, err := range []error{p.fits([]byte("r"), 1, 0), p.fits([]byte("q"), 2, 0), p.fits([]byte("q"), 1, 3)} {
		if err == nil || errors.Is(err, cursor.ErrDamaged) {
			t.Errorf("got %v", err)
		}
	}
}
