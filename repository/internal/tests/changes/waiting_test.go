package changes

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestChangesThatWait checks how often an idle feed polls: less and less, up to
// the longest pause.
func TestChangesThatWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		const partitions, polls = 3, 6
		var requests atomic.Int32
		observer := repository.WithObserver(func(_ context.Context, e repository.Event) {
			if e.Op == "changes" && requests.Add(1) == partitions*polls {
				cancel()
			}
		})
		c := kit.NewThings(t, emulator.Options{Partitions: partitions}, repository.Configure(nil), false, observer)
		var meter repository.Meter
		ends := 0
		caughtUp := feed.OnCaughtUp(func(string) { ends++ })
		for _, err := range feed.Changes(repository.WithMeter(ctx, &meter), c.Documents, feed.FromBeginning(), feed.PollEvery(250*time.Millisecond), caughtUp) {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("a change in an empty container, or %v", err)
			}
		}
		if ends != 1 {
			t.Errorf("caught up %d times, though nothing has changed", ends)
		}
		last := map[string]emulator.Request{}
		count := map[string]int{}
		charge := 0.0
		for _, r := range c.Server.Requests() {
			if r.Operation != emulator.OpReadChangeFeed {
				continue
			}
			if r.Status != http.StatusNotModified {
				t.Errorf("a poll was answered with %d", r.Status)
			}
			charge += r.Charge
			if before, ok := last[r.Range]; ok {
				least := min(100*time.Millisecond<<(count[r.Range]-1), 250*time.Millisecond) * 3 / 4
				if pause := r.Start.Sub(before.Start); pause < least {
					t.Errorf("poll %d of physical partition %s came after %v, want %v at least", count[r.Range], r.Range, pause, least)
				}
			}
			last[r.Range] = r
			count[r.Range]++
		}
		if len(last) != partitions {
			t.Errorf("%d physical partitions were polled", len(last))
		}
		if meter.RequestUnits() > charge || meter.Requests() < partitions*polls {
			t.Errorf("the meter has %v request units for %d requests, and the journal %v", meter.RequestUnits(), meter.Requests(), charge)
		}
	})
}

func TestChangesStop(t *testing.T) {
	c := kit.NewThings(t, emulator.Options{Partitions: 5}, repository.Configure(nil), false)
	c.Fill(t, rand.New(rand.NewPCG(1, 1)), 50)
	const never = -1
	for name, test := range map[string]struct {
		stop, cancel int // at which change
		idle         bool
	}{
		"in the middle":             {stop: 3, cancel: never},
		"at the end":                {stop: 50, cancel: never},
		"when their context ends":   {stop: never, cancel: 3},
		"when it has ended already": {stop: never, cancel: 0},
		"when it ends while idle":   {stop: never, cancel: never, idle: true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if test.cancel == 0 {
				cancel()
			}
			caughtUp := feed.OnCaughtUp(func(string) {
				if test.idle {
					cancel()
				}
			})
			n := 0
			var last error
			for _, err := range feed.Changes(ctx, c.Documents, feed.FromBeginning(), feed.PageSize(2), caughtUp) {
				if last = err; err != nil {
					continue
				}
				if n++; n == test.cancel {
					cancel()
				}
				if n == test.stop {
					break
				}
			}
			if ctx.Err() != nil && !errors.Is(last, context.Canceled) || n == 0 && test.cancel != 0 {
				t.Errorf("after %d changes: %v", n, last)
			}
			harness.Settled(t)
		})
	}
}

