package conformance

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// Run runs all tests on a face. With -short, tests that repeat the same with many values use an
// eighth of them.
func Run(t *testing.T, f Face) {
	for _, question := range []struct {
		name string
		ask  func(*testing.T, Face)
	}{
		{"fields", fields}, {"writes", writes}, {"versions", versions}, {"fan-out", fanOut}, {"ranges", ranges},
		{"pages", pages}, {"cursors", cursors}, {"pages while others write", pagesUnderWrites}, {"conditions", conditions},
		{"bulk", bulk}, {"hostile texts", hostile}, {"collisions", collisions}, {"keys", keys},
	} {
		t.Run(question.name, func(t *testing.T) { question.ask(t, f) })
	}
}

// few is n, or n/8 with -short.
func few(n int) int {
	if testing.Short() {
		return max(n/8, 1)
	}
	return n
}

// day is the day of most events.
var day = time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)

// eventOf returns event number i, for one of 40 devices.
func eventOf(i int) *Event {
	return &Event{ID: fmt.Sprintf("e%05d", i), Device: fmt.Sprint("d", i%40), At: day.Add(time.Duration(i) * time.Second), Text: fmt.Sprint("text ", i%7), Number: int64(i)}
}

func eventsOf(from, to int) iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		for i := from; i < to; i++ {
			if !yield(eventOf(i)) {
				return
			}
		}
	}
}

// store stores events, or ends the test.
func store(t *testing.T, events Events, all iter.Seq[*Event]) {
	t.Helper()
	if result, err := events.CreateAll(context.Background(), all); err != nil || result.Failed != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
}

// same reports whether two events are equal, except for fields that the run time sets.
func same(a, b Event) bool {
	optional := a.Optional == nil && b.Optional == nil || a.Optional != nil && b.Optional != nil && *a.Optional == *b.Optional
	return a.ID == b.ID && a.Device == b.Device && a.At.Equal(b.At) && a.Text == b.Text && a.Number == b.Number &&
		(a.Ratio == b.Ratio && math.Signbit(a.Ratio) == math.Signbit(b.Ratio)) && a.Flag == b.Flag && optional
}

// ids collects the ids of a query in order, or ends the test.
func ids(t *testing.T, all iter.Seq2[*Event, error]) []string {
	t.Helper()
	found := []string{}
	for e, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, e.ID)
	}
	return found
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// wanted returns the sorted ids of the events from 0 to n-1 that meet a condition.
func wanted(n int, meets func(Event) bool) []string {
	list := []string{}
	for i := range n {
		if e := eventOf(i); meets(*e) {
			list = append(list, e.ID)
		}
	}
	return list
}

func text(s string) *string { return &s }

// fields writes and reads back values of each kind, including their bounds.
func fields(t *testing.T, f Face) {
	events := f.Events(t)
	ctx := context.Background()
	last := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	for i, e := range []Event{
		{},
		{Text: "a text", Number: 1, Ratio: 0.5, Flag: true, Optional: text("here")},
		{Optional: text("")},
		{Number: f.MaxInteger, Ratio: math.MaxFloat64},
		{Number: -f.MaxInteger, Ratio: -math.SmallestNonzeroFloat64},
		{Number: math.MaxInt32 + 1, Ratio: 1e21},
		{Ratio: 5}, // a float that looks like an integer
		{At: day.Add(f.Resolution)},
		{At: day.Add(24*time.Hour - f.Resolution)},
		{At: day.In(time.FixedZone("", -7*3600))},
		{At: last},
		{At: time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC)},
		{Text: strings.Repeat("long ", 4000)},
		{Text: "é \U0001F697 \u202e e\u0301 \ufeff \u2028"},
	} {
		e.ID, e.Device = fmt.Sprint("f", i), "d"
		if e.At.IsZero() {
			e.At = day
		}
		wrote := e
		if err := events.Create(ctx, &wrote); err != nil {
			t.Errorf("%d: %v", i, err)
			continue
		}
		if !same(wrote, e) || wrote.Stored != events.Key(e) || f.Versions != (wrote.Version != "") {
			t.Errorf("%d: Create made %+v of %+v", i, wrote, e)
		}
		read, err := events.Get(ctx, e)
		if err != nil || !same(*read, e) || read.Stored != wrote.Stored || read.Version != wrote.Version {
			t.Errorf("%d: Get returned %+v, %v for %+v", i, read, err, wrote)
		}
		for found, err := range events.Partition(e.At, e.Device).All(ctx) {
			if err != nil || found.ID == e.ID && (!same(*found, e) || found.Version != wrote.Version || found.Stored != wrote.Stored) {
				t.Errorf("%d: a query returned %+v, %v for %+v", i, found, err, wrote)
			}
		}
	}
}

