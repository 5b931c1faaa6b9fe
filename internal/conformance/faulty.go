package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/conformance/faults"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// RunFaults tests broken connections: before a request reaches the server, and after the server has
// answered it. Faulty returns the events of f through a proxy. Readable is set if requests contain
// the texts of documents unencoded; otherwise any request is dropped, so only requests of documents
// may be sent. With -short, a connection breaks once at each moment, and not for ever.
func RunFaults(t *testing.T, f Face, readable bool, faulty func(t *testing.T) (Events, *faults.Proxy)) {
	events, proxy := faulty(t)
	ctx := context.Background()
	next := 0
	for _, moment := range []faults.Moment{faults.Before, faults.After} {
		for _, times := range []int{1, 2, 10} {
			if testing.Short() && times > 1 {
				continue
			}
			name := fmt.Sprintf("%s %d times", map[faults.Moment]string{faults.Before: "before", faults.After: "after"}[moment], times)
			for _, promise := range promises {
				if promise.versions && !f.Versions {
					continue
				}
				t.Run(promise.name+" "+name, func(t *testing.T) {
					next++
					e := *eventOf(next)
					e.ID = fmt.Sprintf("faulty-%d", next)
					if promise.there {
						stored := e
						if promise.other {
							stored.Text = "of another"
						}
						if err := events.Create(ctx, &stored); err != nil {
							t.Fatal(err)
						}
						e.Stored, e.Version = stored.Stored, stored.Version
						if !promise.versions {
							e.Version = ""
						}
					} else if _, err := events.Get(ctx, e); !errors.Is(err, failure.ErrNotFound) { // opens a connection
						t.Fatal(err)
					}
					before := proxy.Dropped()
					var matches func([]byte) bool
					if readable {
						id := []byte(e.ID) // the operation writes to e meanwhile
						matches = func(request []byte) bool { return bytes.Contains(request, id) }
					}
					proxy.Drop(moment, times, matches)
					err := promise.do(ctx, events, &e)
					proxy.Drop(0, 0, nil)
					if proxy.Dropped() == before {
						t.Fatal("no connection was dropped")
					}
					read, readErr := events.Get(ctx, e)
					if readErr != nil && !errors.Is(readErr, failure.ErrNotFound) {
						t.Fatal(readErr)
					}
					promise.judge(t, moment, times, err, promise.took(read))
				})
			}
		}
	}
	t.Run("queries", func(t *testing.T) { faultyQueries(t, events, proxy) })
}

// judge compares the result and effect of an operation with its promise, when connections break at
// a moment a number of times.
func (p promise) judge(t *testing.T, moment faults.Moment, times int, err error, took bool) {
	t.Helper()
	switch {
	case p.reads && times < 3 && err != nil, p.reads && times == 10 && err == nil:
		t.Errorf("got %v", err)
	case p.reads:
	case times == 10 && !errors.Is(err, failure.ErrUnclear):
		t.Errorf("no attempt was answered: %v", err)
	case times == 10 && moment == faults.After && !p.other && !took, times == 10 && moment == faults.Before && took:
		t.Errorf("the effect is %v", took)
	case times == 10:
	case p.other:
		if !errors.Is(err, failure.ErrAlreadyExists) || !errors.Is(err, failure.ErrUnclear) || took {
			t.Errorf("another document is there: %v", err)
		}
	case p.versions && moment == faults.After && !p.deletes:
		if !errors.Is(err, failure.ErrPreconditionFailed) || !errors.Is(err, failure.ErrUnclear) || !took {
			t.Errorf("the second attempt finds another version: %v", err)
		}
	case p.versions && p.deletes && moment == faults.After && errors.Is(err, failure.ErrPreconditionFailed):
		if !errors.Is(err, failure.ErrUnclear) || !took {
			t.Errorf("a server that cannot tell none from another version: %v", err)
		}
	case err != nil || !took:
		t.Errorf("got %v, and the effect is %v", err, took)
	}
}

// promise is the contract of an operation in docs/errors.md.
type promise struct {
	name     string
	there    bool // a document exists before
	other    bool // the existing document is another one
	versions bool // the document has its stored version
	deletes  bool
	reads    bool
	do       func(context.Context, Events, *Event) error
	took     func(read *Event) bool // whether the operation took effect
}

var promises = []promise{
	{name: "get", there: true, reads: true, took: isThere, do: func(ctx context.Context, v Events, e *Event) error {
		_, err := v.Get(ctx, *e)
		return err
	}},
	{name: "create", took: isThere, do: func(ctx context.Context, v Events, e *Event) error { return v.Create(ctx, e) }},
	{name: "create of another", there: true, other: true, took: isOwn, do: func(ctx context.Context, v Events, e *Event) error { return v.Create(ctx, e) }},
	{name: "upsert", took: isThere, do: func(ctx context.Context, v Events, e *Event) error { return v.Upsert(ctx, e) }},
	{name: "replace", there: true, took: isOwn, do: func(ctx context.Context, v Events, e *Event) error {
		e.Text = "own"
		return v.Replace(ctx, e)
	}},
	{name: "replace of a version", there: true, versions: true, took: isOwn, do: func(ctx context.Context, v Events, e *Event) error {
		e.Text = "own"
		return v.Replace(ctx, e)
	}},
	{name: "delete", there: true, deletes: true, took: isGone, do: func(ctx context.Context, v Events, e *Event) error { return v.Delete(ctx, *e) }},
	{name: "delete of a version", there: true, versions: true, deletes: true, took: isGone, do: func(ctx context.Context, v Events, e *Event) error {
		return v.DeleteIfMatch(ctx, e)
	}},
}

func isThere(read *Event) bool { return read != nil }

func isGone(read *Event) bool { return read == nil }

func isOwn(read *Event) bool { return read != nil && read.Text == "own" }

// faultyQueries reads and writes many documents while connections break.
func faultyQueries(t *testing.T, events Events, proxy *faults.Proxy) {
	ctx := context.Background()
	all := slices.Collect(eventsOf(0, 100))
	for _, e := range all {
		e.At = e.At.AddDate(0, 0, 7)
	}
	for _, moment := range []faults.Moment{faults.Before, faults.After} {
		proxy.Drop(moment, 2, nil)
		result, err := events.UpsertAll(ctx, slices.Values(all))
		if err != nil || result != (Result{100, 0}) {
			t.Errorf("upsert: %+v, %v", result, err)
		}
		proxy.Drop(moment, 2, nil)
		got := sorted(ids(t, events.Day(all[0].At).All(ctx)))
		if want := wanted(100, func(Event) bool { return true }); !slices.Equal(got, want) {
			t.Errorf("All: %d events: %v", len(got), got)
		}
		proxy.Drop(moment, 2, nil)
		if got := walk(t, events.Day(all[0].At), 30, nil); len(got) != 100 {
			t.Errorf("pages: %d events", len(got))
		}
		proxy.Drop(moment, 1, nil)
		if got, err := events.Day(all[0].At).Count(ctx); err != nil || got != 100 {
			t.Errorf("Count: %d, %v", got, err)
		}
	}
	proxy.Drop(0, 0, nil)
}
