package layout

import (
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// candidates returns layouts by templates.
func candidates(t testing.TB, templates ...string) (all []*Layout) {
	t.Helper()
	for _, template := range templates {
		l, err := Candidate(template, false, lock.Entry{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// TestSet expects the keys and errors of each layout alone.
func TestSet(t *testing.T) {
	layouts := append(candidates(t, "{vin}", "{date}.{*%50}", "{position.lat},{vin},{date}", "{driver.name|lower}/{id}", "{driver}", "{date}.{vin+driver.name+id%400}"),
		mustNew(t, event()))
	set := NewSet(layouts, "/position/lat", "/note", "/signals", "/nothing", "/vin", "/a~1b")
	var d Document
	for _, text := range []string{
		benchmarkDocument,
		`{"id":"1","vin":"v","date":"d","driver":{"name":"N"},"position":{"lat":1.5},"position":7,"note":"\u00e9","a/b":null}`,
		`{}`, `{"id":"."}`, `{"vin":`, `[]`,
	} {
		err := set.Read([]byte(text), &d)
		for i, l := range layouts {
			want, wantErr := l.Key([]byte(text))
			var problem, wantProblem *Error
			if err != nil {
				if !errors.As(wantErr, &wantProblem) || !errors.As(err, &problem) || problem.Reason != wantProblem.Reason {
					t.Errorf("%s: %v, want %v", text, err, wantErr)
				}
				continue
			}
			got, gotErr := d.Key(i)
			if got != want || errors.As(gotErr, &problem) != errors.As(wantErr, &wantProblem) || wantErr != nil && *problem != *wantProblem {
				t.Errorf("%s of %s: %s, %v, want %s, %v", l, text, got, gotErr, want, wantErr)
			}
		}
	}
	if err := set.Read([]byte(`{"vin":"v","position":{"lat":1.5},"note":"\u00e9","signals":[ 1],"a/b":null}`), &d); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"1.5", `"\u00e9"`, "[ 1]", "", `"v"`, "null"} {
		if got := string(d.Value(i)); got != want {
			t.Errorf("value %d is %s, want %s", i, got, want)
		}
	}
	for i, want := range []string{"", "é", "", "", "v", ""} {
		if got, ok := d.Text(i); got != want || ok != (want != "") {
			t.Errorf("text %d is %q, %v, want %q", i, got, ok, want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = set.Read([]byte(benchmarkDocument), &d) }); n > 1 { // the bytes
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkSet compares five layouts with one.
func BenchmarkSet(b *testing.B) {
	doc := []byte(benchmarkDocument)
	for _, templates := range [][]string{{"{date}.{vin%400}"}, {"{date}.{vin%400}", "{vin}", "{date}", "{vin}-{date}", "{date}.{vin%10}"}} {
		b.Run(map[bool]string{true: "one", false: "five"}[len(templates) == 1], func(b *testing.B) {
			set := NewSet(candidates(b, templates...), "/speed", "/_ts")
			var d Document
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if err := set.Read(doc, &d); err != nil {
					b.Fatal(err)
				}
				for i := range templates {
					if _, err := d.Key(i); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