// writes tests the effect of each write on existing and missing documents.
func writes(t *testing.T, f Face) {
	events := f.Events(t)
	ctx := context.Background()
	is := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) || (want == nil) != (err == nil) {
			t.Errorf("%s: got %v, want %v", what, err, want)
		}
	}
	e := *eventOf(1)
	get := func(what, text string) {
		t.Helper()
		if read, err := events.Get(ctx, e); err != nil || read.Text != text {
			t.Errorf("after %s: got %+v, %v", what, read, err)
		}
	}
	exists := func(when string, e Event, want bool) {
		t.Helper()
		if found, err := events.Exists(ctx, e); err != nil || found != want {
			t.Errorf("%s: Exists says %v, %v", when, found, err)
		}
	}
	_, err := events.Get(ctx, e)
	is("get of none", err, failure.ErrNotFound)
	exists("before a document is created", e, false)
	is("replace of none", events.Replace(ctx, eventOf(1)), failure.ErrNotFound)
	is("delete of none", events.Delete(ctx, e), failure.ErrNotFound)
	is("create", events.Create(ctx, eventOf(1)), nil)
	is("create again", events.Create(ctx, eventOf(1)), failure.ErrAlreadyExists)
	exists("after its creation", e, true)
	changed := *eventOf(1)
	changed.Text = "upserted"
	is("upsert", events.Upsert(ctx, &changed), nil)
	get("upsert", "upserted")
	changed.Text, changed.Optional, changed.Version = "replaced", text("x"), ""
	is("replace", events.Replace(ctx, &changed), nil)
	get("replace", "replaced")
	changed.Text, changed.Optional = "without", nil
	is("replace", events.Replace(ctx, &changed), nil)
	if read, err := events.Get(ctx, e); err != nil || read.Optional != nil || !same(*read, changed) {
		t.Errorf("a value that was removed: got %+v, %v", read, err)
	}
	moved := changed
	moved.Device = "d-other"
	if events.Key(moved) != events.Key(changed) {
		is("replace under another key", events.Replace(ctx, &moved), failure.ErrKeyChanged)
		is("upsert under another key", events.Upsert(ctx, &moved), failure.ErrKeyChanged)
	}
	is("delete", events.Delete(ctx, e), nil)
	exists("after its deletion", e, false)
	is("delete again", events.Delete(ctx, e), failure.ErrNotFound)
	fresh := *eventOf(2)
	is("upsert of none", events.Upsert(ctx, &fresh), nil)
	e = fresh
	get("upsert of none", fresh.Text)

	var keyError *partition.KeyError
	for _, wrong := range []Event{{At: day, Device: "d"}, {ID: strings.Repeat("x", 2000), At: day, Device: "d"}} {
		if err := events.Create(ctx, &wrong); !errors.As(err, &keyError) {
			t.Errorf("the id %.10q: got %v", wrong.ID, err)
		}
		if _, err := events.Get(ctx, wrong); !errors.As(err, &keyError) {
			t.Errorf("the id %.10q: got %v", wrong.ID, err)
		}
		if _, err := events.Exists(ctx, wrong); !errors.As(err, &keyError) {
			t.Errorf("the id %.10q: got %v", wrong.ID, err)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := events.Create(ended, eventOf(3)); !errors.Is(err, context.Canceled) || errors.Is(err, failure.ErrUnclear) {
		t.Errorf("under a context that has ended: %v", err)
	}
}

// versions tests that a stale write is refused.
func versions(t *testing.T, f Face) {
	if !f.Versions {
		if e := eventOf(1); e.Version != "" {
			t.Error("an event has a version")
		}
		return
	}
	events := f.Events(t)
	ctx := context.Background()
	first := *eventOf(1)
	if err := events.Create(ctx, &first); err != nil {
		t.Fatal(err)
	}
	mine, err := events.Get(ctx, first)
	if err != nil {
		t.Fatal(err)
	}
	others := *mine
	others.Text = "of another"
	if err := events.Replace(ctx, &others); err != nil || others.Version == mine.Version {
		t.Fatalf("got %v and the version %q after %q", err, others.Version, mine.Version)
	}
	stale := *mine
	stale.Text = "mine"
	if err := events.Replace(ctx, &stale); !errors.Is(err, failure.ErrPreconditionFailed) || errors.Is(err, failure.ErrUnclear) {
		t.Errorf("a stale replace: %v", err)
	}
	if err := events.DeleteIfMatch(ctx, mine); !errors.Is(err, failure.ErrPreconditionFailed) {
		t.Errorf("a stale delete: %v", err)
	}
	if read, err := events.Get(ctx, first); err != nil || read.Text != "of another" || read.Version != others.Version {
		t.Errorf("got %+v, %v", read, err)
	}
	upserted := *mine // Upsert ignores the version
	if err := events.Upsert(ctx, &upserted); err != nil {
		t.Errorf("upsert: %v", err)
	}
	if err := events.DeleteIfMatch(ctx, &upserted); err != nil {
		t.Errorf("delete: %v", err)
	}
	if err := events.Replace(ctx, &upserted); !errors.Is(err, failure.ErrNotFound) && !errors.Is(err, failure.ErrPreconditionFailed) {
		t.Errorf("replace of a document that is gone: %v", err)
	}
}
