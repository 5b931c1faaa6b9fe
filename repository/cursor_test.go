package repository

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// seal makes a cursor of a version and JSON.
func seal(version byte, body string) string {
	text := append([]byte{version, 0, 0, 0, 0}, body...)
	binary.BigEndian.PutUint32(text[1:], cursorSum(text))
	return base64.RawURLEncoding.EncodeToString(text)
}

func TestCursorRoundTrip(t *testing.T) {
	p := position{
		Query: []byte{1, 2, 255}, Container: "AbCdAO0h2ac=", Delivered: 7,
		Keys: []sortValue{
			{}, {kind: sortNull}, {kind: sortFalse}, {kind: sortTrue}, {kind: sortNumber}, {kind: sortNumber, number: -1e300},
			{kind: sortNumber, number: 0.1}, {kind: sortString}, {kind: sortString, text: "\"\\é\u2028😀"}, {kind: sortArray}, {kind: sortObject},
		},
		Ties: []string{"AbCdAO0h2acBAAAAAAAAAA==", "x"},
	}
	text, err := p.cursor()
	if err != nil {
		t.Fatal(err)
	}
	got, err := parseCursor(text)
	if err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("got %+v, %v, want %+v", got, err, p)
	}
	for i := range text {
		for _, c := range []string{"", "A", "x", "=", "\n"} {
			if other := text[:i] + c + text[i+1:]; other != text {
				if _, err := parseCursor(other); err == nil {
					t.Errorf("a cursor with %q at %d is accepted", c, i)
				}
			}
		}
	}
}

func TestCursorsThatAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ cursor, want string }{
		"empty":             {"", "damaged"},
		"short":             {base64.RawURLEncoding.EncodeToString([]byte{1, 0, 0}), "damaged"},
		"version 0":         {seal(0, `{}`), "damaged"},
		"a later version":   {seal(2, `whatever`), "version 2"},
		"no JSON":           {seal(1, `{`), "damaged"},
		"nothing in it":     {seal(1, `{}`), "damaged"},
		"a kind too many":   {seal(1, `{"n":1,"k":[{"k":8}]}`), "damaged"},
		"a kind below":      {seal(1, `{"n":1,"k":[{"k":-1}]}`), "damaged"},
		"a number as text":  {seal(1, `{"n":1,"k":[{"k":4,"s":"1"}]}`), "damaged"},
		"a text as number":  {seal(1, `{"n":1,"k":[{"k":5,"n":1}]}`), "damaged"},
		"an infinity":       {seal(1, `{"n":1,"k":[{"k":4,"n":1e999}]}`), "damaged"},
		"none delivered":    {seal(1, `{"n":0,"k":[{"k":4}]}`), "damaged"},
		"more ties than 1k": {seal(1, `{"n":1,"k":[{"k":4}],"t":[`+strings.Repeat(`"",`, 1000)+`""]}`), "damaged"},
	} {
		if _, err := parseCursor(test.cursor); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := parseCursor(seal(1, `{"n":1,"k":[{"k":4}]}`)); err != nil {
		t.Errorf("the least cursor: %v", err)
	}
}

// FuzzCursor reads texts, and JSON with a good checksum. What is accepted is
// written so that the same is read.
func FuzzCursor(f *testing.F) {
	f.Add("", `{"q":"AQI=","c":"x","n":1,"k":[{"k":5,"s":"a"}],"t":["r"]}`)
	f.Add("AQAAAAB7fQ", `{"n":9,"k":[{"k":0},{"k":4,"n":-0.5}]}`)
	f.Add(seal(1, `{"n":1,"k":[{"k":4}]}`), `null`)
	f.Add(seal(9, ``), `{"k":[{"k":300}]}`)
	f.Fuzz(func(t *testing.T, text, body string) {
		for _, cursor := range []string{text, seal(cursorVersion, body)} {
			p, err := parseCursor(cursor)
			if err != nil {
				continue
			}
			again, err := p.cursor()
			if err != nil {
				t.Fatal(err)
			}
			q, err := parseCursor(again)
			if err != nil {
				t.Fatalf("%s: %v", again, err)
			}
			if third, err := q.cursor(); err != nil || third != again {
				t.Errorf("%s is written as %s", again, third)
			}
			condition, _ := fromOn(make([]sortOrder, len(p.Keys)), p.Keys)
			if condition == "" {
				t.Error("a position without a condition")
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
	p := position{Query: []byte("q"), Keys: []sortValue{{}}, Delivered: 3}
	if err := p.fits([]byte("q"), 1, 0); err != nil {
		t.Error(err)
	}
	for _, err := range []error{p.fits([]byte("r"), 1, 0), p.fits([]byte("q"), 2, 0), p.fits([]byte("q"), 1, 3)} {
		if err == nil || errors.Is(err, errDamaged) {
			t.Errorf("got %v", err)
		}
	}
}
