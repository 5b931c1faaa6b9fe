package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// fanOut reads 400 buckets, and expects each document once.
func fanOut(t *testing.T, f Face) {
	events := f.Events(t)
	ctx := context.Background()
	const n = 500
	store(t, events, eventsOf(0, n))
	other := *eventOf(n)
	other.At = day.AddDate(0, 0, 1)
	if err := events.Create(ctx, &other); err != nil {
		t.Fatal(err)
	}
	want := wanted(n, func(Event) bool { return true })
	if got := sorted(ids(t, events.Day(day).All(ctx))); !slices.Equal(got, want) {
		t.Errorf("the day has %d events, want %d", len(got), n)
	}
	if got, err := events.Day(day).Count(ctx); err != nil || got != n {
		t.Errorf("Count: %d, %v", got, err)
	}
	if got := sorted(ids(t, events.All().All(ctx))); !slices.Equal(got, append(want, other.ID)) {
		t.Errorf("the container has %d events, want %d", len(got), n+1)
	}
	if got := ids(t, events.Day(day).Limit(7).All(ctx)); len(got) != 7 {
		t.Errorf("%d events of 7", len(got))
	}
	if _, err := events.Day(day).Limit(7).Count(ctx); err == nil || !strings.Contains(err.Error(), "without Limit") {
		t.Errorf("Count under a limit: %v", err)
	}
	if first, err := events.Day(day).First(ctx); err != nil || !slices.Contains(want, first.ID) {
		t.Errorf("First: %+v, %v", first, err)
	}
	if _, err := events.Day(day.AddDate(0, 0, 5)).First(ctx); !errors.Is(err, failure.ErrNotFound) {
		t.Errorf("First of none: %v", err)
	}
	if got := ids(t, events.Day(day.AddDate(0, 0, 5)).All(ctx)); len(got) != 0 {
		t.Errorf("%d events of a day without any", len(got))
	}
	of := wanted(n, func(e Event) bool { return e.Device == "d3" })
	if got := sorted(ids(t, events.Partition(day, "d3").All(ctx))); !slices.Equal(got, of) {
		t.Errorf("the device has %v, want %v", got, of)
	}
	for range events.Day(day).All(ctx) {
		break
	}
	ended, cancel := context.WithCancel(ctx)
	var last error
	for _, err := range events.Day(day).All(ended) {
		cancel()
		last = err
	}
	cancel()
	if last != nil && !errors.Is(last, context.Canceled) {
		t.Errorf("a context that ended: %v", last)
	}
	var keyError *partition.KeyError
	for _, err := range events.Partition(day, "").All(ctx) {
		if !errors.As(err, &keyError) {
			t.Errorf("a component that is empty: %v", err)
		}
	}
}

// ranges reads ranges of time whose ends lie within periods.
func ranges(t *testing.T, f Face) {
	events := f.Events(t)
	ctx := context.Background()
	var all []*Event
	for i := range 96 { // four days, one event an hour
		e := eventOf(i)
		e.Device = fmt.Sprint("d", i%3)
		e.At = day.Add(time.Duration(i) * time.Hour)
		all = append(all, e)
	}
	store(t, events, slices.Values(all))
	for _, r := range [][2]time.Time{
		{day, day.AddDate(0, 0, 4)},
		{day.Add(5 * time.Hour), day.Add(6 * time.Hour)},
		{day.Add(5*time.Hour + f.Resolution), day.Add(30 * time.Hour)},
		{day.Add(5 * time.Hour), day.Add(30*time.Hour + f.Resolution)},
		{day.Add(23 * time.Hour), day.Add(72 * time.Hour)},
		{day.Add(24 * time.Hour), day.Add(24 * time.Hour)},
		{day.Add(5*time.Hour + 50*time.Nanosecond), day.Add(30*time.Hour + 50*time.Nanosecond)}, // finer than the stored resolution
		{day.In(time.FixedZone("", 3600)), day.Add(90 * time.Minute)},
	} {
		between := func(e *Event) bool { return !e.At.Before(r[0]) && e.At.Before(r[1]) }
		var want, ofOne []string
		for _, e := range all {
			if between(e) {
				want = append(want, e.ID)
				if e.Device == "d1" {
					ofOne = append(ofOne, e.ID)
				}
			}
		}
		if got := sorted(ids(t, events.Between(r[0], r[1]).All(ctx))); !slices.Equal(got, want) {
			t.Errorf("%v: got %v, want %v", r, got, want)
		}
		if got := sorted(ids(t, events.DeviceBetween("d1", r[0], r[1]).All(ctx))); !slices.Equal(got, ofOne) {
			t.Errorf("%v of a device: got %v, want %v", r, got, ofOne)
		}
	}
	var keyError *partition.KeyError
	if _, err := events.Between(day.Add(time.Hour), day).Count(ctx); !errors.As(err, &keyError) {
		t.Errorf("a range that ends before it begins: %v", err)
	}
	if _, err := events.Between(day, day.AddDate(1000, 0, 0)).Count(ctx); err == nil {
		t.Error("a range of a thousand years was read")
	}
}

