package repository_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// A testClock is the time of repositories, which tests set. It begins in June of 2024.
type testClock struct{ later atomic.Int64 }

func (c *testClock) now() time.Time {
	return time.Date(2024, time.June, 15, 0, 0, 0, 0, time.UTC).Add(time.Duration(c.later.Load()))
}

func TestChangesOverWindows(t *testing.T) {
	t.Parallel()
	for _, configured := range []bool{true, false} {
		r := kit.NewReadings(t, 2).Elsewhere(t, configured)
		got, cursor, err := r.Changed(t, "", -1)
		if got != nil || cursor == "" || err != nil {
			t.Fatalf("without windows: %v, %q, %v", got, cursor, err)
		}
		r.Make(t, kit.Window(1), kit.Window(2), kit.Window(3))
		var want []string
		for i := range 60 {
			x := kit.ReadingAt(fmt.Sprintf("r%02d", i), 1+i%3, 1+i%20)
			want = append(want, x.ID)
			r.Put(t, x)
		}
		if got, cursor, err = r.Changed(t, cursor, 25, feed.PageSize(7)); err != nil {
			t.Fatal(err)
		}
		other := r.Elsewhere(t, configured)
		other.Make(t, kit.Window(4))
		other.Put(t, kit.ReadingAt("r60", 4, 1))
		more, cursor, err := other.Changed(t, cursor, -1)
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, more...); !slices.Equal(inOrder(got), append(want, "r60")) {
			t.Errorf("got %v", got)
		}
		if got, _, err := r.Changed(t, cursor, -1); got != nil || err != nil {
			t.Errorf("at the end: %v, %v", got, err)
		}
		r.Put(t, kit.ReadingAt("r03", 1, 4))
		if got, _, err := r.Changed(t, cursor, -1); !slices.Equal(got, []string{"r03"}) || err != nil {
			t.Errorf("after a change: %v, %v", got, err)
		}
	}
}

func inOrder(texts []string) []string {
	texts = slices.Clone(texts)
	slices.Sort(texts)
	return texts
}

// TestChangesOpenWindows has a loop find windows that appear while it waits.
func TestChangesOpenWindows(t *testing.T) {
	t.Parallel()
	r := kit.NewReadings(t, 2)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	month := 0
	next := func() {
		month++
		r.Make(t, kit.Window(month))
		r.Put(t, kit.ReadingAt(fmt.Sprint("r", month), month, 3))
	}
	ends := 0
	caughtUp := feed.OnCaughtUp(func(string) { ends++ })
	next()
	for c, err := range feed.Changes(ctx, r.Documents, feed.FromBeginning(), feed.PollEvery(20*time.Millisecond), kit.ListEvery(10*time.Millisecond), caughtUp) {
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprint("r", month); c.Doc.ID != want {
			t.Fatalf("got %s, want %s", c.Doc.ID, want)
		}
		if month == 4 {
			break
		}
		next()
	}
	if ends > 2*month {
		t.Errorf("caught up %d times", ends)
	}
}

// TestChangesCloseWindows counts the polls of a window that was closed, and changes it.
func TestChangesCloseWindows(t *testing.T) {
	t.Parallel()
	clock := &testClock{}
	r := kit.NewReadings(t, 1, withNow(clock.now))
	r.Make(t, kit.Window(1), kit.Window(6))
	r.Put(t, kit.ReadingAt("past", 1, 1), kit.ReadingAt("now", 6, 1))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	steps, failed := make(chan string), make(chan error, 1)
	quick := []feed.Option{
		feed.PollEvery(10 * time.Millisecond), kit.ListEvery(10 * time.Millisecond), feed.CloseWindows(time.Hour),
	}
	last := ""
	go func() {
		for c, err := range feed.Changes(ctx, r.Documents, feed.FromBeginning(), quick...) {
			if err != nil {
				failed <- err
				break
			}
			last = c.Cursor()
			steps <- c.Doc.ID
		}
	}()
	next := func(wants ...string) {
		t.Helper()
		for range wants {
			select {
			case got := <-steps:
				if !slices.Contains(wants, got) {
					t.Fatalf("got %s, want %v", got, wants)
				}
			case err := <-failed:
				t.Fatal(err)
			}
		}
	}
	// On a busy machine a window may wait for its turn while the other one is polled often, so
	// both look several times.
	open := func(or string) {
		t.Helper()
		first := r.Polled(t)
		for range 50 {
			if r.Polled(t) != first {
				return
			}
		}
		t.Error(or)
	}
	closed := func() (polls int) {
		t.Helper()
		for range 50 {
			if polls = r.Polled(t); r.Polled(t) == polls {
				return polls
			}
		}
		t.Error("a quiet window is still polled")
		return polls
	}
	next("past", "now")
	open("a window is closed before it was quiet for as long as the bound")
	clock.later.Add(int64(59 * time.Minute))
	open("a window is closed too early")
	clock.later.Add(int64(2 * time.Minute))
	first := closed()
	r.Put(t, kit.ReadingAt("late", 1, 2))
	if n := r.Polled(t); n != first {
		t.Errorf("a closed window was polled %d times before its time", n-first)
	}
	clock.later.Add(int64(time.Hour))
	next("late")
	open("a window that was looked at and has a change is not open")
	clock.later.Add(int64(2 * time.Hour))
	closed()
	r.Put(t, kit.ReadingAt("later", 1, 3), kit.ReadingAt("new", 6, 2))
	next("new")
	cancel()
	<-failed
	if got, _, err := r.Changed(t, last, -1); !slices.Equal(got, []string{"later"}) || err != nil {
		t.Errorf("the next iteration: %v, %v", got, err)
	}
}

