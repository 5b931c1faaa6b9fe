package documents

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

func scan(c *Collection[note, noteKey]) Query[note] { return NewQuery(c, generated.Keys{}) }

// stored returns a collection of n notes.
func stored(t testing.TB, n int) *Collection[note, noteKey] {
	t.Helper()
	c := collectionOf(plainNotes(), newMemory())
	if _, err := c.CreateAll(Sequence(notesOf(n))).Collect(context.Background()); err != nil {
		t.Fatal(err)
	}
	return c
}

func idsOf(docs []*note) (ids []string) {
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	return ids
}

// TestPagesAreAll walks by a driver whose pages are often empty.
func TestPagesAreAll(t *testing.T) {
	c := stored(t, 50)
	ctx := context.Background()
	all, err := scan(c).Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 7, 50, 51} {
		for _, limit := range []int{0, 1, 20, 50, 70} {
			q, want := scan(c), 50
			if limit > 0 {
				q, want = q.Limit(limit), min(limit, 50)
			}
			var got []*note
			for next, more := "", true; more; more = next != "" {
				var docs []*note
				if docs, next, err = q.next(ctx, next, size); err != nil || len(docs) > size || len(docs) == 0 {
					t.Fatalf("%d documents, %v", len(docs), err)
				}
				got = append(got, docs...)
			}
			if !slices.Equal(idsOf(got), idsOf(all[:want])) {
				t.Errorf("pages of %d, limit %d: %d documents", size, limit, len(got))
			}
		}
	}
	if docs, next, err := NewQuery(c, generated.Partition("none")).next(ctx, "", 5); len(docs) != 0 || next != "" || err != nil {
		t.Errorf("pages of nothing: %d, %q, %v", len(docs), next, err)
	}
	for _, size := range []int{0, -1} {
		if _, _, err := scan(c).next(ctx, "", size); err == nil {
			t.Errorf("a page of %d documents", size)
		}
	}
}

// TestQueriesDiffer has a cursor of each of many queries, which no other one takes.
func TestQueriesDiffer(t *testing.T) {
	c := stored(t, 9)
	other := stored(t, 9)
	other.spec.Name = "others"
	typed := stored(t, 9)
	typed.spec.Model.Type = "other"
	at := time.Now() // with what the process knows of its clock
	queries := map[string]Query[note]{
		"all": scan(c), "another container": scan(other), "another type": scan(typed), "limit": scan(c).Limit(5), "another limit": scan(c).Limit(6),
		"a key": NewQuery(c, generated.Partition("t1")), "keys": NewQuery(c, generated.AnyOf([]string{"t1", "t2"})), "a key of two": NewQuery(c, generated.AnyOf([]string{`t1" "t2`, "t3"})),
		"order": scan(c).OrderBy(Order[note]{order: condition.Order{Property: "a"}}), "down": scan(c).OrderBy(Order[note]{order: condition.Order{Property: "a", Descending: true}}),
		"two orders": scan(c).OrderBy(Order[note]{order: condition.Order{Property: "a"}}, Order[note]{order: condition.Order{Property: "b"}}), "omitted": scan(c).OrderBy(Order[note]{order: condition.Order{Property: "a", Omitted: true}}),
		"filter": NewQuery(c, generated.Keys{}.Where("/c", "1")), "fold": NewQuery(c, generated.Keys{}.WhereFold("/a", "1")), "nested": NewQuery(c, generated.Keys{}.Where("/a/b", "1")),
		"not all": scan(c).where(condition.Not{Of: condition.All{fields("a", condition.Gt, "1"), fields("b", condition.Gt, "1")}}),
		"not any": scan(c).where(condition.Not{Of: condition.Any{fields("a", condition.Gt, "1"), fields("b", condition.Gt, "1")}}),
		"both":    scan(c).where(fields("a", condition.Gt, "1"), fields("b", condition.Gt, "1")), "all none": scan(c).where(condition.All{}), "any none": scan(c).where(condition.Any{}),
		"nested all": scan(c).where(condition.All{condition.All{fields("a", condition.Gt, "1")}, fields("b", condition.Gt, "1")}),
		"zero":       scan(c).where(&condition.Comparison{Property: "a", Op: condition.Gt, Values: []any{"1"}, Zero: true}),
		"left out":   scan(c).where(&condition.Comparison{Property: "a", Op: condition.Gt, Values: []any{"1"}, Omitted: true}),
	}
	for i, v := range []any{"", "1", "2", int64(1), uint64(1), 1.0, 0.0, math.Copysign(0, -1), math.NaN(), true, false, []byte("1"), []byte("2"), []byte(nil), at, at.Add(time.Nanosecond), "\xff", "\ufffd"} {
		queries[fmt.Sprint("value ", i)] = scan(c).where(fields("a", condition.Eq, v))
		queries[fmt.Sprint("of in ", i)] = scan(c).where(fields("a", condition.In, v, v))
	}
	for op := condition.Eq; op <= condition.Exists; op++ {
		queries[fmt.Sprint("op ", op)] = scan(c).where(fields("b", op, "1"))
	}
	seen := map[string]string{}
	for name, q := range queries {
		if q.err != nil {
			t.Fatalf("%s: %v", name, q.err)
		}
		if before := seen[string(q.hash())]; before != "" {
			t.Errorf("%s is %s", name, before)
		}
		seen[string(q.hash())] = name
		if again := q.hash(); !slices.Equal(again, q.hash()) {
			t.Errorf("%s differs from itself", name)
		}
	}
	same := scan(c).where(fields("a", condition.Eq, at.Round(0).In(time.FixedZone("", 3600))))
	if seen[string(same.hash())] == "" {
		t.Error("a time in another zone, and without a clock, is another query")
	}
}

