package feed

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

func TestFeedCursorRoundTrip(t *testing.T) {
	p := Position{
		Type: "thing", Container: "AbCdAO0h2ac=", Since: 1_700_000_000,
		Lanes: []lane{
			{Max: "0AAA", Tag: `"17"`, Passed: versions{{1, 2, 3, 4, 5, 6, 7, 8}, {255}}},
			{Min: "0AAA", Max: "1555"},
			{Min: "1555", Max: "FF", Tag: `"<&>"`},
		},
	}
	text := p.Cursor(nil)
	got, err := ParseCursor(nil, text)
	if err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("got %+v, %v, want %+v", got, err, p)
	}
	for i := range text {
		if got, err := ParseCursor(nil, text[:i]+text[i+1:]); err == nil {
			t.Errorf("a cursor without its byte %d is %+v", i, got)
		}
	}
}

func TestFeedCursorsThatAreRefused(t *testing.T) {
	const ok = `{"t":"thing","c":"AbCdAO0h2ac=","l":[{"m":"1555"},{"m":"FF"}]}`
	if _, err := ParseCursor(nil, sealed(ok)); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ cursor, want string }{
		"of a page":          {sealed(`{"n":1,"k":[{"k":4}]}`), "damaged"},
		"of a later version": {framedOf(3, 0, ok), "version 3"},
		"no JSON":            {sealed(ok[1:]), "damaged"},
		"no type":            {sealed(strings.Replace(ok, `"thing"`, `""`, 1)), "damaged"},
		"no container":       {sealed(strings.Replace(ok, `"c":`, `"d":`, 1)), "damaged"},
		"before 1970":        {sealed(strings.Replace(ok, `"l":`, `"s":-1,"l":`, 1)), "damaged"},
		"no lanes":           {sealed(strings.Replace(ok, `"l":`, `"k":`, 1)), "damaged"},
		"an end too early":   {sealed(strings.Replace(ok, `"FF"`, `"1FF"`, 1)), "damaged"},
		"lanes that overlap": {sealed(strings.Replace(ok, `{"m":"FF"}`, `{"m":"0AAA"},{"m":"FF"}`, 1)), "damaged"},
		"an empty lane":      {sealed(strings.Replace(ok, `"l":[`, `"l":[{"m":""},`, 1)), "damaged"},
		"half a version":     {sealed(strings.Replace(ok, `"m":"FF"`, `"m":"FF","p":"AAAA"`, 1)), "damaged"},
	} {
		if p, err := ParseCursor(nil, test.cursor); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

// FuzzFeedCursor reads texts, and JSON with a good checksum. What is accepted is
// written so that the same is read.
func FuzzFeedCursor(f *testing.F) {
	f.Add("", `{"t":"thing","c":"x","s":9,"l":[{"m":"1555","e":"\"1\"","p":"AAAAAAAAAAA="},{"m":"FF"}]}`)
	f.Add("AQAAAAB7fQ", `{"t":"thing","c":"x","l":[{"m":"FF"}]}`)
	f.Add(sealed(`{"t":"t","c":"c","l":[{"m":"FF"}]}`), `null`)
	f.Fuzz(func(t *testing.T, text, body string) {
		for _, cursor := range []string{text, sealed(body)} {
			p, err := ParseCursor(nil, cursor)
			if err != nil {
				continue
			}
			again := p.Cursor(nil)
			q, err := ParseCursor(nil, again)
			if err != nil {
				t.Fatalf("%s: %v", again, err)
			}
			if third := q.Cursor(nil); third != again {
				t.Errorf("%s is written as %s", again, third)
			}
			if err := covered(p.Lanes, route.FirstKey, route.LastKey); err != nil {
				t.Error(err)
			}
		}
	})
}

// framedOf makes a cursor of a version, a form and what it says.
func framedOf(version, form byte, body string) string {
	framed := append([]byte{version, 0, 0, 0, 0, form}, body...)
	sum := crc32.Update(crc32.ChecksumIEEE(framed[:1]), crc32.IEEETable, framed[5:])
	binary.BigEndian.PutUint32(framed[1:], sum)
	return base64.RawURLEncoding.EncodeToString(framed)
}

// sealed makes an open cursor of this version.
func sealed(body string) string { return framedOf(2, 0, body) }

func TestCursorsOfSeveralContainers(t *testing.T) {
	p := positions{Type: "thing", Since: 7, Containers: []*containerPosition{
		{Name: "a-2024", RID: "AbCdAO0h2ac=", Lanes: []lane{{Max: "1555", Tag: `"17"`, Passed: versions{{1, 2}}}, {Min: "1555", Max: "FF"}}},
		{Name: "a-2025", RID: "AbCdAO0h2ad=", Lanes: []lane{{Max: "FF"}}, End: true, Closed: true},
	}}
	for _, p := range []positions{p, p.without("a-2024"), p.without("a-2024").without("a-2025"), p.without("a-2026")} {
		if got, err := parsePositions(nil, p.cursor(nil), false); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("got %+v, %v, want %+v", got, err, p)
		}
	}
	if _, err := ParseCursor(nil, p.cursor(nil)); err == nil {
		t.Error("a cursor of several containers is read as one of one")
	}
	const ok = `{"t":"thing","w":[{"n":"a","c":"x","l":[{"m":"1555"},{"m":"FF"}]},{"n":"b","c":"y","l":[{"m":"FF"}]}]}`
	if _, err := parsePositions(nil, sealed(ok), false); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ cursor, want string }{
		"of one container":  {sealed(`{"t":"thing","c":"AbCdAO0h2ac=","l":[{"m":"FF"}]}`), "of one container"},
		"without a list":    {sealed(`{"t":"thing"}`), "damaged"},
		"no JSON":           {sealed(ok[1:]), "damaged"},
		"no type":           {sealed(strings.Replace(ok, `"thing"`, `""`, 1)), "damaged"},
		"before 1970":       {sealed(strings.Replace(ok, `"w":`, `"s":-1,"w":`, 1)), "damaged"},
		"no name":           {sealed(strings.Replace(ok, `"n":"a"`, `"n":""`, 1)), "damaged"},
		"a name twice":      {sealed(strings.Replace(ok, `"n":"a"`, `"n":"b"`, 1)), "damaged"},
		"no container":      {sealed(strings.Replace(ok, `"c":"x"`, `"c":""`, 1)), "damaged"},
		"null":              {sealed(strings.Replace(ok, `"w":[`, `"w":[null,`, 1)), "damaged"},
		"no lanes":          {sealed(strings.Replace(ok, `[{"m":"1555"},{"m":"FF"}]`, `[]`, 1)), "damaged"},
		"a gap":             {sealed(strings.Replace(ok, `,{"m":"FF"}`, ``, 1)), "damaged"},
		"an end that is no": {sealed(strings.Replace(ok, `"1555"`, `"?"`, 1)), "damaged"},
	} {
		if p, err := parsePositions(nil, test.cursor, false); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}
