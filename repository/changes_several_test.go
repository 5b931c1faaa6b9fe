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

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// A testClock is the time of repositories, which tests set. It begins in June of 2024.
type testClock struct{ later atomic.Int64 }

func (c *testClock) now() time.Time {
	return time.Date(2024, time.June, 15, 0, 0, 0, 0, time.UTC).Add(time.Duration(c.later.Load()))
}

// put stores readings.
func (r readings) put(t testing.TB, all ...*fixtures.Reading) {
	t.Helper()
	for _, x := range all {
		if err := r.Upsert(context.Background(), x); err != nil {
			t.Fatal(err)
		}
	}
}

// changed are the ids of n changes after a cursor, or of all, sorted, and the cursor after
// them.
func (r readings) changed(t testing.TB, cursor string, n int, opts ...repository.ChangesOption) (ids []string, after string, err error) {
	t.Helper()
	after = cursor
	caughtUp := repository.OnCaughtUp(func(c string) { after = c })
	for change, err := range r.Changes(t.Context(), repository.FromCursor(cursor), append(opts, repository.UntilCaughtUp(), caughtUp)...) {
		if err != nil {
			slices.Sort(ids)
			return ids, after, err
		}
		ids, after = append(ids, change.Doc.ID), change.Cursor()
		if n--; n == 0 {
			break
		}
	}
	slices.Sort(ids)
	return ids, after, nil
}

// elsewhere is the repository of another process.
func (r readings) elsewhere(t testing.TB, configured bool, opts ...repository.Option) readings {
	t.Helper()
	var o *azcosmos.ClientOptions
	if configured {
		o = repository.Configure(nil)
	}
	r.db = r.server.Database(o)
	r.Documents = repository.NewIn(r.db, fixtures.ReadingModel, opts...)
	return r
}

