package stored

import (
	"bytes"
	"cmp"
	"compress/gzip"
	crypto "crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/folder"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

var (
	record = flag.String("record", "", "record a new generation of this name: a folder of testdata that does not exist")
	only   = flag.String("only", "", "record these scenarios, separated by commas, and not all")
)

// TestStored ends each operation from each state that a generation has of it. With -short
// it takes every fifth.
func TestStored(t *testing.T) {
	if *record != "" {
		if host, err := os.Hostname(); host != "recorder" {
			t.Fatalf("this machine is %q, %v, and leases have its name: record by unshare, as testdata/README.md says", host, err)
		}
		if err := recordAll(t, filepath.Join("testdata", *record)); err != nil {
			t.Fatal(err)
		}
	}
	missing := map[string]bool{}
	for _, s := range scenarios {
		missing[s.name] = true
	}
	for _, generation := range generations(t) {
		files, err := filepath.Glob(filepath.Join(generation, "*.txt"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s is empty: %v", generation, err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".txt")
			delete(missing, name)
			t.Run(filepath.Base(generation)+"/"+name, func(t *testing.T) { readFile(t, file) })
		}
	}
	if len(missing) > 0 {
		t.Errorf("no generation has the scenarios %v: record one", missing)
	}
}

// generations are the folders of testdata.
func generations(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, entry := range entries {
		if entry.IsDir() {
			list = append(list, filepath.Join("testdata", entry.Name()))
		}
	}
	if len(list) == 0 {
		t.Fatal("there is no generation")
	}
	return list
}

// readRecording reads a file of testdata.
func readRecording(t *testing.T, file string) *recording {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := parse(text)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return r
}

func readFile(t *testing.T, file string) {
	r := readRecording(t, file)
	var s *scenario
	for i := range scenarios {
		if scenarios[i].name+".txt" == filepath.Base(file) {
			s = &scenarios[i]
		}
	}
	if s == nil || len(r.stops) < 1+len(s.steps) {
		t.Fatalf("%s: its scenario is gone, or the file has fewer stops than it has steps", file)
	}
	stored, part := contents{}, seeds.Part(t, "four of five stops")
	for i, at := range r.stops {
		stored = stored.with(at.changes)
		if part && i%5 != 0 {
			continue
		}
		for _, end := range s.names(at) {
			t.Run(fmt.Sprintf("%d/%s", i, end), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					defer func() {
						if t.Failed() {
							t.Logf("stopped %s", at)
						}
					}()
					s.play(t, r, stored, i, end)
				})
			})
		}
	}
}

// fileScenario is the scenario of which a generation has the file of the emulator itself, too.
const (
	fileScenario = "upgrade"
	zipped       = fileName + ".gz"
)

