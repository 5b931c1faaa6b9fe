package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
)

var releasesFor = flag.Duration("releases", time.Second, "how long programs of two releases run together in TestReleases, and then the second with Rekey; it writes meanwhile from one minute on")

// countedDay is the day of the rides that are never removed: both releases count them up.
const countedDay = "2018-08-10"

// ride is a ride that programs store, and releaseKey its key.
type (
	ride struct {
		ID, Day, VIN, Value, PartitionKey string
		First, Second                     int
	}
	releaseKey struct{ ID, Day, VIN string }
)

// releases are programs of two releases of a type whose number of buckets grows, and
// what they have done.
type releases struct {
	consumer

	server    *harness.Account
	account   string // its connection string
	container *azcosmos.ContainerClient
	keys      []releaseKey
	history   history
	found     int // by the last see
}

// newReleases generates both releases one after the other in one folder, as users do:
// the lock of the first leads to the second, and that of the second to the third, which no
// longer knows the earlier number.
func newReleases(t *testing.T) *releases {
	t.Helper()
	r := &releases{consumer: newConsumer(t, nil), history: history{T: t, byID: map[string][]releaseLine{}}}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("testdata", "releases", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	source, program := read("ride.go"), read("main.go")
	r.generate("second/ride.go", strings.ReplaceAll(source, "BUCKETS", "buckets=4"))
	r.generate("second/ride.go", strings.ReplaceAll(source, "BUCKETS", "buckets=4,next=16"))
	for _, name := range []string{"ride.go", "ride_cosmos.go"} {
		r.write("first/"+name, r.read("second/"+name))
	}
	r.generate("second/ride.go", strings.ReplaceAll(source, "BUCKETS", "buckets=16,was=4"))
	if lock := r.read("second/pkgen.lock"); !strings.Contains(lock, "type Ride {day}.{vin%16} was=4 seal=") {
		t.Fatalf("the lock is %s", lock)
	}
	for _, name := range []string{"ride.go", "ride_cosmos.go", "pkgen.lock"} {
		r.write("third/"+name, r.read("second/"+name))
	}
	r.write("third/ride.go", strings.ReplaceAll(source, "BUCKETS", "buckets=16"))
	r.pkgen("seal", "-rekeyed", "./third")
	for _, release := range []string{"first", "second", "third"} {
		r.write("cmd/"+release+"/main.go", strings.ReplaceAll(program, "RELEASE", release))
	}
	r.run("build", "-ldflags=-s -w", "-o", "bin/", "./cmd/...", "github.com/cosmos-pkgen/pkgen/cmd/pkgen-emulator")
	r.serve()
	return r
}

// serve starts the service.
func (r *releases) serve() {
	t := r.t
	r.server, r.container = harness.NewContainer(t, emulator.Options{Partitions: 3}, harness.Properties("ride", "/partitionKey"), nil)
	r.account = r.server.ConnectionString()
	for i := range 16 {
		r.keys = append(r.keys, releaseKey{fmt.Sprintf("r%02d", i), []string{"2018-08-09", countedDay}[i%2], fmt.Sprintf("V%d", i)})
	}
}

// start starts a program. The function that it returns ends it, and takes what it has said.
func (r *releases) start(release, job string) func() []releaseLine {
	r.t.Helper()
	orders, err := json.Marshal(map[string]any{
		"Account": r.account, "Job": job, "Keys": r.keys, "Counted": countedDay,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	var out bytes.Buffer
	_, end := r.program(&out, []string{"ORDERS=" + string(orders)}, filepath.Join("bin", release))
	return func() []releaseLine {
		r.t.Helper()
		end()
		var said []releaseLine
		for lines := json.NewDecoder(&out); ; {
			l := releaseLine{by: release}
			if err := lines.Decode(&l); err == io.EOF {
				return said
			} else if err != nil {
				r.t.Fatal(err)
			}
			said = append(said, l)
		}
	}
}

// rekey runs Rekey, and returns how many documents it has moved, and how many marks remain.
func (r *releases) rekey() (moved, marks int, done bool) {
	r.t.Helper()
	l := r.start("second", "rekey")()[0]
	return l.First, l.Second, l.Value == "true"
}

// see compares what a program reads with the history.
func (r *releases) see(release, when string) {
	r.t.Helper()
	found := map[string]map[string]ride{"Get": {}, "ByDay": {}, "Scan": {}}
	for _, l := range r.start(release, "see")() {
		if l.Outcome != "" && l.Outcome != "missing" {
			r.t.Errorf("%s: %s of %s: %s", when, l.Op, l.ID, l.Outcome)
		}
		if _, twice := found[l.Op][l.ID]; twice {
			r.t.Errorf("%s: %s gives %s twice", when, l.Op, l.ID)
		}
		r.history.reads(when, l)
		if l.Outcome == "" {
			found[l.Op][l.ID] = ride{ID: l.ID, Value: l.Value, First: l.First, Second: l.Second}
		}
	}
	for op, docs := range found {
		if !maps.Equal(docs, found["Get"]) {
			r.t.Errorf("%s: %s finds %v, and Get %v", when, op, docs, found["Get"])
		}
	}
	for _, key := range r.keys {
		if doc := found["Get"][key.ID]; key.Day == countedDay {
			for release, n := range map[string]int{"first": doc.First, "second": doc.Second} {
				if want := r.history.counts(key.ID, release); n != want {
					r.t.Errorf("%s: %s was counted up %d times by the %s release, and is %d", when, key.ID, want, release, n)
				}
			}
		}
	}
	r.found = len(found["Get"])
}

// stored counts what is stored, and documents under other keys than their present ones.
func (r *releases) stored() (n, elsewhere int) {
	r.t.Helper()
	pager := r.container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil)
	for pager.More() {
		page, err := pager.NextPage(context.Background())
		if err != nil {
			r.t.Fatal(err)
		}
		for _, item := range page.Items {
			var doc ride
			if err := json.Unmarshal(item, &doc); err != nil {
				r.t.Fatal(err)
			}
			n++
			if doc.PartitionKey != fmt.Sprintf("%s.%d", doc.Day, partition.Hash{}.Text(doc.VIN).Bucket(16)) {
				elsewhere++
			}
		}
	}
	return n, elsewhere
}

// TestReleases generates two releases of a type whose number of buckets grows, builds a
// program of each, and has both write, read and query the same documents of one service
// at once. Then the first program ends. The second one reads, and with a long -releases also
// writes, while Rekey moves documents of earlier keys. A model of the acknowledged writes says
// what reads may return: no document is lost, none comes twice, and in the end each document
// is stored once, under its present key. Then a program of a third release, which knows only the present number, reads the same.
func TestReleases(t *testing.T) {
	seeds.Gate(t, "builds programs of releases, which run for seconds")
	t.Parallel()
	r := newReleases(t)
	for _, key := range r.keys {
		r.store(key)
	}
	first, second := r.start("first", "act"), r.start("second", "act")
	time.Sleep(*releasesFor)
	r.history.add(first()...)
	r.history.add(second()...)
	r.history.judge()
	r.see("second", "when the first release has ended")
	if _, elsewhere := r.stored(); elsewhere == 0 {
		t.Error("no document is under an earlier key")
	}

	job := "read" // a write to a document that has just moved waits for up to 9 seconds
	if *releasesFor >= time.Minute {
		job = "act"
	}
	second = r.start("second", job)
	begun := time.Now()
	moved, marks, _ := r.rekey()
	time.Sleep(*releasesFor - time.Since(begun))
	r.history.add(second()...)
	r.history.judge()
	if moved == 0 || marks == 0 {
		t.Errorf("%d documents were moved, and %d marks remain", moved, marks)
	}
	r.see("second", "after Rekey")
	r.server.Advance(10 * time.Second)
	second = r.start("second", "act")
	time.Sleep(*releasesFor / 4)
	r.history.add(second()...)
	r.history.judge()
	r.server.Advance(24*time.Hour + time.Minute)
	if moved, marks, done := r.rekey(); !done {
		t.Errorf("the next day %d documents were moved, and %d marks remain", moved, marks)
	}
	r.see("second", "the next day")
	if n, elsewhere := r.stored(); n != r.found || elsewhere != 0 {
		t.Errorf("%d documents are stored, %d of them not under their present keys; %d are found", n, elsewhere, r.found)
	}
	r.see("third", "without the earlier number")
	t.Logf("%d documents moved, %d are found: %s", moved, r.found, r.history.summary())
	r.lastDay()
}

// lastDay moves documents in a pkgen-emulator with a data folder. The marks of the moves stay
// until the next day: -ahead lets it pass at once, and after the second Rekey the release
// without the earlier number reads all documents.
func (r *releases) lastDay() {
	t := r.t
	data := t.TempDir()
	r.history = history{T: t, byID: map[string][]releaseLine{}}
	end := r.emulator("-data", data)
	client, err := azcosmos.NewClientFromConnectionString(r.account, nil)
	if err == nil {
		_, err = client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: harness.Database}, nil)
	}
	var db *azcosmos.DatabaseClient
	if err == nil {
		db, err = client.NewDatabase(harness.Database)
	}
	if err == nil {
		_, err = db.CreateContainer(t.Context(), harness.Properties("ride", "/partitionKey"), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range r.keys {
		r.store(key)
	}
	if moved, marks, done := r.rekey(); moved == 0 || marks != moved || done {
		t.Errorf("on the first day %d documents were moved, %d marks remain, and done is %t", moved, marks, done)
	}
	r.see("second", "on the first day")
	end()
	end = r.emulator("-data", data, "-ahead", "23h")
	if moved, marks, done := r.rekey(); moved != 0 || marks == 0 || done {
		t.Errorf("after 23 hours %d documents were moved, %d marks remain, and done is %t", moved, marks, done)
	}
	end()
	defer r.emulator("-data", data, "-ahead", "25h")()
	if moved, marks, done := r.rekey(); moved != 0 || marks != 0 || !done {
		t.Errorf("after 25 hours %d documents were moved, %d marks remain, and done is %t", moved, marks, done)
	}
	for _, release := range []string{"second", "third"} {
		if r.see(release, "after the last day"); r.found != len(r.keys) {
			t.Errorf("the %s release finds %d of %d rides", release, r.found, len(r.keys))
		}
	}
	if n, elsewhere := r.stored(); n != len(r.keys) || elsewhere != 0 {
		t.Errorf("%d documents are stored, %d of them not under their present keys", n, elsewhere)
	}
}

// emulator starts a pkgen-emulator, in which programs work from now on. The function that it
// returns ends it.
func (r *releases) emulator(args ...string) (end func()) {
	r.t.Helper()
	out, w, err := os.Pipe()
	if err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(r.dir, "bin", "pkgen-emulator"), append([]string{"-http", "-addr", "127.0.0.1:0"}, args...)...)
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	_ = w.Close() // the process has it
	end = sync.OnceFunc(func() {
		_ = cmd.Process.Kill() // what it has acknowledged is in its folder
		_ = cmd.Wait()
		_ = out.Close()
	})
	r.t.Cleanup(end)
	r.account = ""
	lines := bufio.NewScanner(out)
	var said []string
	for r.account == "" && lines.Scan() {
		said = append(said, lines.Text())
		if i := strings.Index(lines.Text(), "AccountEndpoint="); i >= 0 {
			r.account = strings.Trim(lines.Text()[i:], `'"`)
		}
	}
	if r.account == "" {
		r.t.Fatalf("the emulator does not start: %s", strings.Join(said, "\n"))
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	r.connect()
	return end
}

// connect makes the test a client of the account.
func (r *releases) connect() {
	r.t.Helper()
	client, err := azcosmos.NewClientFromConnectionString(r.account, nil)
	if err == nil {
		r.container, err = client.NewContainer(harness.Database, "ride")
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// store stores a ride as a program did that knows only the earlier number.
func (r *releases) store(key releaseKey) {
	r.t.Helper()
	at := fmt.Sprintf("%s.%d", key.Day, partition.Hash{}.Text(key.VIN).Bucket(4))
	body := fmt.Sprintf(`{"id":%q,"day":%q,"vin":%q,"value":"stored","first":0,"second":0,"partitionKey":%q}`, key.ID, key.Day, key.VIN, at)
	if _, err := r.container.CreateItem(context.Background(), azcosmos.NewPartitionKeyString(at), []byte(body), nil); err != nil {
		r.t.Fatal(err)
	}
	r.history.add(releaseLine{Op: "Create", ID: key.ID, Value: "stored"})
}
