package repository

import (
	"reflect"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

func TestFeedCursorRoundTrip(t *testing.T) {
	p := feedPosition{
		Type: "thing", Container: "AbCdAO0h2ac=", Since: 1_700_000_000,
		Lanes: []lane{
			{Max: "0AAA", Tag: `"17"`, Passed: versions{{1, 2, 3, 4, 5, 6, 7, 8}, {255}}},
			{Min: "0AAA", Max: "1555"},
			{Min: "1555", Max: "FF", Tag: `"<&>"`},
		},
	}
	text := p.cursor(nil)
	got, err := parseFeedCursor(nil, text)
	if err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("got %+v, %v, want %+v", got, err, p)
	}
	for i := range text {
		if got, err := parseFeedCursor(nil, text[:i]+text[i+1:]); err == nil {
			t.Errorf("a cursor without its byte %d is %+v", i, got)
		}
	}
	if _, err := parseCursor(nil, text); err == nil {
		t.Error("the cursor of a feed is taken for that of a page")
	}
}

func TestFeedCursorsThatAreRefused(t *testing.T) {
	const ok = `{"t":"thing","c":"AbCdAO0h2ac=","l":[{"m":"1555"},{"m":"FF"}]}`
	if _, err := parseFeedCursor(nil, seal(ok)); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ cursor, want string }{
		"of a page":          {seal(`{"n":1,"k":[{"k":4}]}`), "damaged"},
		"of a later version": {framedAs(3, 0, ok), "version 3"},
		"no JSON":            {seal(ok[1:]), "damaged"},
		"no type":            {seal(strings.Replace(ok, `"thing"`, `""`, 1)), "damaged"},
		"no container":       {seal(strings.Replace(ok, `"c":`, `"d":`, 1)), "damaged"},
		"before 1970":        {seal(strings.Replace(ok, `"l":`, `"s":-1,"l":`, 1)), "damaged"},
		"no lanes":           {seal(strings.Replace(ok, `"l":`, `"k":`, 1)), "damaged"},
		"an end too early":   {seal(strings.Replace(ok, `"FF"`, `"1FF"`, 1)), "damaged"},
		"lanes that overlap": {seal(strings.Replace(ok, `{"m":"FF"}`, `{"m":"0AAA"},{"m":"FF"}`, 1)), "damaged"},
		"an empty lane":      {seal(strings.Replace(ok, `"l":[`, `"l":[{"m":""},`, 1)), "damaged"},
		"half a version":     {seal(strings.Replace(ok, `"m":"FF"`, `"m":"FF","p":"AAAA"`, 1)), "damaged"},
	} {
		if p, err := parseFeedCursor(nil, test.cursor); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

// FuzzFeedCursor reads texts, and JSON with a good checksum. What is accepted is
// written so that the same is read.
func FuzzFeedCursor(f *testing.F) {
	f.Add("", `{"t":"thing","c":"x","s":9,"l":[{"m":"1555","e":"\"1\"","p":"AAAAAAAAAAA="},{"m":"FF"}]}`)
	f.Add("AQAAAAB7fQ", `{"t":"thing","c":"x","l":[{"m":"FF"}]}`)
	f.Add(seal(`{"t":"t","c":"c","l":[{"m":"FF"}]}`), `null`)
	f.Fuzz(func(t *testing.T, text, body string) {
		for _, cursor := range []string{text, seal(body)} {
			p, err := parseFeedCursor(nil, cursor)
			if err != nil {
				continue
			}
			again := p.cursor(nil)
			q, err := parseFeedCursor(nil, again)
			if err != nil {
				t.Fatalf("%s: %v", again, err)
			}
			if third := q.cursor(nil); third != again {
				t.Errorf("%s is written as %s", again, third)
			}
			if err := covered(p.Lanes, route.FirstKey, route.LastKey); err != nil {
				t.Error(err)
			}
		}
	})
}