// TestChangesOpenSlowly lists windows while one that is past is still being opened.
func TestChangesOpenSlowly(t *testing.T) {
	t.Parallel()
	clock := &testClock{}
	r := kit.NewReadings(t, 1, withNow(clock.now))
	r.Make(t, kit.Window(1))
	r.Put(t, kit.ReadingAt("past", 1, 1))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	r = r.Elsewhere(t, true, withNow(func() time.Time { clock.later.Add(int64(time.Hour)); return clock.now() }))
	r.Server.Inject(emulator.Fault{Operation: emulator.OpReadRanges, Count: 3, Delay: 100 * time.Millisecond})
	for c, err := range feed.Changes(ctx, r.Documents, feed.FromBeginning(), kit.ListEvery(5*time.Millisecond), feed.CloseWindows(time.Minute)) {
		if err != nil || c.Doc.ID != "past" {
			t.Fatalf("%v, %v", c, err)
		}
		break
	}
}

// TestChangesOfDroppedWindows drops a window, or makes it again, between iterations
// and within one.
func TestChangesOfDroppedWindows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name         string
		month        int
		unread, skip bool
		safe         bool
	}{
		{"an old window that was read", 1, false, false, true},
		{"an old window with changes", 1, true, false, false},
		{"the window of now", 6, false, false, false},
		{"an old window with changes, left out", 1, true, true, true},
		{"the window of now, left out", 6, false, true, true},
	} {
		for _, again := range []bool{false, true} {
			for _, configured := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, again %t, configured %t", test.name, again, configured), func(t *testing.T) {
					t.Parallel()
					clock := &testClock{}
					r := kit.NewReadings(t, 1).Elsewhere(t, configured, withNow(clock.now))
					dropped := kit.Window(test.month)
					r.Make(t, dropped, kit.Window(3))
					r.Put(t, kit.ReadingAt("a", test.month, 1), kit.ReadingAt("b", test.month, 2), kit.ReadingAt("c", 3, 1))
					opts := []feed.Option{feed.PageSize(1)}
					if test.skip {
						opts = append(opts, feed.SkipDroppedWindows())
					}
					n := -1
					if test.unread {
						n = 2
					}
					_, cursor, err := r.Changed(t, "", n, opts...)
					if err != nil {
						t.Fatal(err)
					}
					r.Drop(t, dropped)
					want := []string{}
					if again {
						r.Make(t, dropped)
						r.Put(t, kit.ReadingAt("d", test.month, 1))
						want = append(want, "d")
					}
					got, after, err := r.Changed(t, cursor, -1, opts...)
					if !test.safe {
						if !errors.Is(err, repository.ErrCursor) || !strings.Contains(err.Error(), dropped) || !strings.Contains(err.Error(), "SkipDroppedWindows") {
							t.Errorf("got %v, %v", got, err)
						}
						return
					}
					got = slices.DeleteFunc(got, func(id string) bool { return test.unread && id == "c" })
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("got %v, %v, want %v", got, err, want)
					}
					if got, _, err := r.Changed(t, after, -1); got != nil || err != nil {
						t.Errorf("at the end: %v, %v", got, err)
					}
				})
			}
		}
	}
}

