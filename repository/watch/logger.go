package watch

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// Defaults of Logger.
const (
	defaultSlow  = time.Second
	defaultDear  = 100.0
	defaultLines = 5
)

// mostKinds is the number of kinds of lines that a logger distinguishes in a minute: some 100
// KB. All others are one kind.
const mostKinds = 500

// LogOption is an option of [Logger].
type LogOption func(*logger)

// Slow sets the duration, of all attempts together, above which a request is slow. The default
// is a second. With 0 or less no request is slow.
func Slow(d time.Duration) LogOption { return func(l *logger) { l.slow = d } }

// Dear sets the request units above which a request is dear. The default is 100. With 0 or less
// no request is dear.
func Dear(requestUnits float64) LogOption { return func(l *logger) { l.dear = requestUnits } }

// LinesPerMinute limits the lines of one kind in a minute: of the same reason, operation, type
// and container. The default is 5, and an n below 1 counts as 1.
func LinesPerMinute(n int) LogOption { return func(l *logger) { l.lines = max(1, n) } }

// LogKeys adds the id, the partition key and the tenant of the document to each line. These are
// data, visible to every reader of the log.
func LogKeys() LogOption { return func(l *logger) { l.keys = true } }

// Logger returns an observer that logs slow, dear, and finally throttled requests as warnings:
// reason, operation, type, container, physical partition, request units, duration, attempts,
// status, rows, and the error, whose text has no value of a document. It also logs a change of
// the account's write regions. See [Slow], [Dear], [LinesPerMinute] and [LogKeys]. With a nil l
// it uses slog.Default() for each line.
//
// A request is one point read or write, one batch, or one page: a query over several physical
// partitions has several. By default a kind of line appears at most 5 times a minute; the first
// request after that minute logs how many were left out. A request that is not logged costs
// less than a microsecond, and no allocation. The function is safe for concurrent use, and
// waits for the handler of l.
func Logger(l *slog.Logger, opts ...LogOption) func(context.Context, repository.Event) {
	return newLogger(l, time.Now, opts).observe
}

func newLogger(l *slog.Logger, now func() time.Time, opts []LogOption) *logger {
	made := &logger{to: l, now: now, slow: defaultSlow, dear: defaultDear, lines: defaultLines}
	for _, o := range opts {
		o(made)
	}
	return made
}

// kind is the set of lines that LinesPerMinute limits together.
type kind struct{ reason, op, typeName, container string }

// logger is the observer that Logger returns.
type logger struct {
	to    *slog.Logger // nil for slog's default
	now   func() time.Time
	slow  time.Duration
	dear  float64
	lines int
	keys  bool

	mu     sync.Mutex
	minute time.Time    // start of the present minute
	seen   map[kind]int // lines in it, including those left out
}

// reason returns the reason to log a request, or "".
func (l *logger) reason(e *repository.Event) string {
	switch {
	case e.Err != nil && e.Status == http.StatusTooManyRequests:
		return "throttled"
	case l.slow > 0 && e.Duration > l.slow:
		return "slow"
	case l.dear > 0 && e.RequestUnits > l.dear:
		return "dear"
	}
	return ""
}

func (l *logger) observe(ctx context.Context, e repository.Event) {
	if e.WriteRegions != "" {
		l.logger().LogAttrs(ctx, slog.LevelWarn, "cosmos account has other write regions", slog.String("regions", e.WriteRegions), slog.String("type", e.Type), slog.String("container", e.Container))
		return
	}
	reason := l.reason(&e)
	left, write := l.take(kind{reason, e.Op, e.Type, e.Container}, reason != "")
	if left == nil && !write {
		return
	}
	to := l.logger()
	for _, k := range left {
		to.LogAttrs(ctx, slog.LevelWarn, "more cosmos requests were "+k.reason, slog.Int("requests", k.n), slog.String("op", k.op), slog.String("type", k.typeName), slog.String("container", k.container))
	}
	if write {
		to.LogAttrs(ctx, slog.LevelWarn, "cosmos request was "+reason, l.attributes(&e, reason)...)
	}
}

// logger returns the destination of lines.
func (l *logger) logger() *slog.Logger {
	if l.to == nil {
		return slog.Default()
	}
	return l.to
}

// left is the number of lines of a kind that were left out.
type left struct {
	kind
	n int
}

// take counts a line, if wanted, and reports whether to write it. In a new minute it returns
// the lines left out in the last one.
func (l *logger) take(k kind, wanted bool) (rest []left, write bool) {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.minute) >= time.Minute {
		for k, n := range l.seen {
			if n > l.lines {
				rest = append(rest, left{k, n - l.lines})
			}
		}
		slices.SortFunc(rest, func(a, b left) int {
			return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.container, b.container), cmp.Compare(a.typeName, b.typeName), cmp.Compare(a.op, b.op), cmp.Compare(a.reason, b.reason))
		})
		clear(l.seen)
		l.minute = now
	}
	if !wanted {
		return rest, false
	}
	if l.seen == nil {
		l.seen = map[kind]int{}
	}
	if _, known := l.seen[k]; !known && len(l.seen) >= mostKinds {
		k = kind{reason: k.reason}
	}
	l.seen[k]++
	return rest, l.seen[k] <= l.lines
}

// attributes returns the attributes of a line.
func (l *logger) attributes(e *repository.Event, reason string) []slog.Attr {
	all := []slog.Attr{
		slog.String("reason", reason), slog.String("op", e.Op), slog.String("type", e.Type), slog.String("container", e.Container),
		slog.Float64("requestUnits", e.RequestUnits), slog.Duration("duration", e.Duration),
	}
	if e.Range != "" {
		all = append(all, slog.String("range", e.Range))
	}
	if e.Attempts > 0 {
		all = append(all, slog.Int("attempts", e.Attempts), slog.Int("throttled", e.Throttled))
	}
	if e.Status > 0 {
		all = append(all, slog.Int("status", e.Status))
	}
	if e.Rows > 0 {
		all = append(all, slog.Int("rows", e.Rows))
	}
	if e.Err != nil {
		all = append(all, slog.String("error", e.Err.Error()))
	}
	if !l.keys {
		return all
	}
	for _, named := range []slog.Attr{slog.String("id", e.ID), slog.String("partitionKey", e.PartitionKey), slog.String("tenant", e.Tenant)} {
		if named.Value.String() != "" {
			all = append(all, named)
		}
	}
	return all
}
