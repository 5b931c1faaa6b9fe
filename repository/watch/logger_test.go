package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// clock is a time that a test sets.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

// logged is a logger with its lines.
func logged(opts ...LogOption) (*logger, *clock, *bytes.Buffer) {
	c, lines := newClock(), new(bytes.Buffer)
	handler := slog.NewTextHandler(lines, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	return newLogger(slog.New(handler), c.now, opts), c, lines
}

func dearEvent() repository.Event {
	return repository.Event{
		Op: "query", Type: "Order", Tenant: "t-secret", Container: "orders", ID: "id-secret", PartitionKey: `"pk-secret"`,
		Range: "3", RequestUnits: 250.5, Duration: 40 * time.Millisecond, Attempts: 2, Throttled: 1, Status: 200, Rows: 7,
	}
}

func TestLoggerLines(t *testing.T) {
	ctx := context.Background()
	slow, throttled, cheap := dearEvent(), dearEvent(), dearEvent()
	slow.RequestUnits, slow.Duration, slow.Range, slow.Attempts, slow.Rows = 1, 2*time.Second, "", 0, 0
	throttled.RequestUnits, throttled.Status, throttled.Err = 0, 429, errors.New("too many requests")
	cheap.RequestUnits = 100
	for name, test := range map[string]struct {
		e    repository.Event
		opts []LogOption
		want string
	}{
		"dear":       {dearEvent(), nil, `level=WARN msg="cosmos request was dear" reason=dear op=query type=Order container=orders requestUnits=250.5 duration=40ms range=3 attempts=2 throttled=1 status=200 rows=7`},
		"slow":       {slow, nil, `level=WARN msg="cosmos request was slow" reason=slow op=query type=Order container=orders requestUnits=1 duration=2s status=200`},
		"throttled":  {throttled, nil, `level=WARN msg="cosmos request was throttled" reason=throttled op=query type=Order container=orders requestUnits=0 duration=40ms range=3 attempts=2 throttled=1 status=429 rows=7 error="too many requests"`},
		"neither":    {cheap, nil, ""},
		"dear at 50": {cheap, []LogOption{Dear(50)}, `level=WARN msg="cosmos request was dear" reason=dear op=query type=Order container=orders requestUnits=100 duration=40ms range=3 attempts=2 throttled=1 status=200 rows=7`},
		"slow at 30": {cheap, []LogOption{Slow(30 * time.Millisecond)}, `level=WARN msg="cosmos request was slow" reason=slow op=query type=Order container=orders requestUnits=100 duration=40ms range=3 attempts=2 throttled=1 status=200 rows=7`},
		"never":      {dearEvent(), []LogOption{Dear(0), Slow(-1)}, ""},
		"with keys":  {dearEvent(), []LogOption{LogKeys()}, `level=WARN msg="cosmos request was dear" reason=dear op=query type=Order container=orders requestUnits=250.5 duration=40ms range=3 attempts=2 throttled=1 status=200 rows=7 id=id-secret partitionKey="\"pk-secret\"" tenant=t-secret`},
	} {
		l, _, lines := logged(test.opts...)
		l.observe(ctx, test.e)
		if got := strings.TrimSuffix(lines.String(), "\n"); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
	}
}

// TestLoggerNoise has a flood of dear requests of one kind, and one of another.
func TestLoggerNoise(t *testing.T) {
	ctx := context.Background()
	l, c, lines := logged(LinesPerMinute(3))
	other := dearEvent()
	other.Op = "get"
	for range 100 {
		l.observe(ctx, dearEvent())
	}
	l.observe(ctx, other)
	if n := strings.Count(lines.String(), "\n"); n != 4 || strings.Count(lines.String(), "op=get") != 1 {
		t.Errorf("there are %d lines:\n%s", n, lines)
	}
	lines.Reset()
	c.pass(time.Minute)
	l.observe(ctx, repository.Event{Op: "get", RequestUnits: 1})
	if got, want := lines.String(), "level=WARN msg=\"more cosmos requests were dear\" requests=97 op=query type=Order container=orders\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
	lines.Reset()
	c.pass(time.Minute)
	l.observe(ctx, dearEvent())
	if strings.Count(lines.String(), "\n") != 1 {
		t.Errorf("in the next minute: %s", lines)
	}
}

// TestLoggerBounded has more kinds than a logger tells apart.
func TestLoggerBounded(t *testing.T) {
	l, _, lines := logged(LinesPerMinute(1))
	for i := range 3 * mostKinds {
		e := dearEvent()
		e.Container = fmt.Sprint("c", i)
		l.observe(context.Background(), e)
	}
	if n := strings.Count(lines.String(), "\n"); n != mostKinds+1 || len(l.seen) != mostKinds+1 {
		t.Errorf("%d lines, %d kinds", n, len(l.seen))
	}
}

func TestLoggerDefault(t *testing.T) {
	was := slog.Default()
	defer slog.SetDefault(was)
	observe := Logger(nil)
	var lines bytes.Buffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&lines, nil)))
	observe(context.Background(), dearEvent())
	if !strings.Contains(lines.String(), "reason=dear") {
		t.Errorf("got %s", &lines)
	}
}

func TestLoggerAllocations(t *testing.T) {
	observe, e := Logger(slog.Default()), repository.Event{Op: "get", RequestUnits: 1}
	if n := testing.AllocsPerRun(100, func() { observe(context.Background(), e) }); n != 0 {
		t.Errorf("a request that is not logged allocates %v times", n)
	}
}

func TestLoggerConcurrent(t *testing.T) {
	var text bytes.Buffer
	observe := Logger(slog.New(slog.NewTextHandler(&text, nil)))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 1000 {
				observe(context.Background(), dearEvent())
			}
		})
	}
	wg.Wait()
	if lines := strings.Count(text.String(), "\n"); lines == 0 || lines >= 4000 {
		t.Errorf("%d lines of 4,000 dear operations in a moment", lines)
	}
}

func BenchmarkLoggerQuiet(b *testing.B) {
	observe, e := Logger(slog.Default()), repository.Event{Op: "get", RequestUnits: 1}
	for b.Loop() {
		observe(context.Background(), e)
	}
}

// TestWriteRegions: an event about the account is a line, and no request.
func TestWriteRegions(t *testing.T) {
	event := repository.Event{Op: "write regions", Type: "Order", Container: "orders", WriteRegions: "West Europe and North Europe"}
	l, _, lines := logged(LinesPerMinute(1))
	for range 2 {
		l.observe(context.Background(), event)
	}
	const line = `level=WARN msg="cosmos account has other write regions" regions="West Europe and North Europe" type=Order container=orders` + "\n"
	if lines.String() != line+line {
		t.Errorf("got\n%s", lines)
	}
	var r Recent
	r.Observe(context.Background(), event)
	if n := r.Summary().Totals.Requests; n != 0 {
		t.Errorf("%d requests", n)
	}
}
