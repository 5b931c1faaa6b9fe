package analyze

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// writeIndexed writes a file of 1000 orders of 100 customers and a file of calls. Three orders have
// an old form.
func writeIndexed(t *testing.T) {
	t.Helper()
	var lines []string
	for i := range 1000 {
		lines = append(lines, fmt.Sprintf(`{"id":"o%d","tenant":"t%d","customerId":"c%d","at":"2026-01-%02dT03:04:05Z"}`, i, i%20, i%100, 1+i%28))
	}
	lines = append(lines, `{"id":"x","tenant":"t1"}`)
	calls := `{"ByCustomerID": 100, "ByTenant": 50, "Create": 100, "Update": {"perSecond": 10, "changes": ["customerId"]}, "Delete": 20}`
	for name, text := range map[string]string{"orders.ndjson": strings.Join(lines, "\n"), "calls.json": calls, "others.json": `{"ByTenant": 50, "Create": 100}`} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// indexedReport returns the report of two layouts and two indexes, with calls.
func indexedReport(t *testing.T) analyze.Report {
	t.Helper()
	t.Chdir(t.TempDir())
	writeIndexed(t)
	code, r := analyzedReport(t, "calls", "calls.json", "-in", "orders.ndjson", "-layout", "{tenant}", "-layout", "{tenant}.{customerId%2}", "-index", "{customerId}", "-index", "{tenant},{customerId}", "-index", "{customerId}", "-partitions", "5,20", "-fail-on", "no-key")
	if code != cli.Found || len(r.Layouts) != 2 || len(r.Indexes) != 2 || r.Recommendation == nil {
		t.Fatalf("%d, %+v", code, r)
	}
	return r
}

// TestAnalyzeIndexKeys looks at the keys of an index in the JSON, and at their limits.
func TestAnalyzeIndexKeys(t *testing.T) {
	x := indexedReport(t).Indexes[0]
	if k := x.Keys; k.Layout != "{customerId}" || k.LogicalPartitions != 100 || k.Documents != 1000 || !k.Has(analyze.NoKey) || k.Current || len(k.Partitions) != 2 || k.Largest[0].Documents != 10 {
		t.Errorf("%+v", k)
	}
	if x.Made || x.Asks != 1 || len(x.BreakEven) != 2 || *x.BreakEven[0].Reads != 50 || len(x.Uses) != 2 {
		t.Errorf("%+v", x)
	}
	if code, _ := analyzedReport(t, "-in", "orders.ndjson", "-layout", "{tenant}", "-index", "{customerId}", "-max-share", "7"); code != cli.Done {
		t.Errorf("limits of keys: %d", code)
	}
	if code, _ := analyzedReport(t, "-in", "orders.ndjson", "-layout", "{id}", "-index", "{tenant}", "-max-share", "4"); code != cli.Found {
		t.Errorf("limits of keys of an index: %d", code)
	}
}

// TestAnalyzeIndexUses compares what calls cost in the JSON with figures that were worked out by
// hand, as TestWithIndex of package reads has them: a document of less than 1 KB costs 5 RU to
// write.
func TestAnalyzeIndexUses(t *testing.T) {
	r := indexedReport(t)
	about := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 })
	returned := 0.55 * float64(r.Average) / 1024
	u := r.Indexes[0].Uses[0]
	answers := []analyze.IndexAnswer{{
		Method: "ByCustomerID", Knows: []string{"customerId"}, Calls: 100,
		Container: analyze.OneCall{RequestUnits: 12.5 + returned, Requests: 5, Partitions: 5},
		Index:     analyze.OneCall{RequestUnits: 2.5 + returned, Requests: 1, Partitions: 1},
	}}
	if diff := cmp.Diff(answers, u.Answers, about); diff != "" {
		t.Error(diff)
	}
	figures := func(u *analyze.IndexUse) []float64 {
		return []float64{float64(u.Partitions), u.Writes, u.Entries, u.IndexWrites, u.Without.Requests, u.With.Requests, u.Saves}
	}
	if diff := cmp.Diff([]float64{5, 130, 140, 700, 500 + 50 + 100 + 20 + 20, 100 + 50 + 100 + 20 + 20, 1000 - 700}, figures(u), about); diff != "" || !u.Pays {
		t.Errorf("%s: %s", diff, u.Reason)
	}
	if len(u.Others) != 1 {
		t.Fatalf("%+v", u.Others)
	}
	if diff := cmp.Diff([]float64{20, 130, 140, 700, 2000 + 190, 100 + 190, 4750 - 700}, figures(u.Others[0]), about); diff != "" || !u.Others[0].Pays {
		t.Errorf("%s: %s", diff, u.Others[0].Reason)
	}
	// A tenant has one logical partition under {tenant}, and two under the other layout, which
	// lie on 1.8 of 5 physical partitions.
	if one := r.Indexes[1].Uses[0]; len(one.Answers) != 0 || !one.Known || one.Pays {
		t.Errorf("%+v", one)
	}
	if two := r.Indexes[1].Uses[1]; len(two.Answers) != 1 || !cmp.Equal(two.Saves, 50*2.5*0.8-700, about) || two.Pays {
		t.Errorf("%+v", two)
	}
}