func TestChangesOverWindows(t *testing.T) {
	t.Parallel()
	for _, configured := range []bool{true, false} {
		r := newReadings(t, 2).elsewhere(t, configured)
		got, cursor, err := r.changed(t, "", -1)
		if got != nil || cursor == "" || err != nil {
			t.Fatalf("without windows: %v, %q, %v", got, cursor, err)
		}
		r.make(t, window(1), window(2), window(3))
		var want []string
		for i := range 60 {
			x := readingAt(fmt.Sprintf("r%02d", i), 1+i%3, 1+i%20)
			want = append(want, x.ID)
			r.put(t, x)
		}
		if got, cursor, err = r.changed(t, cursor, 25, repository.ChangesPageSize(7)); err != nil {
			t.Fatal(err)
		}
		other := r.elsewhere(t, configured)
		other.make(t, window(4))
		other.put(t, readingAt("r60", 4, 1))
		more, cursor, err := other.changed(t, cursor, -1)
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, more...); !slices.Equal(inOrder(got), append(want, "r60")) {
			t.Errorf("got %v", got)
		}
		if got, _, err := r.changed(t, cursor, -1); got != nil || err != nil {
			t.Errorf("at the end: %v, %v", got, err)
		}
		r.put(t, readingAt("r03", 1, 4))
		if got, _, err := r.changed(t, cursor, -1); !slices.Equal(got, []string{"r03"}) || err != nil {
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
	r := newReadings(t, 2)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	month := 0
	next := func() {
		month++
		r.make(t, window(month))
		r.put(t, readingAt(fmt.Sprint("r", month), month, 3))
	}
	ends := 0
	caughtUp := repository.OnCaughtUp(func(string) { ends++ })
	next()
	for c, err := range r.Changes(ctx, repository.FromBeginning(), repository.PollEvery(20*time.Millisecond), repository.ListEvery(10*time.Millisecond), caughtUp) {
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

// polls is how often a window was asked for changes.
func (r readings) polls(month int) (n int) {
	for _, q := range r.server.Requests() {
		if q.Operation == emulator.OpReadChangeFeed && strings.Contains(q.Path, "/colls/"+window(month)+"/") {
			n++
		}
	}
	return n
}

// polled waits until the window of June was polled more often, and returns the polls of
// that of January.
func (r readings) polled() int {
	for before := r.polls(6); r.polls(6) < before+8; {
		time.Sleep(5 * time.Millisecond)
	}
	return r.polls(1)
}

// TestChangesCloseWindows counts the polls of a window that was closed, and changes it.
func TestChangesCloseWindows(t *testing.T) {
	t.Parallel()
	clock := &testClock{}
	r := newReadings(t, 1, repository.WithNow(clock.now))
	r.make(t, window(1), window(6))
	r.put(t, readingAt("past", 1, 1), readingAt("now", 6, 1))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	steps, failed := make(chan string), make(chan error, 1)
	quick := []repository.ChangesOption{
		repository.PollEvery(10 * time.Millisecond), repository.ListEvery(10 * time.Millisecond), repository.CloseWindows(time.Hour),
	}
	last := ""
	go func() {
		for c, err := range r.Changes(ctx, repository.FromBeginning(), quick...) {
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
	polled := r.polled
	next("past", "now")
	if first := polled(); polled() == first {
		t.Error("a window is closed before it was quiet for as long as the bound")
	}
	clock.later.Add(int64(59 * time.Minute))
	if first := polled(); polled() == first {
		t.Error("a window is closed too early")
	}
	clock.later.Add(int64(2 * time.Minute))
	polled()
	first := polled()
	if n := polled(); n != first {
		t.Errorf("a closed window was polled %d times", n-first)
	}
	r.put(t, readingAt("late", 1, 2))
	if n := polled(); n != first {
		t.Errorf("a closed window was polled %d times before its time", n-first)
	}
	clock.later.Add(int64(time.Hour))
	next("late")
	if first := polled(); polled() == first {
		t.Error("a window that was looked at and has a change is not open")
	}
	clock.later.Add(int64(2 * time.Hour))
	polled()
	r.put(t, readingAt("later", 1, 3), readingAt("new", 6, 2))
	next("new")
	cancel()
	<-failed
	if got, _, err := r.changed(t, last, -1); !slices.Equal(got, []string{"later"}) || err != nil {
		t.Errorf("the next iteration: %v, %v", got, err)
	}
}

// TestChangesOpenSlowly lists windows while one that is past is still being opened.
func TestChangesOpenSlowly(t *testing.T) {
	t.Parallel()
	clock := &testClock{}
	r := newReadings(t, 1, repository.WithNow(clock.now))
	r.make(t, window(1))
	r.put(t, readingAt("past", 1, 1))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	r = r.elsewhere(t, true, repository.WithNow(func() time.Time { clock.later.Add(int64(time.Hour)); return clock.now() }))
	r.server.Inject(emulator.Fault{Operation: emulator.OpReadRanges, Count: 3, Delay: 100 * time.Millisecond})
	for c, err := range r.Changes(ctx, repository.FromBeginning(), repository.ListEvery(5*time.Millisecond), repository.CloseWindows(time.Minute)) {
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
					r := newReadings(t, 1).elsewhere(t, configured, repository.WithNow(clock.now))
					dropped := window(test.month)
					r.make(t, dropped, window(3))
					r.put(t, readingAt("a", test.month, 1), readingAt("b", test.month, 2), readingAt("c", 3, 1))
					opts := []repository.ChangesOption{repository.ChangesPageSize(1)}
					if test.skip {
						opts = append(opts, repository.SkipDroppedWindows())
					}
					n := -1
					if test.unread {
						n = 2
					}
					_, cursor, err := r.changed(t, "", n, opts...)
					if err != nil {
						t.Fatal(err)
					}
					r.drop(t, dropped)
					want := []string{}
					if again {
						r.make(t, dropped)
						r.put(t, readingAt("d", test.month, 1))
						want = append(want, "d")
					}
					got, after, err := r.changed(t, cursor, -1, opts...)
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
					if got, _, err := r.changed(t, after, -1); got != nil || err != nil {
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
		r := newReadings(t, 2).elsewhere(t, configured, repository.WithNow(clock.now))
		r.make(t, window(1), window(2), window(6))
		r.put(t, readingAt("a", 1, 1), readingAt("b", 2, 1), readingAt("c", 6, 1))
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		ends := make(chan struct{}, 100)
		caughtUp := repository.OnCaughtUp(func(string) { ends <- struct{}{} })
		steps := make(chan string, 100)
		failed := make(chan error, 1)
		go func() {
			for c, err := range r.Changes(ctx, repository.FromBeginning(), repository.PollEvery(10*time.Millisecond), repository.ListEvery(15*time.Millisecond), caughtUp) {
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
		r.drop(t, window(1))
		r.drop(t, window(2))
		r.make(t, window(2))
		r.put(t, readingAt("d", 2, 1))
		if got := next(); got != "d" {
			t.Errorf("got %s from the window that was made again", got)
		}
		r.make(t, window(1))
		r.put(t, readingAt("e", 1, 1))
		if got := next(); got != "e" {
			t.Errorf("got %s from the window that was dropped, and then made", got)
		}
		r.drop(t, window(6))
		if err := <-failed; !strings.Contains(err.Error(), window(6)) {
			t.Errorf("the window of now was dropped: %v", err)
		}
	}
}

// TestChangesOverWindowsRefused checks which cursors are refused before any request, and
// what a list of containers that fails does.
func TestChangesOverWindowsRefused(t *testing.T) {
	t.Parallel()
	r := newReadings(t, 1)
	r.make(t, window(1))
	r.put(t, readingAt("a", 1, 1))
	_, cursor, err := r.changed(t, "", -1)
	if err != nil {
		t.Fatal(err)
	}
	one := newThings(t, emulator.Options{}, nil, false)
	if err := one.Upsert(t.Context(), &thing{ID: "x", Base: "y"}); err != nil {
		t.Fatal(err)
	}
	_, single := changedIDs(t, one.Changes(t.Context(), repository.FromBeginning(), repository.UntilCaughtUp()))
	if single == "" {
		t.Fatal("no cursor")
	}
	r.server.ResetRequests()
	for name, cursor := range map[string]string{"of one container": single, "of nothing": "nonsense", "damaged": cursor[1:]} {
		if _, _, err := r.changed(t, cursor, -1); !errors.Is(err, repository.ErrCursor) {
			t.Errorf("a cursor %s: %v", name, err)
		}
	}
	if n := len(r.server.Requests()); n != 0 {
		t.Errorf("%d requests were sent for cursors that do not fit", n)
	}
	for _, err := range one.Changes(t.Context(), repository.FromCursor(cursor)) {
		if !errors.Is(err, repository.ErrCursor) {
			t.Errorf("a cursor of several containers for one: %v", err)
		}
	}
	r.server.Inject(emulator.Fault{Operation: emulator.OpQueryContainers, Status: http.StatusForbidden})
	if _, _, err := r.changed(t, cursor, -1); err == nil || errors.Is(err, repository.ErrCursor) {
		t.Errorf("a list that is refused: %v", err)
	}
	if got, _, err := r.changed(t, cursor, -1); got != nil || err != nil {
		t.Errorf("after that: %v, %v", got, err)
	}
}
