package charts

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/simulate"
)

// simulated runs a scenario.
func simulated(t *testing.T, text string) *simulate.Report {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := simulate.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const scenario = `{"title": "<Orders>", "seconds": 4, "partitions": 2, "throughput": 100, "layouts": ["{a}", "{id}"], "properties": {"a": {"constant": 1}},
	"operations": [{"method": "create", "rate": 15}, {"method": "query", "by": ["a"], "rate": 2}]}`

// TestThroughput compares the chart with the report.
func TestThroughput(t *testing.T) {
	r := simulated(t, strings.Replace(scenario, `, {"method": "query", "by": ["a"], "rate": 2}`, "", 1))
	c := Throughput(r)
	if c.Title != "<Orders>" || len(c.Series) != 2 || c.Series[1].Name != "{id}" || c.X.Len() != 4 {
		t.Errorf("got %+v", c)
	}
	for i, l := range r.Layouts {
		for k, second := range l.BySeconds {
			if c.Series[i].Values[k] != float64(second.Completed) {
				t.Errorf("second %d of %s is %v, want %d", k, l.Layout, c.Series[i].Values[k], second.Completed)
			}
		}
	}
	// 100 RU/s are 20 writes a second.
	if len(c.Limits) != 1 || math.Abs(c.Limits[0].Value-20) > 0.01 {
		t.Errorf("the limits are %+v", c.Limits)
	}
}

// TestNoLimit draws no line where layouts have other charges, and where nothing happens.
func TestNoLimit(t *testing.T) {
	for name, text := range map[string]string{
		"charges": strings.Replace(scenario, `"query", "by": ["a"], "rate": 2`, `"query", "by": ["a"], "rate": 20`, 1),
		"nothing": strings.NewReplacer(`"rate": 15`, `"rate": 0.000001`, `"rate": 2`, `"rate": 0.000001`).Replace(scenario),
	} {
		if limits := Throughput(simulated(t, text)).Limits; limits != nil {
			t.Errorf("%s: the limits are %+v", name, limits)
		}
	}
}

// TestWrite writes a file of each kind, each time the same.
func TestWrite(t *testing.T) {
	r, dir := simulated(t, scenario), t.TempDir()
	for ending, want := range map[string]string{".svg": "<svg", ".html": "<!doctype html>"} {
		var texts [2][]byte
		for i := range texts {
			path := filepath.Join(dir, "picture"+ending)
			if err := Write(path, r); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = text
		}
		if !bytes.HasPrefix(bytes.ToLower(texts[0]), []byte(strings.ToLower(want))) || !bytes.Equal(texts[0], texts[1]) {
			t.Errorf("%s begins with %.20q, or is another file each time", ending, texts[0])
		}
		if bytes.Contains(texts[0], []byte("<Orders>")) {
			t.Errorf("%s has the title as markup", ending)
		}
	}
	if err := Write(filepath.Join(dir, "a.gif"), r); err == nil {
		t.Error("a.gif is written")
	}
}

// TestPage has every figure that is compared.
func TestPage(t *testing.T) {
	var b strings.Builder
	if err := page(simulated(t, scenario)).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Throughput", "Physical partitions", "Latency", "Operations", "sustained/s", "429s in each second", "{id}"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if strings.Contains(b.String(), "Indexes") {
		t.Error("the page has indexes, and the scenario none")
	}
	b.Reset()
	if err := page(simulated(t, strings.Replace(scenario, `"layouts"`, `"indexes": [{"layout": "{id}-x", "throughput": 77}], "layouts"`, 1))).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Indexes", "{id}-x", "oldest, ms", ">77<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page with an index does not have %q", want)
		}
	}
}
