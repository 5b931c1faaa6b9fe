package analyze

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// analyzed runs pkgen-data analyze, and returns its exit code and what it prints.
func analyzed(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	if len(args) == 0 || strings.HasPrefix(args[0], "-") { // it is no other command
		args = append([]string{"analyze"}, args...)
	}
	code = run(t.Context(), args, &out, &problems)
	return code, out.String(), problems.String()
}

// analyzedReport runs the command for JSON.
func analyzedReport(t *testing.T, args ...string) (code int, r analyze.Report) {
	t.Helper()
	code, stdout, stderr := analyzed(t, append(args, "-format", "json")...)
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("%v: %d, %s%s", err, code, stdout, stderr)
	}
	return code, r
}

// writeSample writes a file of 100 events of one day, one of them a minute.
func writeSample(t *testing.T) {
	t.Helper()
	var lines []string
	start := time.Date(2018, 8, 9, 0, 0, 0, 0, time.UTC)
	for i := range 100 {
		lines = append(lines, fmt.Sprintf(`{"id":"%d","date":"2018-08-09","vin":"vin-%d","at":%q}`, i, i%50, start.Add(time.Duration(i)*time.Minute).Format(time.RFC3339)))
	}
	lines = append(lines, `{"id":`, `{"id":"x","date":"2018-08-09"}`)
	text := strings.Join(lines, "\n")
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"events.ndjson": []byte(text), "events.gz": zipped.Bytes(), "empty.json": []byte("[]"), "bad.json": []byte("{"), "cut.gz": zipped.Bytes()[:zipped.Len()/4], "calls.json": []byte(`{"Get": 10, "ByDate": 1}`), "nulls.ndjson": []byte(`{"id":"1","none":null,"some":"x"}` + "\n" + `{"id":"2","none":7.5}` + "\n")} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnalyze compares the figures of 100 documents with those worked out by hand.
func TestAnalyze(t *testing.T) {
	newRig(t)
	writeSample(t)
	code, r := analyzedReport(t, "calls", "calls.json", "-type", "VehicleEvent", "-in", "events.gz", "-time", "at", "-layout", "{date}", "-layout", "{vin}", "-buckets", "10", "-partitions", "5")
	if code != cli.Done || r.Type != "VehicleEvent" || r.Documents != 101 || r.Invalid != 1 || r.InvalidLines[0].Line != 101 || r.Sample.Source != "events.gz" || r.Sample.Share != 1 {
		t.Errorf("%d, %+v", code, r)
	}
	var got []string
	for _, l := range r.Layouts {
		got = append(got, fmt.Sprintf("%s %v %d %d %d", l.Layout, l.Current, l.LogicalPartitions, l.Documents, l.Fan))
	}
	// By another program, the 50 numbers fall into 47 of 400 buckets, and into all of 10.
	want := []string{"{date}.{vin%400} true 47 100 400", "{date} false 1 101 1", "{vin} false 50 100 1", "{date}.{vin%10} false 10 100 10"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	date := r.Layouts[1]
	if p := date.Partitions[0]; len(date.Partitions) != 1 || p.Effective != 1 || p.BusiestShare != 1 || p.SustainableWrites != 2000 || date.Largest[0].Key != "2018-08-09" || date.Largest[0].Documents != 101 {
		t.Errorf("%+v", p)
	}
	if r.Times.Property != "/at" || r.Times.Seconds != 60 || r.Times.Intervals != 100 || r.Times.Untimed != 1 {
		t.Errorf("%+v", r.Times)
	}
	if k := r.Layouts[0].Keyless; len(k) != 1 || k[0].Property != "vin" || k[0].Problem != "missing" || k[0].Lines[0] != 102 {
		t.Errorf("%+v", k)
	}
	if !date.Has(analyze.HotKeyFound) || !date.Has(analyze.LowCardinality) || r.Recommendation == nil || r.Layouts[0].Reads == nil || r.Layouts[0].Reads.Calls != 11 {
		t.Errorf("%+v, %+v", date.Findings, r.Recommendation)
	}
}

// TestAnalyzeExits holds the exit codes and messages to the flags.
func TestAnalyzeExits(t *testing.T) {
	newRig(t)
	writeSample(t)
	if err := os.Mkdir("folder.svg", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("page.html", nil, 0o644); err != nil { // the command makes it private
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args string
		code int
		text string // of standard output or error
	}{
		{"-type VehicleEvent -in events.ndjson", cli.Done, "layout 1 {date}.{vin%400}, of pkgen.lock"},
		{"-type VehicleEvent -in events.ndjson -layout {date} -fail-on colliding", cli.Done, "error hot-key: the busiest key of the sample"},
		{"-type VehicleEvent -in events.ndjson -layout {date} -fail-on colliding,hot-key", cli.Found, ""},
		{"-type VehicleEvent -in events.ndjson -layout {date} -fail-on colliding -fail-on hot-key", cli.Found, ""},
		{"-type VehicleEvent -in events.ndjson -max-share 4", cli.Done, ""},
		{"-type VehicleEvent -in events.ndjson -max-share 3.9%", cli.Found, "key 2018-08-09."},
		{"-type VehicleEvent -in events.ndjson -max-partition 1KB", cli.Done, ""},
		{"-type VehicleEvent -in events.ndjson -max-partition 100", cli.Found, "and -max-partition allows"},
		{"-type VehicleEvent -in events.ndjson -format github -layout {date}", cli.Done, "::error::layout {date}: hot-key: the busiest key"},
		{"-type VehicleEvent -in events.ndjson -o page.html", cli.Done, ""},
		{"-in events.ndjson -layout {vin}", cli.Done, "layout 1 {vin}"},
		{"-in events.ndjson", cli.Failed, "the packages have types Order, VehicleEvent, Visit: name one of them by -type"},
		{"-in events.ndjson -type Trip", cli.Failed, "no pkgen.lock of the packages has type Trip: check -type, or generate first"},
		{"-in events.ndjson ./sub", cli.Failed, "name the package, or a candidate by -layout"},
		{"-type VehicleEvent -in events.ndjson -layout {vin", cli.Failed, "pkgen: layout"},
		{"-type VehicleEvent -in events.ndjson -layout {date}.{vin%400} -time {at}", cli.Failed, "is no property"},
		{"-type VehicleEvent", cli.Failed, "no sample: name a file by -in, or a container by -container"},
		{"-type VehicleEvent -in a -container b", cli.Failed, "two samples"},
		{"-type VehicleEvent -in missing.json", cli.Failed, "missing.json"},
		{"-type VehicleEvent -in empty.json", cli.Failed, "empty.json: there are no documents"},
		{"-type VehicleEvent -in bad.json", cli.Failed, "bad.json: no line is a document: line 1: the document is not JSON at byte 1"},
		{"-type Order -in events.ndjson", cli.Failed, "events.ndjson: no document is of the type: check -type"},
		{"-type VehicleEvent -in events.ndjson -fail-on hotkey", cli.Failed, `-fail-on hotkey is no finding: did you mean "hot-key"?`},
		{"-type VehicleEvent -in events.ndjson -max-share 200", cli.Failed, "-max-share 200 is no percentage"},
		{"-type VehicleEvent -in events.ndjson -max-partition big", cli.Failed, "-max-partition"},
		{"-type VehicleEvent -in events.ndjson -partitions 0", cli.Failed, "is no number above 0"},
		{"-type VehicleEvent -in events.ndjson -partitions 5000", cli.Failed, "-partitions 5000 is too many: name at most 1000"},
		{"-type VehicleEvent -in events.ndjson -layout {vin} -partitions 1000,999,998,997,996,995", cli.Failed, "5985 physical partitions are too many for 2 layouts: choose -partitions that add up to at most 5000"},
		{"-type VehicleEvent -in events.ndjson -buckets 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21", cli.Failed, "21 layouts are too many"},
		{"-type VehicleEvent -in events.ndjson -o chart.pdf", cli.Failed, "-o chart.pdf does not end in .html, .svg"},
		{"calls bad.json -type VehicleEvent -in events.ndjson", cli.Failed, "bad.json: "},
		{"-type VehicleEvent -in events.ndjson -max-share NaN", cli.Failed, "-max-share NaN is no percentage"},
		{"-type VehicleEvent -in events.ndjson -max-partition 1kib", cli.Done, ""},
		{"-type VehicleEvent -in events.ndjson -partitions ,", cli.Failed, "no number: name one above 0"},
		{"-type VehicleEvent -in events.ndjson -layout ,", cli.Failed, "no value: name one"},
		{"-in events.ndjson -layout {vin} -buckets 10,20", cli.Failed, "-buckets 10,20: no layout has buckets: add one that has by -layout, such as {tenant}.{id%10}"},
		{"-type VehicleEvent -in events.ndjson -o none/page.html", cli.Failed, "-o none/page.html: there is no folder none: create it, or choose another one"},
		{"-type VehicleEvent -in events.ndjson -o folder.svg", cli.Failed, "-o folder.svg is a folder: name a file"},
		{"-type VehicleEvent -in cut.gz", cli.Failed, "cut.gz: reading line 12: the compressed input is cut short"},
		{"-type VehicleEvent -in events.ndjson -time at2", cli.Failed, `-time at2: no document of the sample has this property: did you mean "at"?`},
		{"-type VehicleEvent -in events.ndjson -time nope", cli.Failed, "-time nope: no document of the sample has this property: name one with times, such as at or date"},
		{"-type VehicleEvent -in events.ndjson -time vin", cli.Failed, "-time vin: no document of the sample has a time in it: name one with times, such as at or date"},
		{"-in events.ndjson -layout {vin}", cli.Done, "no document has a readable time: name its property by -time, such as at or\n  date, for"},
		{"-type VehicleEvent -in bad.json", cli.Failed, "; a sample has an object in each line, or is an array of objects"},
		{"-in events.ndjson -layout {vin}.{none}", cli.Failed, "-layout {vin}.{none}: no document of the sample has a property none: they have at, date, id, vin"},
		{"-in events.ndjson -layout {date} -layout {vinn%10} -buckets 20", cli.Failed, `-layout {vinn%10}: no document of the sample has a property vinn: did you mean "vin"?`},
		{"-in nulls.ndjson -layout {none}", cli.Done, "no key for 1 document (other-type): property none is of JSON type null"},
		{"-in nulls.ndjson -layout {some}", cli.Done, "no key for 1 document (missing): property some is missing"},
		{"-type VehicleEvent -in events.ndjson -fail-on no-key", cli.Found, "warning no-key: 1 document has no key, and 100 have one"},
		{"-type VehicleEvent -in events.ndjson -sample 101", cli.Failed, "-sample must be a percentage"},
	} {
		code, stdout, stderr := analyzed(t, strings.Fields(tt.args)...)
		if code != tt.code || !strings.Contains(stdout+stderr, tt.text) || (code == cli.Failed) != (stderr != "") {
			t.Errorf("%s: %d, want %d, %s\n%s%s", tt.args, code, tt.code, tt.text, stdout, stderr)
		}
		for line := range strings.Lines(stdout) {
			if !strings.Contains(tt.args, "-format") && len(strings.TrimRight(line, "\n")) > cli.ScreenColumns {
				t.Errorf("%s: a line of more than %d columns: %s", tt.args, cli.ScreenColumns, line)
			}
		}
	}
	if info, err := os.Stat("page.html"); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v: others may read %v", err, info.Mode())
	}
	if page, err := os.ReadFile("page.html"); err != nil || !bytes.Contains(page, []byte("{date}.{vin%400}")) {
		t.Errorf("%v: %d bytes", err, len(page))
	}
}

// TestAnalyzeEnds interrupts the command while its sample is a pipe that gives nothing.
func TestAnalyzeEnds(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	options := analyze.Options{Partitions: []int{5}}
	candidate, err := layout.Candidate("{vin}", false, lock.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	options.Layouts = []analyze.Option{{Layout: candidate}}
	ended := make(chan error, 1)
	go func() { ended <- collectUntil(ctx, analyze.New(options), nil, in, new(atomic.Int64)) }()
	select {
	case err := <-ended:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("the command waits on")
	}
}

// TestAnalyzeOutside looks at candidates where there is no module.
func TestAnalyzeOutside(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	writeSample(t)
	if code, r := analyzedReport(t, "-in", "events.ndjson", "-layout", "{vin}", "-time", "at"); code != cli.Done || len(r.Layouts) != 1 || r.Layouts[0].LogicalPartitions != 50 || r.Recommendation != nil {
		t.Errorf("%d, %+v", code, r)
	}
	if code, _, stderr := analyzed(t, "-in", "events.ndjson"); code != cli.Failed || !strings.Contains(stderr, "go list") {
		t.Errorf("%d, %s", code, stderr)
	}
}

// TestAnalyzePage compares the report that docs/analyze.md shows with that of the sample
// that it names.
func TestAnalyzePage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, by the go command")
	}
	t.Setenv("GOFLAGS", "")
	page, err := os.ReadFile("../../../../../docs/analyze.md")
	if err != nil {
		t.Fatal(err)
	}
	path := fleetSample(t, "20000")
	_, stdout, stderr := analyzed(t, "-in", path, "-time", "at", "-layout", "{date}", "-buckets", "10", "../../../../../example/fleet")
	stdout = strings.ReplaceAll(stdout, path, "events.ndjson")
	shown := strings.Split(string(page), "```\n")[3]
	first, second, found := strings.Cut(shown, "…\n")
	if stderr != "" || !found || !strings.HasPrefix(stdout, first) {
		t.Errorf("docs/analyze.md does not begin as the report:\n%s%s", stdout, stderr)
	}
	for line := range strings.Lines(second) {
		if !strings.Contains(stdout, line) {
			t.Errorf("docs/analyze.md has a line that the report has not: %s", line)
		}
	}
}

