package analyze

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rig"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// analysis runs pkgen-data analyze for JSON.
func (r *testRig) analysis(args ...string) (code int, report analyze.Report) {
	r.Helper()
	return analyzedReport(r.T, append(args, ".")...)
}

// analysisText runs pkgen-data analyze for people.
func (r *testRig) analysisText(args ...string) string {
	r.Helper()
	code, stdout, stderr := analyzed(r.T, append(args, ".")...)
	if code == cli.Failed {
		r.Fatalf("%s%s", stdout, stderr)
	}
	return stdout
}

// events returns good events.
func events(t *testing.T, n int) []string {
	t.Helper()
	all := make([]string, n)
	for i := range all {
		all[i] = rig.GoodEvent(t, i)
	}
	return all
}

// TestAnalyzeContainer reads a container as a whole. Its documents lie where the service
// says that they lie.
func TestAnalyzeContainer(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", rig.EventContainer, events(t, 2500)...)
	_, got := r.analysis("-container", "vehicle-event")
	s := got.Sample
	if got.Documents != 2500 || !s.Container || s.Source != "vehicle-event" || s.Share != 1 || s.Stopped || s.Windows != 0 || s.Error != "" || s.RequestUnits < 10 || len(s.Partitions) != 3 {
		t.Fatalf("%+v", got)
	}
	var own *analyze.Spread
	for _, spread := range got.Layouts[0].Partitions {
		if spread.Own {
			own = spread
		}
	}
	if own == nil || own.Physical != 3 {
		t.Fatalf("%+v", got.Layouts[0].Partitions)
	}
	for i, p := range s.Partitions {
		if own.Documents[i] != p.Documents {
			t.Errorf("partition %s has %d documents, and the service says %d", p.ID, own.Documents[i], p.Documents)
		}
	}
}

// TestAnalyzeContainerEmpty ends with an error for a container without documents, as for
// a file: a nightly job must not take that for good news.
func TestAnalyzeContainerEmpty(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", rig.EventContainer)
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"analyze", "-container", "vehicle-event", "."}, &stdout, &stderr)
	if code != cli.Failed || stdout.Len() > 0 || !strings.Contains(stderr.String(), "container vehicle-event: there are no documents") {
		t.Errorf("%d: %s%s", code, stdout.String(), stderr.String())
	}
}

// TestAnalyzeContainerSplits splits a physical partition, and throttles, while a container
// is read: each document counts once.
func TestAnalyzeContainerSplits(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", rig.EventContainer, events(t, 4000)...)
	var queries atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method == http.MethodPost && queries.Add(1) == 3 {
			for _, id := range []string{"0", "1", "2"} {
				if err := r.Server.Split("fleet", "vehicle-event", id); err != nil {
					t.Error(err)
				}
			}
		}
		r.Server.ServeHTTP(w, q)
	}))
	t.Cleanup(web.Close)
	t.Setenv("COSMOS_CONNECTION_STRING", "AccountEndpoint="+web.URL+"/;AccountKey="+r.Server.Key()+";")
	r.Server.Inject(server.Fault{Operation: server.OpQueryItems, Skip: 3, Count: 2, Status: 429, RetryAfter: time.Millisecond})
	_, got := r.analysis("-container", "vehicle-event")
	if got.Documents != 4000 || got.Layouts[0].Documents != 4000 || queries.Load() < 8 {
		t.Errorf("%d documents, %d requests", got.Documents, queries.Load())
	}
}

// TestAnalyzeContainerSample keeps share, budget and rate, and says how far the figures
// can be from the truth.
func TestAnalyzeContainerSample(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", rig.EventContainer, events(t, 3000)...)
	_, got := r.analysis("-container", "vehicle-event", "-sample", "20", "-seed", "1")
	s := got.Sample
	if s.Share != 0.2 || s.Windows != 8 || s.Of != 40 || s.Missed != 0.8 || got.Documents < 400 || got.Documents > 800 || s.Estimate == nil ||
		s.Estimate.Documents != float64(5*got.Documents) || s.Estimate.Error <= 0 || !strings.Contains(s.Error, "80%") {
		t.Errorf("%+v", s)
	}
	for _, spread := range got.Layouts[0].Partitions { // of the whole, as the service counts it
		if sum := spread.Documents[0] + spread.Documents[1] + spread.Documents[2]; spread.Own && sum != 3000 {
			t.Errorf("%+v", spread)
		}
	}
	_, again := r.analysis("-container", "vehicle-event", "-sample", "20", "-seed", "1")
	if again.Documents != got.Documents || again.Layouts[0].LogicalPartitions != got.Layouts[0].LogicalPartitions {
		t.Errorf("the same number chooses other windows: %d, %d", got.Documents, again.Documents)
	}
	_, got = r.analysis("-container", "vehicle-event", "-limit", "60", "-seed", "1")
	if s := got.Sample; !s.Stopped || s.RequestUnits > 60 || s.RequestUnits < 45 || s.Share >= 1 {
		t.Errorf("%+v", s)
	}
	begin := time.Now()
	_, got = r.analysis("-container", "vehicle-event", "-limit", "60", "-budget", "100", "-seed", "1")
	// The last request is not waited for.
	if took := time.Since(begin).Seconds(); took < (got.Sample.RequestUnits-10)/100 {
		t.Errorf("%v RU in %v s", got.Sample.RequestUnits, took)
	}
	text := r.analysisText("-container", "vehicle-event", "-sample", "20", "-seed", "1")
	for _, want := range []string{"20% of its keys were read", "missed with a probability of 80%", "physical partition 0 has"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// TestAnalyzeContainerVersion1 has a container whose keys are hashed in another way.
func TestAnalyzeContainerVersion1(t *testing.T) {
	r := newRig(t)
	r.Server = harness.Bare(t, server.Options{Partitions: 3, Lenient: true})
	t.Setenv("COSMOS_CONNECTION_STRING", harness.Listen(t, r.Server, nil))
	r.Load("fleet", strings.Replace(rig.EventContainer, `"version":2`, `"version":1`, 1), events(t, 100)...)
	_, got := r.analysis("-container", "vehicle-event")
	for _, s := range got.Layouts[0].Partitions {
		if s.Own {
			t.Errorf("%+v", s)
		}
	}
	if got.Documents != 100 || !strings.Contains(got.Sample.Error, "version 1") {
		t.Errorf("%+v", got.Sample)
	}
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"analyze", "-container", "vehicle-event", "-sample", "10", "."}, &stdout, &stderr); code != cli.Failed || !strings.Contains(stderr.String(), "version 1") {
		t.Errorf("%d: %s", code, stderr.String())
	}
}