// TestAnalyzeIndexTexts looks for sentences, with and without calls, and for refusals.
func TestAnalyzeIndexTexts(t *testing.T) {
	t.Chdir(t.TempDir())
	writeIndexed(t)
	const sample = "-in orders.ndjson -partitions 5,20 -layout {tenant}"
	for _, tt := range []struct {
		args string
		code int
		text string // of standard output or error, in one line
	}{
		{sample + " -index {customerId}", cli.Done, "index 1 {customerId} warning no-key: 1 document has no key, and 1000 have one: documents without the property are in one logical partition of the index"},
		{sample + " -index {customerId}", cli.Done, "the index pays from 50 reads per 100 writes with 5 physical partitions, from 11 with 20. The index is updated later"},
		{sample + " -index {customerId}-{at|2006-01}", cli.Done, "Programs must store the text of its key in a property of the documents"},
		{"calls calls.json " + sample + " -index {customerId}", cli.Done, "index 1 under layout 1, with 5 physical partitions answers ByCustomerID, which knows customerId, from 1 physical partition instead of 5, for 2.5 RU instead of 12.5, 100 times per second " +
			"without it"},
		{"calls calls.json " + sample + " -index {customerId}", cli.Done, "recommended: saves 300 RU/s: pays from 54 reads per 100 writes upward, 28% of all calls; there are 77 with 20 physical partitions it saves 4050 RU/s"},
		{"calls others.json " + sample + " -index {customerId}", cli.Done, "not recommended: no call knows its key: it would save nothing, and its writes would cost 500 RU/s with 20 physical partitions it costs 500 more RU/s"},
		{"calls others.json " + sample + " -index {customerId} -format github", cli.Done, "::warning::index {customerId}: no-key: 1 document"},
		{sample + " -index {customerId} -o page.html", cli.Done, ""},
		{sample + " -index {*%400}", cli.Failed, "-index {*%400}: a random bucket cannot be recomputed, so each write would move the document to another key of the index: hash a property"},
		{sample + " -index {customerId}.{*%400}", cli.Failed, "-index {customerId}.{*%400}: a random bucket cannot be recomputed"},
		{sample + " -index {tenant}", cli.Failed, "-index {tenant}: a container of this layout answers the same queries as the index: leave out the index, or -layout {tenant}"},
		{sample + " -index {a} -index {b} -index {c} -index {d} -index {e} -index {f}", cli.Failed, "-index names 6 indexes, and a container has 5 at most: leave out 1"},
		{sample + " -index {customer}", cli.Failed, `-index {customer}: no document of the sample has a property customer: did you mean "customerId"?`},
		{sample + " -index {customerId", cli.Failed, "-index: layout"},
		{"-in orders.ndjson -layout {tenant} -index {customerId} -partitions 1000,999,998,997,996,995", cli.Failed, "5985 physical partitions are too many for 2 layouts and indexes: choose -partitions that add up to at most 5000"},
		{"rulog log.csv -layout {tenant} -index {customerId}", cli.Failed, "-index needs a sample of documents, and a log has no documents: name a file by -in"},
	} {
		code, stdout, stderr := analyzed(t, strings.Fields(tt.args)...)
		if flat := strings.Join(strings.Fields(stdout+stderr), " "); code != tt.code || !strings.Contains(flat, tt.text) || (code == cli.Failed) != (stderr != "") {
			t.Errorf("%s: %d, want %d, %s\n%s%s", tt.args, code, tt.code, tt.text, stdout, stderr)
		}
		for line := range strings.Lines(stdout) {
			if !strings.Contains(tt.args, "-format") && len(strings.TrimRight(line, "\n")) > cli.ScreenColumns {
				t.Errorf("%s: a line of more than %d columns: %s", tt.args, cli.ScreenColumns, line)
			}
		}
	}
	if page, err := os.ReadFile("page.html"); err != nil || !strings.Contains(string(page), "Keys of indexes") {
		t.Errorf("%v: the page lacks the index", err)
	}
}

// TestAnalyzeIndexOwn refuses the layout of the lock as an index.
func TestAnalyzeIndexOwn(t *testing.T) {
	newRig(t)
	writeSample(t)
	if code, _, stderr := analyzed(t, "-type", "VehicleEvent", "-in", "events.ndjson", "-index", "{date}.{vin%400}"); code != cli.Failed || !strings.Contains(stderr, "a container of this layout answers the same queries as the index") {
		t.Errorf("%d, %s", code, stderr)
	}
}

// TestAnalyzeIndexPage compares the report that docs/analyze.md shows with that of its command.
func TestAnalyzeIndexPage(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	const root = "../../../../../"
	page, err := os.ReadFile(root + "docs/analyze.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## An index\n")
	_, calls, _ := strings.Cut(section, "echo '")
	calls, _, _ = strings.Cut(calls, "'")
	file := t.TempDir() + "/vehicles.json"
	if err := os.WriteFile(file, []byte(calls), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stdout, stderr := analyzed(t, "calls", file, "-in", root+"example/fleet/events.ndjson", "-time", "at", "-index", "{vin}", root+"example/fleet")
	shown := strings.Split(section, "```\n")[2]
	if first, second, found := strings.Cut(shown, "…\n"); stderr != "" || !found || !strings.Contains(stdout, first) || !strings.Contains(stdout, second) {
		t.Errorf("docs/analyze.md has another report than the command:\n%s%s", stdout, stderr)
	}
}