// TestAnalyzeSchema holds docs/analyze.md to the first level of the JSON, to the findings and
// to the flags.
func TestAnalyzeSchema(t *testing.T) {
	text, err := os.ReadFile("../../../../../docs/analyze.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	_, schema, _ := strings.Cut(page, "\n## JSON\n")
	report := reflect.TypeFor[analyze.Report]()
	for i := range report.NumField() {
		name, _, _ := strings.Cut(report.Field(i).Tag.Get("json"), ",")
		if report.Field(i).IsExported() && !strings.Contains(schema, "`"+name+"`") {
			t.Errorf("docs/analyze.md has no property %q", name)
		}
	}
	if !strings.Contains(schema, "(schemas/analyze.schema.json)") {
		t.Error("docs/analyze.md does not link the schema, which has the other properties")
	}
	for _, name := range analyze.FindingNames {
		if !strings.Contains(page, "| `"+name+"` |") {
			t.Errorf("docs/analyze.md has no finding %q", name)
		}
	}
	for _, name := range regexp.MustCompile("`(-[a-z][a-z-]*)").FindAllStringSubmatch(page, -1) {
		flags := flag.NewFlagSet("analyze", flag.ContinueOnError)
		bindAnalyze(flags)
		if flags.Lookup(name[1][1:]) == nil {
			t.Errorf("docs/analyze.md has flag %s, and the command has not", name[1])
		}
	}
}