// TestAnalyzeNoStatistics has a gateway that does not say what a container holds.
func TestAnalyzeNoStatistics(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", rig.EventContainer, events(t, 100)...)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		q.Header.Del("x-ms-documentdb-populatequotainfo")
		q.Header.Del("x-ms-documentdb-populatepartitionstatistics")
		r.Server.ServeHTTP(w, q)
	}))
	t.Cleanup(web.Close)
	t.Setenv("COSMOS_CONNECTION_STRING", "AccountEndpoint="+web.URL+"/;AccountKey="+r.Server.Key()+";")
	if text := r.analysisText("-container", "vehicle-event"); !strings.Contains(text, "the gateway returns no statistics of physical partitions") {
		t.Error(text)
	}
}

// TestAnalyzeReads tells what calls cost for each number of partitions.
func TestAnalyzeReads(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", rig.EventContainer, events(t, 100)...)
	calls := filepath.Join(t.TempDir(), "calls.json")
	if err := os.WriteFile(calls, []byte(`{"Get": 90, "ByVIN": 10}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, got := r.analysis("calls", calls, "-container", "vehicle-event", "-layout", "{vin}", "-partitions", "5,20")
	for i, all := range []float64{0.1, 0} { // no query by vin knows the date
		reads := got.Layouts[i].Reads
		if reads == nil || reads.Partitions != 3 || len(reads.Others) != 2 || reads.All != all || reads.One != 1-all || reads.Calls != 100 {
			t.Fatalf("%+v", reads)
		}
		for j, partitions := range []int{5, 20} {
			requests := 100.0
			if all > 0 {
				requests = 90 + 10*float64(partitions)
			}
			if other := reads.Others[j]; other.Partitions != partitions || other.Requests != requests || other.All != all {
				t.Errorf("%+v", other)
			}
		}
	}
	if err := os.WriteFile(calls, []byte(`{"ByVni": 10}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"calls", calls, "-container", "vehicle-event", "."}, &stdout, &stderr); code != cli.Failed || !strings.Contains(stderr.String(), "write ByVin") {
		t.Errorf("%d: %s", code, stderr.String())
	}
}

// TestAnalyzeLog joins a log with a container, and shows hostile keys as plain text.
func TestAnalyzeLog(t *testing.T) {
	r := newRig(t)
	all := events(t, 100)
	r.Load("fleet", rig.EventContainer, all...)
	var log strings.Builder
	log.WriteString("TimeGenerated [UTC],DatabaseName,CollectionName,PartitionKey,PartitionKeyRangeId,OperationName,RequestCharge\n")
	write := func(key string, units int) {
		text, _ := json.Marshal([]string{key})
		fmt.Fprintf(&log, "2026-01-02T03:04:05Z,fleet,vehicle-event,\"%s\",0,Read,%d\n", strings.ReplaceAll(string(text), `"`, `""`), units)
	}
	for _, e := range all {
		write(rig.KeyOf(t, e), 9)
	}
	write("\x1b[31m,\n\"red", 100)
	path := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(path, []byte(log.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	_, got := r.analysis("rulog", path, "-container", "vehicle-event", "-layout", "{vin}", "-layout", "{date}")
	l := got.Logged
	if l == nil || l.Records != 101 || l.RequestUnits != 1000 || l.Keys[0].Share != 0.1 || len(l.Layouts) != 3 ||
		l.Layouts[0].Joined != 1 || l.Layouts[1].Joined != 0.9 || l.Layouts[2].Joined != 0.9 || l.Layouts[2].Partitions[0].Effective != 1 {
		t.Errorf("%+v", l)
	}
	text := r.analysisText("rulog", path, "-layout", "{vin}", "-type", "VehicleEvent")
	if strings.Contains(text, "\x1b") || !strings.Contains(text, `\x1b[31m,\n"red`) || !strings.Contains(strings.Join(strings.Fields(text), " "), "it needs vin, and a key of layout {date}.{vin%400} has only its bucket") {
		t.Error(text)
	}
}
