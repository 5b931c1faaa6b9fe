package feed

import (
	"reflect"
	"strings"
	"testing"
)

func TestCursorsOfSeveralContainers(t *testing.T) {
	p := severalPosition{Type: "thing", Since: 7, Containers: []*containerPosition{
		{Name: "a-2024", RID: "AbCdAO0h2ac=", Lanes: []lane{{Max: "1555", Tag: `"17"`, Passed: versions{{1, 2}}}, {Min: "1555", Max: "FF"}}},
		{Name: "a-2025", RID: "AbCdAO0h2ad=", Lanes: []lane{{Max: "FF"}}, End: true, Closed: true},
	}}
	for _, p := range []severalPosition{p, p.without("a-2024"), p.without("a-2024").without("a-2025"), p.without("a-2026")} {
		if got, err := parseSeveral(nil, p.cursor(nil)); err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("got %+v, %v, want %+v", got, err, p)
		}
	}
	if _, err := ParseCursor(nil, p.cursor(nil)); err == nil {
		t.Error("a cursor of several containers is read as one of one")
	}
	const ok = `{"t":"thing","w":[{"n":"a","c":"x","l":[{"m":"1555"},{"m":"FF"}]},{"n":"b","c":"y","l":[{"m":"FF"}]}]}`
	if _, err := parseSeveral(nil, sealed(ok)); err != nil {
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
		if p, err := parseSeveral(nil, test.cursor); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}