// walk reads all pages, or ends the test.
func walk(t *testing.T, q Query, size int, between func(page int)) []string {
	t.Helper()
	var all []string
	cursor := ""
	for n := 1; ; n++ {
		docs, next, err := q.Page(context.Background(), cursor, size)
		if err != nil {
			t.Fatalf("page %d: %v", n, err)
		}
		if len(docs) > size || len(docs) == 0 && next != "" {
			t.Fatalf("page %d of %d has %d documents, and the cursor %q", n, size, len(docs), next)
		}
		for _, e := range docs {
			all = append(all, e.ID)
		}
		if next == "" {
			return all
		}
		if next == cursor || n > 10_000 {
			t.Fatalf("page %d has the cursor of the one before", n)
		}
		cursor = next
		if between != nil {
			between(n)
		}
	}
}

// pages compares pages with All.
func pages(t *testing.T, f Face) {
	events := f.Events(t)
	const n = 120
	store(t, events, eventsOf(0, n))
	want := wanted(n, func(Event) bool { return true })
	for _, size := range []int{1, 7, 60, n - 1, n, n + 1, 1000} {
		if testing.Short() && (size == 1 || size == n-1 || size > n) {
			continue
		}
		got := walk(t, events.Day(day), size, nil)
		if !slices.Equal(sorted(got), want) {
			t.Errorf("pages of %d: %d events of %d: %v", size, len(got), n, got)
		}
		if again := walk(t, events.Day(day), max(size/2, 1), nil); !slices.Equal(again, got) {
			t.Errorf("pages of %d have another order than those of %d", size/2, size)
		}
		if got := walk(t, events.Day(day).Limit(50), size, nil); len(got) != 50 {
			t.Errorf("pages of %d: %d events of 50", size, len(got))
		}
	}
	if got := walk(t, events.All(), 11, nil); !slices.Equal(sorted(got), want) {
		t.Errorf("pages of the container: %d events of %d", len(got), n)
	}
	if got := walk(t, events.Partition(day, "d1"), 2, nil); len(got) != 3 {
		t.Errorf("pages of a partition: %v", got)
	}
	if where, ok := events.Day(day).Where(&condition.Comparison{Property: "number", Op: condition.Ge, Values: []any{int64(60)}}); ok {
		if got := walk(t, where, 9, nil); len(got) != n-60 {
			t.Errorf("pages under a condition: %d events", len(got))
		}
	} else {
		t.Error("the API cannot compare numbers")
	}
	if got := walk(t, events.Day(day.AddDate(0, 0, 1)), 5, nil); len(got) != 0 {
		t.Errorf("pages of nothing: %v", got)
	}
	if _, _, err := events.Day(day).Page(context.Background(), "", 0); err == nil {
		t.Error("a page of 0 documents")
	}
}

// cursors passes cursors to other queries, and alters them.
func cursors(t *testing.T, f Face) {
	events := f.Events(t)
	ctx := context.Background()
	store(t, events, eventsOf(0, 60))
	_, cursor, err := events.Day(day).Page(ctx, "", 10)
	if err != nil || cursor == "" {
		t.Fatal(cursor, err)
	}
	number := func(n int64) Query {
		q, _ := events.Day(day).Where(&condition.Comparison{Property: "number", Op: condition.Ge, Values: []any{n}})
		return q
	}
	_, ofNumber, err := number(1).Page(ctx, "", 10)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, q Query, cursor string) {
		t.Helper()
		if _, _, err := q.Page(ctx, cursor, 10); !errors.Is(err, failure.ErrCursor) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	refused("of another day", events.Day(day.AddDate(0, 0, 1)), cursor)
	refused("of all", events.All(), cursor)
	refused("with a condition", number(1), cursor)
	refused("with another value", number(2), ofNumber)
	refused("with a limit", events.Day(day).Limit(30), cursor)
	refused("of a partition", events.Partition(day, "d1"), cursor)
	for i := range len(cursor) {
		if i%8 >= few(8) {
			continue
		}
		changed := []byte(cursor)
		changed[i] ^= 1
		refused(fmt.Sprint("changed at ", i), events.Day(day), string(changed))
		refused(fmt.Sprint("cut at ", i), events.Day(day), cursor[:max(i, 1)])
	}
	refused("a text", events.Day(day), "not a cursor")
	if docs, _, err := events.Day(day).Page(ctx, cursor, 10); err != nil || len(docs) != 10 {
		t.Errorf("the cursor itself: %d documents, %v", len(docs), err)
	}
}

// pagesUnderWrites reads pages during writes: documents that exist throughout must come once.
func pagesUnderWrites(t *testing.T, f Face) {
	events := f.Events(t)
	ctx := context.Background()
	const n = 100
	store(t, events, eventsOf(0, n))
	for seed := range few(3) {
		var gone []string
		got := walk(t, events.Day(day), 6, func(page int) {
			e := *eventOf(n + seed*1000 + page)
			if err := events.Create(ctx, &e); err != nil {
				t.Error(err)
			}
			e = *eventOf(seed*20 + page) // at most 17 pages before the new ones
			if page < 18 {
				if err := events.Delete(ctx, e); err != nil {
					t.Error(err)
				}
				gone = append(gone, e.ID)
			}
		})
		count := map[string]int{}
		for _, id := range got {
			if count[id]++; count[id] > 1 {
				t.Errorf("%s came %d times", id, count[id])
			}
		}
		for _, id := range wanted(n, func(Event) bool { return true }) {
			if count[id] == 0 && !slices.Contains(gone, id) {
				t.Errorf("%s did not come", id)
			}
		}
		for _, id := range gone {
			var i int
			if _, err := fmt.Sscanf(id, "e%d", &i); err != nil {
				t.Fatal(err)
			}
			if err := events.Create(ctx, eventOf(i)); err != nil {
				t.Error(err)
			}
		}
	}
}