// TestChangesThatFail has more requests fail than the client repeats, and fewer
// and more than the feed repeats.
func TestChangesThatFail(t *testing.T) {
	t.Parallel()
	o := azcosmos.ClientOptions{}
	o.Retry = policy.RetryOptions{MaxRetries: -1}
	for name, test := range map[string]struct {
		fault emulator.Fault
		want  error
	}{
		"throttled twice":   {emulator.Fault{Status: http.StatusTooManyRequests, RetryAfter: time.Millisecond, Count: 2}, nil},
		"throttled":         {emulator.Fault{Status: http.StatusTooManyRequests, RetryAfter: time.Millisecond, Count: 3}, repository.ErrThrottled},
		"gone and gone":     {emulator.Fault{Status: http.StatusGone, Substatus: 1002, Count: 5}, nil},
		"cannot be trusted": {emulator.Fault{Status: http.StatusForbidden}, errAny},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(&o), false)
			all := c.Fill(t, rand.New(rand.NewPCG(1, 1)), 30)
			fault := test.fault
			fault.Operation, fault.Skip = emulator.OpReadChangeFeed, 1
			c.Server.Inject(fault)
			var got []string
			cursor := ""
			var failure error
			for change, err := range feed.Changes(context.Background(), c.Documents, feed.FromBeginning(), feed.UntilCaughtUp(), feed.PageSize(10)) {
				if failure = err; err == nil {
					got, cursor = append(got, change.Doc.ID), change.Cursor()
				}
			}
			var own *repository.Error
			switch {
			case test.want == nil:
				if failure != nil {
					t.Errorf("got %v", failure)
				}
			case !errors.As(failure, &own) || own.Range != "0" || test.want != errAny && !errors.Is(failure, test.want):
				t.Errorf("got %v, want %v", failure, test.want)
			case len(got) != 10:
				t.Errorf("%d changes before the error", len(got))
			}
			rest, _ := c.Some(t, cursor, -1)
			if got = append(got, rest...); !slices.Equal(got, kit.ChangedThings(all)) {
				t.Errorf("with those after the error: %v", got)
			}
		})
	}
}

// errAny means any error that matches no sentinel.
var errAny = errors.New("any")

// seenHeaders are the values of a header in requests for changes.
type seenHeaders struct {
	name string
	seen map[string]bool
}

func (h seenHeaders) Do(r *policy.Request) (*http.Response, error) {
	if r.Raw().Header.Get("A-IM") != "" && r.Raw().Header.Get("x-ms-documentdb-partitionkeyrangeid") != "" {
		h.seen[r.Raw().Header.Get(h.name)] = true
	}
	return r.Next()
}

func TestChangesUnderAContext(t *testing.T) {
	priority := seenHeaders{"x-ms-cosmos-priority-level", map[string]bool{}}
	token := seenHeaders{"x-ms-session-token", map[string]bool{}}
	s := &kit.Spans{Parents: map[string][]string{}, Failures: map[string]string{}}
	var o azcosmos.ClientOptions
	o.PerRetryPolicies = []policy.Policy{priority, token}
	c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(&o), false, repository.WithTracing(s.Provider()))
	ctx := repository.WithSession(context.Background(), &repository.Session{})
	ctx = repository.WithPriority(ctx, azcosmos.PriorityLevelLow)
	if err := c.Create(ctx, &kit.Thing{ID: "t", Base: "x"}); err != nil {
		t.Fatal(err)
	}
	kit.ChangedIDs(t, feed.Changes(ctx, c.Documents, feed.FromBeginning(), feed.UntilCaughtUp()))
	if !priority.seen["Low"] || len(priority.seen) != 1 {
		t.Errorf("priorities %v", priority.seen)
	}
	if token.seen[""] || len(token.seen) == 0 {
		t.Errorf("session tokens %v", token.seen)
	}
	if len(s.Parents["changes thing"]) != 1 || s.Open != 0 || len(s.Failures) != 0 {
		t.Errorf("spans %v, %d open, failed %v", s.Parents, s.Open, s.Failures)
	}
	plain := kit.NewThings(t, emulator.Options{Partitions: 1}, nil, false)
	for _, err := range feed.Changes(ctx, plain.Documents, feed.FromBeginning()) {
		if err == nil {
			t.Error("a session without its policy")
		}
	}
}