func TestCursorsOfOthers(t *testing.T) {
	c := stored(t, 20)
	ctx := context.Background()
	_, next, err := scan(c).next(ctx, "", 5)
	if err != nil {
		t.Fatal(err)
	}
	closed := stored(t, 20)
	closed.spec.Settings.SetCursorKey([]byte("0123456789abcdef"))
	_, nextClosed, err := scan(closed).next(ctx, "", 5)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(body string) string { return cursor.Keys(nil).Encode(cursor.ForPage, []byte(body)) }
	hash := fmt.Sprintf("%q", encode64(scan(c).Limit(7).hash()))
	for name, test := range map[string]struct {
		q    Query[note]
		text string
	}{
		"another query":         {NewQuery(c, generated.Partition("t1")), next},
		"open to one with keys": {scan(closed), next},
		"closed to one without": {scan(c), nextClosed},
		"no JSON":               {scan(c), encode("{")},
		"no position":           {scan(c), encode(`{"q":"` + encode64(scan(c).hash()) + `"}`)},
		"more left":             {scan(c).Limit(7), encode(`{"q":` + hash + `,"a":"1","n":8}`)},
		"less left":             {scan(c).Limit(7), encode(`{"q":` + hash + `,"a":"1","n":-1}`)},
		"none left":             {scan(c).Limit(7), encode(`{"q":` + hash + `,"a":"1"}`)},
		"no limit":              {scan(c), encode(`{"q":"` + encode64(scan(c).hash()) + `","a":"1","n":3}`)},
		"for changes":           {scan(c), cursor.Keys(nil).Encode(cursor.ForFeed, []byte(`{}`))},
		"long":                  {scan(c), strings.Repeat("A", cursor.MaxPage+1)},
	} {
		_, _, err := test.q.next(ctx, test.text, 5)
		if !errors.Is(err, failure.ErrCursor) || !strings.Contains(err.Error(), "page note: cursor cannot be used") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if docs, _, err := scan(closed).next(ctx, nextClosed, 5); err != nil || len(docs) != 5 {
		t.Errorf("got %d, %v", len(docs), err)
	}
}

// longPositions is a driver with a long position.
type longPositions struct {
	*memory
	length int
}

func (d longPositions) Page(context.Context, api.Selection, string, int) ([]api.Stored[note], string, error) {
	return []api.Stored[note]{{Doc: new(note)}}, strings.Repeat("p", d.length), nil
}

// TestLongCursors has cursors about as long as the longest: each is either read, or never
// given to the caller.
func TestLongCursors(t *testing.T) {
	for _, closed := range []bool{false, true} {
		given := 0
		const first, last = 48_900, 49_200
		for length := first; length < last; length++ {
			c := collectionOf(plainNotes(), longPositions{newMemory(), length})
			if closed {
				c.spec.Settings.SetCursorKey([]byte("0123456789abcdef"))
			}
			docs, next, err := scan(c).next(context.Background(), "", 1)
			if err != nil {
				if errors.Is(err, failure.ErrCursor) || docs != nil || next != "" || !strings.Contains(err.Error(), "the limit is 65536: order by") {
					t.Fatalf("got %d documents, a cursor of %d, and %v", len(docs), len(next), err)
				}
				continue
			}
			given++
			if at, err := scan(c).open(next); err != nil || len(at.After) != length {
				t.Fatalf("a cursor of %d bytes: %v", len(next), err)
			}
		}
		if given == 0 || given == last-first {
			t.Errorf("closed %v: %d cursors", closed, given)
		}
	}
}

func FuzzCursor(f *testing.F) {
	c := stored(f, 20)
	_, next, _ := scan(c).next(context.Background(), "", 5)
	f.Add([]byte(next), false)
	f.Add([]byte(`{"q":"AAAAAAAAAAAAAAAA","a":"9","n":1}`), true)
	f.Fuzz(func(t *testing.T, text []byte, framed bool) {
		given := string(text)
		if framed {
			given = cursor.Keys(nil).Encode(cursor.ForPage, text)
		}
		q := scan(c)
		docs, _, err := q.next(context.Background(), given, 5)
		if err != nil && !errors.Is(err, failure.ErrCursor) && given != "" {
			// a driver may refuse what only it understands
			if at, opened := q.open(given); opened != nil || at.After == "" {
				t.Fatalf("%q: %v, %+v", given, err, at)
			}
		}
		if len(docs) > 5 {
			t.Fatal(len(docs))
		}
	})
}

// TestQueriesThatAreWrong send nothing.
func TestQueriesThatAreWrong(t *testing.T) {
	m := newMemory()
	c := collectionOf(plainNotes(), m)
	c.spec.Settings.SetMaxKeys(3)
	ctx := context.Background()
	wrong := errors.New("wrong")
	draft := collectionOf(plainNotes(), m)
	draft.spec.Stays = func(context.Context) error { return fmt.Errorf("%w: run pkgen seal", failure.ErrDraft) }
	for text, q := range map[string]Query[note]{
		"more than 3":           NewQuery(c, generated.Buckets(4, func(i int) string { return fmt.Sprint(i) })),
		"not a text":            NewQuery(c, generated.Number(1)),
		"wrong":                 scan(c).where(condition.Not{Of: condition.Any{condition.Wrong{Err: wrong}}}),
		"a condition is nil":    scan(c).where(condition.All{nil}),
		"at least 1":            scan(c).Limit(0),
		"cannot be compared":    NewQuery(c, generated.Keys{}.Where("/a", struct{}{})),
		"draft: run pkgen seal": scan(draft),
	} {
		_, all := q.Collect(ctx)
		_, first := q.First(ctx)
		_, count := q.Count(ctx)
		_, _, page := q.next(ctx, "", 1)
		for _, err := range []error{all, first, count, page} {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: got %v", text, err)
			}
		}
	}
	if err := draft.Upsert(ctx, noteOf(1)); !errors.Is(err, failure.ErrDraft) || !strings.Contains(err.Error(), "pkgen seal") {
		t.Errorf("got %v", err)
	}
	if m.sent != 0 {
		t.Errorf("%d requests", m.sent)
	}
	if _, err := scan(c).First(ctx); !errors.Is(err, failure.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := scan(c).Limit(2).Count(ctx); err == nil || !strings.Contains(err.Error(), "without Limit") {
		t.Errorf("got %v", err)
	}
}