// TestChangesWhileWindowsAreDropped drops windows, and makes them again, while a loop waits.
func TestChangesWhileWindowsAreDropped(t *testing.T) {
	t.Parallel()
	for _, configured := range []bool{true, false} {
		clock := &testClock{}
		r := kit.NewReadings(t, 2).Elsewhere(t, configured, withNow(clock.now))
		r.Make(t, kit.Window(1), kit.Window(2), kit.Window(6))
		r.Put(t, kit.ReadingAt("a", 1, 1), kit.ReadingAt("b", 2, 1), kit.ReadingAt("c", 6, 1))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		ends := make(chan struct{}, 100)
		caughtUp := feed.OnCaughtUp(func(string) { ends <- struct{}{} })
		steps := make(chan string, 100)
		failed := make(chan error, 1)
		go func() {
			for c, err := range feed.Changes(ctx, r.Documents, feed.FromBeginning(), feed.PollEvery(10*time.Millisecond), kit.ListEvery(15*time.Millisecond), caughtUp) {
				if err != nil {
					failed <- err
					break
				}
				steps <- c.Doc.ID
			}
		}()
		next := func() string {
			t.Helper()
			select {
			case id := <-steps:
				return id
			case err := <-failed:
				t.Fatal(err)
			}
			return ""
		}
		if got := inOrder([]string{next(), next(), next()}); !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("got %v", got)
		}
		<-ends // each physical partition has said that there is nothing new
		r.Drop(t, kit.Window(1))
		r.Drop(t, kit.Window(2))
		r.Make(t, kit.Window(2))
		r.Put(t, kit.ReadingAt("d", 2, 1))
		if got := next(); got != "d" {
			t.Errorf("got %s from the window that was created again", got)
		}
		r.Make(t, kit.Window(1))
		r.Put(t, kit.ReadingAt("e", 1, 1))
		if got := next(); got != "e" {
			t.Errorf("got %s from the window that was dropped, and then made", got)
		}
		r.Drop(t, kit.Window(6))
		if err := <-failed; !strings.Contains(err.Error(), kit.Window(6)) {
			t.Errorf("the window of now was dropped: %v", err)
		}
	}
}

// TestChangesOverWindowsRefused checks which cursors are refused before any request, and
// what a list of containers that fails does.
func TestChangesOverWindowsRefused(t *testing.T) {
	t.Parallel()
	r := kit.NewReadings(t, 1)
	r.Make(t, kit.Window(1))
	r.Put(t, kit.ReadingAt("a", 1, 1))
	_, cursor, err := r.Changed(t, "", -1)
	if err != nil {
		t.Fatal(err)
	}
	one := kit.NewThings(t, emulator.Options{}, nil, false)
	if err := one.Upsert(t.Context(), &kit.Thing{ID: "x", Base: "y"}); err != nil {
		t.Fatal(err)
	}
	_, single := kit.ChangedIDs(t, feed.Changes(t.Context(), one.Documents, feed.FromBeginning(), feed.UntilCaughtUp()))
	if single == "" {
		t.Fatal("no cursor")
	}
	r.Server.ResetRequests()
	for name, cursor := range map[string]string{"of one container": single, "of nothing": "nonsense", "damaged": cursor[1:]} {
		if _, _, err := r.Changed(t, cursor, -1); !errors.Is(err, repository.ErrCursor) {
			t.Errorf("a cursor %s: %v", name, err)
		}
	}
	if n := len(r.Server.Requests()); n != 0 {
		t.Errorf("%d requests were sent for cursors that do not fit", n)
	}
	for _, err := range feed.Changes(t.Context(), one.Documents, feed.FromCursor(cursor)) {
		if !errors.Is(err, repository.ErrCursor) {
			t.Errorf("a cursor of several containers for one: %v", err)
		}
	}
	r.Server.Inject(emulator.Fault{Operation: emulator.OpQueryContainers, Status: http.StatusForbidden})
	if _, _, err := r.Changed(t, cursor, -1); err == nil || errors.Is(err, repository.ErrCursor) {
		t.Errorf("a list that is refused: %v", err)
	}
	if got, _, err := r.Changed(t, cursor, -1); got != nil || err != nil {
		t.Errorf("after that: %v, %v", got, err)
	}
}
