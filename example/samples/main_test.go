package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/example/sales"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

var update = flag.Bool("update", false, "record testdata")

// sample returns what the program writes.
func sample(t testing.TB, args ...string) []byte {
	t.Helper()
	var out, stderr bytes.Buffer
	if err := run(context.Background(), args, &out, &stderr); err != nil {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Fatalf("told %q where nobody looks on", &stderr)
	}
	return out.Bytes()
}

// TestGolden holds the first documents of each shape to testdata, and ten thousand to
// their hash: samples that people have measured with do not change.
func TestGolden(t *testing.T) {
	for _, name := range names() {
		out := sample(t, "-shape", name, "-n", "10000", "-seed", "7")
		got := fmt.Appendf(nil, "%ssha256 of all: %x\n", firstLines(out, 4), sha256.Sum256(out))
		path := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(path, got, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
		if bytes.Equal(out, sample(t, "-shape", name, "-n", "10000", "-seed", "8")) {
			t.Errorf("%s: two seeds gave the same documents", name)
		}
	}
}

func firstLines(out []byte, n int) []byte {
	return bytes.Join(bytes.SplitAfterN(out, []byte("\n"), n+1)[:n], nil)
}

// A figure is what a test looks at of each document.
type figure struct {
	ID, Page, TenantID, VIN string

	// When it was made: each shape has one of them.
	At, CreatedAt time.Time
	Collected     time.Time `json:"collector_tstamp"`
}

// TestShapes reads each document, and looks at what the comment of the program says:
// sizes, times, ids, and how often the most common value comes.
func TestShapes(t *testing.T) {
	const n = 10_000
	for _, test := range []struct {
		shape string
		least float64 // share of the most common value
		most  float64
		value func(figure) string
		at    func(figure) time.Time
	}{
		{"vehicles", 0.001, 0.004, func(f figure) string { return f.VIN }, func(f figure) time.Time { return f.At }},
		{"clicks", 0.19, 0.21, func(f figure) string { return f.Page }, func(f figure) time.Time { return f.Collected }},
		{"orders", 0.39, 0.41, func(f figure) string { return f.TenantID }, func(f figure) time.Time { return f.CreatedAt }},
	} {
		t.Run(test.shape, func(t *testing.T) {
			t.Parallel()
			out := sample(t, "-shape", test.shape, "-n", strconv.Itoa(n))
			if size := len(out) / n; size < 300 || size > 1024 {
				t.Errorf("documents have %d bytes", size)
			}
			counts, ids, days := make(map[string]int), make(map[string]bool), make(map[string]int)
			nights, last := 0, begin
			for line := range bytes.Lines(out) {
				var f figure
				if err := json.Unmarshal(line, &f); err != nil {
					t.Fatal(err)
				}
				at := test.at(f)
				if at.Before(last) || at.Sub(begin) >= 72*time.Hour {
					t.Fatalf("%s comes after %s", at, last)
				}
				last = at
				days[at.Format(time.DateOnly)]++
				if at.Hour() < 4 {
					nights++
				}
				counts[test.value(f)]++
				ids[f.TenantID+"/"+f.ID] = true
			}
			if len(ids) != n {
				t.Errorf("%d ids", len(ids))
			}
			if len(days) != 3 || days["2018-08-09"] < n/3-1 || days["2018-08-09"] > n/3+1 {
				t.Errorf("documents by day are %v", days)
			}
			if share := float64(nights) / n; math.Abs(share-9.0/223) > 0.002 { // of hourly
				t.Errorf("a share of %v is made at night", share)
			}
			most := slices.Max(slices.Collect(maps.Values(counts)))
			if share := float64(most) / n; share < test.least || share > test.most {
				t.Errorf("the most common value has a share of %v", share)
			}
		})
	}
}

// TestShares compares what comes with what Zipf's law says of it.
func TestShares(t *testing.T) {
	const n = 200_000
	law := zipf(499, 1).led(40)
	sum := 0.0
	for k := 1; k < 500; k++ {
		sum += 1 / float64(k+1)
	}
	counts := make([]float64, 500)
	d := newDraw(1, 0)
	for range n {
		counts[law.draw(d)]++
	}
	for i, count := range counts {
		want := 0.4
		if i > 0 {
			want = 0.6 / float64(i+1) / sum
		}
		if deviation := math.Sqrt(n * want * (1 - want)); math.Abs(count-n*want) > 5*deviation {
			t.Errorf("member %d came %v times, want %v", i, count, n*want)
		}
	}
}

// TestTypes reads documents as their packages do: generated code makes the key that is
// stored in them, accepts it, and so does the lock.
func TestTypes(t *testing.T) {
	for _, test := range []struct {
		shape string
		entry lock.Entry
		read  func(*json.Decoder) (stored, made any, invalid, err error)
	}{
		{"vehicles", entry(t, "fleet"), func(d *json.Decoder) (any, any, error, error) {
			var e fleet.VehicleEvent
			err := d.Decode(&e)
			if date := e.At.Format(time.DateOnly); date != e.Date {
				t.Errorf("an event of %s has the date %s", date, e.Date)
			}
			return e.Stored, e.PartitionKey(), e.Key().Validate(), err
		}},
		{"clicks", entry(t, "clickstream"), func(d *json.Decoder) (any, any, error, error) {
			var c clickstream.Click
			err := d.Decode(&c)
			return c.Stored, c.PartitionKey(), c.Key().Validate(), err
		}},
		{"orders", entry(t, "sales"), func(d *json.Decoder) (any, any, error, error) {
			var o sales.Order
			err := d.Decode(&o)
			total := 0
			for _, l := range o.Lines {
				total += l.Quantity * l.UnitPrice
			}
			if total != o.Total || total == 0 {
				t.Errorf("an order of %d has lines of %d", o.Total, total)
			}
			return o.Key().PartitionKey(), o.PartitionKey(), o.Key().Validate(), err
		}},
	} {
		lines := sample(t, "-shape", test.shape, "-n", "2000")
		decoder := json.NewDecoder(bytes.NewReader(lines))
		made, err := layout.New(test.entry)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(lines) {
			stored, want, invalid, err := test.read(decoder)
			if err != nil || invalid != nil || !reflect.DeepEqual(stored, want) {
				t.Fatalf("%s has the key %v, %v, %v", line, want, invalid, err)
			}
			key, err := made.Key(line)
			if err != nil {
				t.Fatal(err)
			}
			if at, err := made.Stored(line); err != nil || at != key {
				t.Fatalf("%s has the key %s and lies under %s, %v", line, key, at, err)
			}
		}
	}
}

// entry is the line that the lock of an example has.
func entry(t *testing.T, folder string) lock.Entry {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", folder, lock.FileName))
	if err != nil {
		t.Fatal(err)
	}
	entries, problem := lock.Parse(text)
	if problem != nil {
		t.Fatal(problem)
	}
	return entries[0]
}

// TestSpan looks at the day on which documents end, and at few of them.
func TestSpan(t *testing.T) {
	for _, test := range []struct{ n, span, last string }{
		{"0", "1h", ""},
		{"1", "1s", "2018-08-09"},
		{"1000", "24h", "2018-08-09"},
		{"1000", "90m", "2018-08-09"},
		{"1000", "8760h", "2019-08-08"},
	} {
		out := sample(t, "-shape", "vehicles", "-n", test.n, "-span", test.span)
		if test.last == "" {
			if len(out) > 0 {
				t.Errorf("no documents are %q", out)
			}
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if want, _ := strconv.Atoi(test.n); len(lines) != want || !strings.Contains(lines[want-1], `"date":"`+test.last+`"`) {
			t.Errorf("%v: %d documents end with %s", test, len(lines), lines[len(lines)-1])
		}
	}
}

// TestLoad fills an emulator with each shape.
func TestLoad(t *testing.T) {
	for _, s := range shapes {
		file := filepath.Join(t.TempDir(), s.name+".ndjson")
		if err := os.WriteFile(file, sample(t, "-shape", s.name, "-n", "300", "-load"), 0o600); err != nil {
			t.Fatal(err)
		}
		container, err := emulator.Load(t, file).Client(nil).NewContainer("samples", s.container().ID)
		if err != nil {
			t.Fatal(err)
		}
		pages := container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil)
		documents := 0
		for pages.More() {
			page, err := pages.NextPage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			documents += len(page.Items)
		}
		if documents != 300 {
			t.Errorf("%s: %d documents", s.name, documents)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", `there is no shape "": -shape is one of vehicles, clicks, orders`},
		{"-shape bicycles", `there is no shape "bicycles": -shape is one of vehicles, clicks, orders`},
		{"vehicles", `unknown argument "vehicles": -shape names what to write`},
		{"-shape orders -n -1", "-n is negative: write 0 documents or more"},
		{"-shape orders -span 1ms", "-span is 1ms: spread the documents over 1s to 87600h0m0s"},
	} {
		var out bytes.Buffer
		err := run(context.Background(), strings.Fields(test.args), &out, io.Discard)
		if err == nil || err.Error() != test.want || out.Len() > 0 {
			t.Errorf("%s: %v, and %q", test.args, err, &out)
		}
	}
}

// TestEnds ends the program's work before its last document: somebody interrupts it, or
// nobody reads what it writes.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := run(ctx, []string{"-shape", "orders"}, io.Discard, io.Discard); err == nil || err.Error() != "interrupted" {
		t.Errorf("interrupted: %v", err)
	}
	r, w := io.Pipe()
	r.Close()
	if err := run(context.Background(), []string{"-shape", "orders"}, w, io.Discard); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("nobody reads: %v", err)
	}
}

// TestProgress tells a terminal how far it is, once a second.
func TestProgress(t *testing.T) {
	var out strings.Builder
	p := &progress{to: &out, last: time.Now()}
	p.tell(1, 300)
	p.clear()
	if out.Len() > 0 {
		t.Errorf("told %q too early", &out)
	}
	p.last = time.Now().Add(-time.Minute)
	p.tell(100, 300)
	p.tell(101, 300)
	p.clear()
	if got, want := out.String(), "\r\x1b[K100 of 300 documents (33%)\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func BenchmarkShapes(b *testing.B) {
	for _, name := range names() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			s, _, err := newShape(name, 1)
			if err != nil {
				b.Fatal(err)
			}
			c := newClock(b.N, 72*time.Hour)
			var line []byte
			for i := range b.N {
				line = s.document(line[:0], c.next(i, s.draws()))
			}
			b.SetBytes(int64(len(line)))
		})
	}
}
