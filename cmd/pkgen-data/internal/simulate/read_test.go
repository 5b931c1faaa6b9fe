package simulate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
)

// least is a scenario with nothing in it that could be left out.
const least = `{"seconds": 1, "partitions": 1, "throughput": 100, "layouts": ["{id}"], "operations": [{"method": "get", "rate": 1}]}`

// TestRefused changes a scenario in one place, and expects an error that names it.
func TestRefused(t *testing.T) {
	if _, err := parse([]byte(least)); err != nil {
		t.Fatal(err)
	}
	if _, err := parse([]byte(`{"$schema": "https://example.com/scenario.schema.json", ` + least[1:])); err != nil {
		t.Errorf("a scenario that names its schema: %v", err)
	}
	for _, test := range []struct{ old, changed, want string }{
		{least, ``, "line 1: the file ends within the scenario"},
		{least, `{"seconds": 1`, "line 1: the file ends within the scenario"},
		{`"seconds": 1`, "\n\"seconds\": 1,,", "line 2: invalid character"},
		{least, least + "\n{}", "line 2: text follows the scenario"},
		{least, `[]`, "line 1: the scenario is a JSON array: write an object"},
		{`1, "partitions"`, `"1", "partitions"`, "seconds is a JSON string: write a whole number"},
		{`"seconds"`, `"secconds"`, `secconds: there is no "secconds": did you mean "seconds"?`},
		{`"seconds"`, `"Seconds"`, `did you mean "seconds"?`},
		{`"seconds"`, `"xyzzy": 1, "seconds"`, `xyzzy: there is no "xyzzy": use one of [`},
		{`"rate"`, `"rates"`, `operations[0].rates: there is no "rates": did you mean "rate"?`},
		{`"layouts"`, `"properties": {"a": {"unifrom": 2}}, "layouts"`, `properties.a.unifrom: there is no "unifrom": did you mean "uniform"?`},
		{`"layouts"`, `"retries": {"mist": 2}, "layouts"`, `retries.mist: there is no "mist": did you mean "most"?`},
		{`"method"`, `"properties": {"a": {"x": 2}}, "method"`, `operations[0].properties.a.x: there is no "x"`},
		{`"seconds": 1`, `"seconds": 0`, "seconds: 0 is not between 1 and 86400"},
		{`"seconds": 1`, `"seconds": 1, "start": "today"`, "start: write a time in RFC 3339"},
		{`"partitions": 1`, `"partitions": 0`, "partitions: 0 is not between"},
		{`100`, `0`, "throughput: it is the RU/s"},
		{`100`, `1e-300`, "throughput: it is the RU/s of the container, 1 or more"},
		{`100`, `10001`, "throughput: 10001 RU/s on 1 physical partitions are 10001 for each, and the limit is 10000: write 2 partitions"},
		{`100`, `100, "latency": -1`, "latency: it is in milliseconds"},
		{`100`, `100, "latency": 0, "clients": 1`, "latency: clients that wait"},
		{`100`, `100, "clients": -1`, "clients: it is a number"},
		{`100`, `100, "documentBytes": -1`, "documentBytes: "},
		{`100`, `100, "arrivals": "regulr"`, `arrivals: there is no "regulr": did you mean "regular"?`},
		{`100`, `100, "retries": {"most": -1}`, "retries.most: "},
		{`100`, `100, "retries": {"longest": -1}`, "retries: longest and total"},
		{`["{id}"]`, `[]`, "layouts: missing"},
		{`[{"method": "get", "rate": 1}]`, `[]`, "operations: missing"},
		{`"get"`, `"put"`, `operations[0].method: there is no "put"`},
		{`"get"`, `"creat"`, `did you mean "create"?`},
		{`"rate": 1`, `"rate": 0`, "operations[0].rate: "},
		{`"rate": 1`, `"rate": 1e12`, "operations[0].rate: "},
		{`"rate": 1`, `"rate": 1, "by": ["id"]`, `operations[0].by: "get" has neither by nor results`},
		{`"rate": 1`, `"rate": 1, "charge": -1`, "operations[0].charge: "},
		{`"rate": 1`, `"rate": 1, "charge": 1e300`, "operations[0].charge: it is in RU, from 0 to 1000000"},
		{`"get", "rate": 1`, `"query", "rate": 1, "results": 1048577`, "operations[0].results: a query returns from 0 to 1048576 documents of 1024 bytes"},
		{`["{id}"]`, `["{id}", "{x}", "{id}"]`, `layouts[2]: "{id}" is listed twice`},
		{`"get", "rate": 1`, `"query", "rate": 1, "by": ["a"]`, `operations[0].by: there is no "a"`},
		{`"rate": 1}`, `"rate": 1}, {"method": "get", "rate": 1}`, `operations[1].name: another operation is called "get"`},
		{`"rate": 1`, `"rate": 60000000`, "seconds: about 60000000 operations exceed the limit of 50000000"},
		{`"seconds": 1, "partitions": 1`, `"seconds": 86400, "partitions": 100`, "8640000 figures, and the limit is 2000000"},
		{`"seconds": 1, "partitions": 1`, `"seconds": 86400, "partitions": 30, "indexes": [{"layout": "{id}.x", "throughput": 1}]`, "86400 on 31 physical partitions and indexes under 1 layouts make 2678400 figures"},
		{`"layouts"`, `"properties": {"a": {}}, "layouts"`, "properties.a: give one of constant"},
		{`"layouts"`, `"properties": {"a": {"uniform": 1, "zipf": 1}}, "layouts"`, "properties.a: give one of constant"},
		{`"layouts"`, `"properties": {"a": {"uniform": -1}}, "layouts"`, "properties.a: a property has from 1"},
		{`"layouts"`, `"properties": {"a": {"uniform": 1, "exponent": 1}}, "layouts"`, "exponent: it is for zipf"},
		{`"layouts"`, `"properties": {"a": {"constant": 1, "prefix": "x"}}, "layouts"`, "prefix and number are for uniform and zipf"},
		{`"layouts"`, `"properties": {"a": {"zipf": 1, "prefix": "x", "number": true}}, "layouts"`, "a number has no prefix"},
		{`"layouts"`, `"properties": {"a": {"zipf": 1, "property": "x"}}, "layouts"`, "property is for a sample"},
		{`"layouts"`, `"properties": {"a": {"time": "2006\n"}}, "layouts"`, "time: write a layout of package time"},
		{`"layouts"`, `"properties": {"a..b": {"uniform": 1}}, "layouts"`, `properties: the name "a..b" lacks a part`},
		{`"method"`, `"properties": {"a": {}}, "method"`, "operations[0].properties.a: give one of"},
	} {
		text := strings.Replace(least, test.old, test.changed, 1)
		if text == least {
			t.Fatalf("%s is not in the scenario", test.old)
		}
		if _, err := parse([]byte(text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", text, err, test.want)
		}
	}
}

// TestRefusedByRun has mistakes that show when keys are made.
func TestRefusedByRun(t *testing.T) {
	for _, test := range []struct{ old, changed, want string }{
		{`"{id}"`, `"{id"`, `layout "{id"`},
		{`"{id}"`, `"{vin}"`, "layout {vin}: property vin is missing"},
		{`"{id}"`, `"{a|day}"`, "layout {a|2006-01-02}: property a is missing"},
		{`"layouts"`, `"properties": {"a": {"uniform": 1}, "a.b": {"uniform": 1}}, "layouts"`, "a.b is within a, which has its own value"},
		{`"layouts"`, `"properties": {"a": {"sample": "none.ndjson"}}, "layouts"`, "none.ndjson"},
	} {
		s, err := parse([]byte(strings.Replace(strings.Replace(least, test.old, test.changed, 1), `"rate": 1`, `"rate": 9`, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(t.Context(), 1); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.changed, err, test.want)
		}
	}
}

// TestTooMuch has clients that begin more than the simulation takes, and requests that
// wait in ever larger numbers: memory has an end, and so has time.
func TestTooMuch(t *testing.T) {
	tests := []struct{ changed, want string }{
		{`"clients": 100000, "partitions": 1000, "throughput": 100`, "layout {id}: in second 0, more than 4000000 requests are under way"},
		{`"latency": 100, "partitions": 1000, "throughput": 100`, "layout {id}: in second 0, more than 4000000 requests are under way"},
	}
	for _, test := range tests[:seeds.Rows(t, len(tests), 1)] { // each makes 4,000,000 requests
		s, err := parse([]byte(strings.NewReplacer(`"partitions": 1, "throughput": 100`, test.changed, `"get", "rate": 1`, `"query", "rate": 50000`).Replace(least)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(t.Context(), 1); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.changed, err, test.want)
		}
	}
	e := engine{place: &place{layout: &layout.Layout{}}, draws: drawing{number: mostOperations + 1}}
	if err := e.bounded(1); err == nil || !strings.Contains(err.Error(), "have begun more than 50000000 operations") {
		t.Error(err)
	}
}

// TestExtremes has numbers of seconds that no number of nanoseconds holds.
func TestExtremes(t *testing.T) {
	for _, arrivals := range []string{arrivalsRandom, arrivalsRegular} {
		l := run(t, strings.NewReplacer(`"rate": 1`, `"rate": 1e-300`, `100`, `100, "arrivals": "`+arrivals+`"`).Replace(least), 1).Layouts[0]
		check(t, l, 0, 0, 0, 0, 0)
	}
	// Patience without end: 20 of 100 writes fit in a second, and the others wait.
	l := run(t, strings.NewReplacer(`"get", "rate": 1`, `"create", "rate": 100`, `"seconds": 1`, `"seconds": 2, "arrivals": "regular"`,
		`100`, `100, "retries": {"longest": 1e300, "total": 1e300}`).Replace(least), 1).Layouts[0]
	if l.Failed > 0 || l.Completed != 40 {
		t.Errorf("%d failed, %d completed", l.Failed, l.Completed)
	}
}

// TestDefaults has what the page says of a scenario that says little.
func TestDefaults(t *testing.T) {
	s, err := parse([]byte(least))
	if err != nil {
		t.Fatal(err)
	}
	if *s.Latency != 5 || s.DocumentBytes != 1024 || s.Start != "2018-08-09T12:00:00Z" || s.Arrivals != "random" || *s.Retries.Most != 9 || *s.Retries.Longest != 30 || s.Retries.Total != 0 || s.Operations[0].Name != "get" {
		t.Errorf("got %+v", s)
	}
}

// TestSampleFiles refuses samples that lack what they are asked for.
func TestSampleFiles(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ sample, want string }{
		{"", "there are no documents in it"},
		{"{\"a\":1}\n{\"b\":1}\n", "orders.ndjson:2: property a is missing"},
		{"{\"a\":1}\n[]\n", "orders.ndjson:2: "},
		{"{\"a\":1}\nhello\n", "orders.ndjson:2: "},
		{"{\"a\":1}\n{\"a\":\"x\",\"c\":{}}", ""},
		{"[{\"a\":1},{\"a\":\"x\"}]", ""},
	} {
		if err := os.WriteFile(filepath.Join(dir, "orders.ndjson"), []byte(test.sample), 0o600); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "s.json")
		if err := os.WriteFile(path, []byte(strings.Replace(least, `"layouts"`, `"properties": {"a": {"sample": "orders.ndjson"}}, "layouts"`, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = s.Run(t.Context(), 1); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.sample, err, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(least)
	f.Add(vehicles)
	f.Add(strings.Replace(least, `"layouts"`, `"indexes": [{"layout": "{a}.{id%3}", "throughput": 9, "partitions": 2}], "properties": {"a": {"constant": "x"}}, "layouts"`, 1))
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parse([]byte(text))
		if err != nil || s.Seconds > 5 || s.Partitions > 10 || len(s.Layouts) > 3 || slices.ContainsFunc(s.Indexes, func(x Index) bool { return x.Partitions > 10 }) {
			return
		}
		operations, values := float64(s.Clients)*10_000, 0
		for _, o := range s.Operations {
			operations += o.Rate
			for _, p := range o.Properties {
				values += p.Zipf
			}
		}
		for _, p := range s.Properties {
			if p.Sample != "" {
				return
			}
			values += p.Zipf
		}
		if operations > 10_000 || values > 1000 {
			return
		}
		_, _ = s.Run(t.Context(), 1)
	})
}