// recordAll records all scenarios in a folder that does not exist.
func recordAll(t *testing.T, generation string) error {
	t.Helper()
	if err := os.Mkdir(generation, 0o750); err != nil {
		return fmt.Errorf("a generation is never recorded again: %w", err)
	}
	var end time.Time
	for i := range scenarios {
		s := &scenarios[i]
		if *only != "" && !slices.Contains(strings.Split(*only, ","), s.name) {
			continue
		}
		r := &recorder{scenario: s, dir: t.TempDir(), begin: end, recording: recording{texts: map[string]string{}}}
		synctest.Test(t, r.run)
		end = r.stops[len(r.stops)-1].at
		if err := os.WriteFile(filepath.Join(generation, s.name+".txt"), r.text(s.about), 0o600); err != nil {
			return err
		}
		if s.name != fileScenario {
			continue
		}
		whole, err := os.ReadFile(filepath.Join(r.dir, fileName))
		if err != nil {
			return err
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err = z.Write(whole)
		if err := errors.Join(err, z.Close(), os.WriteFile(filepath.Join(generation, zipped), b.Bytes(), 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// recorder runs a scenario, and keeps what is stored after each request.
type recorder struct {
	*scenario
	dir string
	recording
	begin   time.Time // after all scenarios before, since the stamps of a process only grow
	known   contents  // at the last stop
	steps   int
	within  bool
	handled []string
}

func (r *recorder) run(t *testing.T) {
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, r.name) // it never fails
	secrets := crypto.Reader
	crypto.Reader = rand.NewChaCha8([32]byte(append(sum.Sum(nil), make([]byte, 24)...)))
	defer func() { crypto.Reader = secrets }()
	f, err := folder.Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	time.Sleep(max(0, time.Until(r.begin)) + time.Hour)
	w := open(t, f, cmp.Or(r.partitions, 2))
	p := w.program(t)
	p.texts = r.texts
	p.handled = func(name string) { r.handled = append(r.handled, name) }
	r.prepare(p)
	r.stop(t, "prepared")
	w.acted = func(q *http.Request, _ []byte, status int) {
		if q.Method != http.MethodGet {
			r.stop(t, fmt.Sprintf("%s %s %s %d", q.Method, strings.Trim(q.URL.Path, "/"), q.Header.Get("x-ms-documentdb-partitionkey"), status))
		}
	}
	for i, step := range r.scenario.steps {
		time.Sleep(time.Second)
		r.within = true
		if err := step.run(p); err != nil {
			t.Fatalf("%s: %s: %v", r.name, step.name, err)
		}
		r.steps, r.within = i+1, false
		r.stop(t, step.name+" ended")
	}
}

// changing are properties whose change alone makes no state that anybody treats differently:
// a process that renews what it holds changes them every few seconds.
var changing = regexp.MustCompile(`"(_etag|_ts|timestamp|beat)":("(\\.|[^"\\])*"|\d+)`)

// renewal reports whether nothing has changed, or only what renewals change.
func (r *recorder) renewal(changes []change) bool {
	for _, c := range changes {
		was := r.known[c.table][c.key]
		if c.table != "documents" {
			if c.value != nil && was != nil { // a counter
				continue
			}
			return false
		}
		const head = 12 // the checksum and the number
		if was == nil || c.value == nil || !bytes.Equal(changing.ReplaceAll(was[head:], nil), changing.ReplaceAll(c.value[head:], nil)) {
			return false
		}
	}
	return true
}

// stop keeps what is stored, if a request has changed it. Renewals are kept with the change
// after them.
func (r *recorder) stop(t *testing.T, what string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	is, err := contentsOf(file)
	if err != nil {
		t.Fatal(err)
	}
	now := stop{at: time.Now(), steps: r.steps, within: r.within, what: what, handled: r.handled, changes: is.since(r.known)}
	if r.within && r.renewal(now.changes) {
		return
	}
	r.handled = nil
	r.stops = append(r.stops, now)
	r.known = is
}

// TestRecordedOnce refuses to record a generation that exists.
func TestRecordedOnce(t *testing.T) {
	dir := t.TempDir()
	if err := recordAll(t, dir); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the error is %v", err)
	}
}

// TestFile opens the file of each generation that has one as it is. It holds the records that the text of
// its scenario ends with, so that the other texts mean such files.
func TestFile(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", zipped))
	if err != nil || len(files) == 0 {
		t.Fatalf("no generation has a file: %v", err)
	}
	for _, packed := range files {
		generation := filepath.Dir(packed)
		whole := unzip(t, packed)
		dir := t.TempDir()
		file := filepath.Join(dir, fileName)
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		is, err := contentsOf(file)
		if err != nil {
			t.Fatal(err)
		}
		r := readRecording(t, filepath.Join(generation, fileScenario+".txt"))
		want := contents{}
		for _, at := range r.stops {
			want = want.with(at.changes)
		}
		for _, change := range append(is.since(want), want.since(is)...) {
			t.Errorf("%s differs from the text in %s %x", generation, change.table, change.key)
		}
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(r.stops[len(r.stops)-1].at))
			f, err := folder.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}()
			p := open(t, f, 2).program(t)
			for _, s := range scenarios {
				if s.name == fileScenario {
					p.expect("in the file", s.after(len(s.steps)), s.read(p))
				}
			}
		})
	}
}

func unzip(t *testing.T, file string) []byte {
	t.Helper()
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// TestRecording reads the text of a recording as it was written.
func TestRecording(t *testing.T) {
	want := recording{texts: map[string]string{"cursor": "a b\n"}, stops: []stop{
		{at: time.Unix(1, 5).UTC(), what: "prepared", changes: []change{{"documents", "\x00key", []byte("\x00\x01\x02\x03\x04{\"id\": \"1\"}")}, {"sums", "", []byte("\n{\n}")}}},
		{at: time.Unix(2, 0).UTC(), steps: 3, within: true, what: `PUT dbs/db ["a b"] 200`, handled: []string{"d 1"}, changes: []change{{"documents", "\x00key", nil}}},
	}}
	text := want.text("one\ntwo")
	is, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if again := is.text("one\ntwo"); string(again) != string(text) {
		t.Errorf("%s\nbecame\n%s", text, again)
	}
	if got := is.stops[1]; got.String() != want.stops[1].String() || !got.at.Equal(want.stops[1].at) || got.handled[0] != "d 1" || got.changes[0].value != nil {
		t.Errorf("%+v", got)
	}
	if got := hex.EncodeToString(is.stops[0].changes[1].value); got != "0a7b0a7d" || is.texts["cursor"] != "a b\n" {
		t.Errorf("%s, %q", got, is.texts)
	}
	for _, bad := range []string{"", "stored", firstLine + "\nput a b c d", firstLine + "\nstop now 1 true x", firstLine + "\nother"} {
		if _, err := parse([]byte(bad)); err == nil {
			t.Errorf("%q is read without an error", bad)
		}
	}
}
