package queries

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// layout is the physical partitions of the container things, in the order of their
// bounds: it numbers them as the emulator does.
type layout struct {
	t      *testing.T
	server *harness.Account
	ids    []int
	next   int
	merges int
}

func newLayout(t *testing.T, server *harness.Account, partitions int) *layout {
	l := &layout{t: t, server: server, next: partitions}
	for i := range partitions {
		l.ids = append(l.ids, i)
	}
	return l
}

// change splits a physical partition or merges neighbours, up to most of them.
func (l *layout) change(r *rand.Rand, most int) {
	l.t.Helper()
	at, n := r.IntN(len(l.ids)), 2+r.IntN(2)
	if r.IntN(2) == 0 && at+n <= len(l.ids) {
		var old []string
		for _, id := range l.ids[at : at+n] {
			old = append(old, strconv.Itoa(id))
		}
		if err := l.server.Merge("db", "things", old...); err != nil {
			l.t.Fatal(err)
		}
		l.ids = slices.Replace(l.ids, at, at+n, l.next)
		l.next++
		l.merges++
		return
	}
	if len(l.ids) < most {
		if err := l.server.Split("db", "things", strconv.Itoa(l.ids[at])); err != nil {
			l.t.Fatal(err)
		}
		l.ids = slices.Replace(l.ids, at, at+1, l.next, l.next+1)
		l.next += 2
	}
}

// TestQueriesDuringMerges runs random queries while physical partitions split and
// merge, and compares them with the same in memory.
func TestQueriesDuringMerges(t *testing.T) {
	kit.Seeds(t, 8, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 811))
		partitions := 2 + r.IntN(5)
		c := kit.NewThings(t, emulator.Options{Partitions: partitions, ScanLimit: []int{0, 7}[r.IntN(2)]}, repository.Configure(harness.Impatient()), seed%2 == 1,
			repository.WithPageSize(1+r.Int32N(12)), repository.WithConcurrency(1+r.IntN(8)))
		all := c.Fill(t, r, 150)
		l := newLayout(t, c.Server, partitions)
		for range seeds.Rows(t, 8, 2) {
			for name, s := range sortings {
				q, base := c.Scan(), []string{"", "x", "y"}[r.IntN(3)]
				if base != "" {
					q = c.ByBase(base, r.IntN(2) == 0)
				}
				q = q.OrderBy(s.orders...)
				want := kit.ThingsOf(all, base)
				if s.compare != nil {
					slices.SortStableFunc(want, s.compare)
				}
				l.change(r, 9)
				var got []*kit.Thing
				for x, err := range q.All(context.Background()) {
					if err != nil {
						t.Fatal(err)
					}
					if got = append(got, x); r.IntN(15) == 0 {
						l.change(r, 9)
					}
				}
				compareRun(t, fmt.Sprintf("%s of %q", name, base), got, want, s, 0)
				l.change(r, 9)
				if n, err := c.Scan().Count(context.Background()); err != nil || n != len(all) {
					t.Fatalf("counted %d, %v, want %d", n, err, len(all))
				}
			}
		}
		if l.merges < 10 {
			t.Errorf("only %d merges", l.merges)
		}
	})
}

// TestPagesDuringMerges walks pages in an order while physical partitions split and
// merge. A page may be short then, but no document is lost or comes twice.
func TestPagesDuringMerges(t *testing.T) {
	kit.Seeds(t, 6, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 813))
		partitions := 2 + r.IntN(4)
		c := kit.NewThings(t, emulator.Options{Partitions: partitions}, repository.Configure(nil), seed%2 == 1)
		all := c.Fill(t, r, 200)
		l := newLayout(t, c.Server, partitions)
		var w pageWalk
		for cursor := ""; ; {
			page, err := c.Scan().OrderBy(kit.ThingA.Asc()).Page(context.Background(), cursor, 1+r.IntN(20))
			if err != nil {
				t.Fatalf("page %d: %v", w.pages, err)
			}
			w.docs = append(w.docs, page.Items...)
			if w.pages++; w.pages > 1000 {
				t.Fatal("no end")
			}
			if cursor = page.Cursor; cursor == "" {
				break
			}
			l.change(r, 8)
		}
		w.onceSorted(t, len(all), 1)
		if l.merges < 3 {
			t.Errorf("only %d merges", l.merges)
		}
	})
}

// TestChangesDuringMerges reads the change feed in parts, each from a cursor of the
// part before, while things are written and physical partitions split and merge. It
// closes cursors, since open ones have few parts.
func TestChangesDuringMerges(t *testing.T) {
	kit.Seeds(t, 8, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 815))
		var client *azcosmos.ClientOptions
		if seed%3 > 0 {
			client = repository.Configure(nil)
		}
		partitions := 2 + r.IntN(3)
		m := kit.FeedModel{
			Things: kit.NewThings(t, emulator.Options{Partitions: partitions}, client, seed%2 == 0,
				repository.WithConcurrency(1+r.IntN(4)), repository.WithCursorKey([]byte("0123456789abcdef"))),
			T: t, R: r, Latest: map[kit.ThingKey]int{}, Seen: map[string]int{}, Last: map[string]int{}, Known: map[kit.ThingKey]int{},
		}
		l := newLayout(t, m.Server, partitions)
		cursor := ""
		for range 30 {
			for range r.IntN(25) {
				m.Write()
			}
			for range r.IntN(3) {
				l.change(r, 7)
			}
			cursor = m.Read(cursor, 1+r.IntN(30), func() { l.change(r, 7) })
		}
		m.Read(cursor, -1, func() {})
		for key, n := range m.Latest {
			if n > 0 && m.Known[key] != n {
				t.Errorf("thing %s: the last change was %d, and the last write %d", key.ID, m.Known[key], n)
			}
		}
		if m.Made < 100 || l.merges < 5 {
			t.Errorf("only %d changes, %d merges", m.Made, l.merges)
		}
	})
}

// splitAfter splits a physical partition right after it has been read, and makes the SDK
// learn that before the page arrives.
type splitAfter struct {
	id   string
	once sync.Once
	do   func()
}

func (s *splitAfter) Do(request *policy.Request) (*http.Response, error) {
	response, err := request.Next()
	if err == nil && response.StatusCode == http.StatusOK && request.Raw().Header.Get("x-ms-documentdb-partitionkeyrangeid") == s.id {
		s.once.Do(s.do)
	}
	return response, err
}

// TestChangesOfAMergeThatHasEnded reads a page of a merged physical partition, which is
// split again before the page is looked at: what the SDK knows then are two physical
// partitions, each of one part of the feed.
func TestChangesOfAMergeThatHasEnded(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	split := &splitAfter{id: "2"}
	options := repository.Configure(nil)
	options.PerRetryPolicies = append(options.PerRetryPolicies, split)
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 2}, harness.Properties("things", "/pk"), options)
	c := repository.New(container, &kit.ThingModel, repository.WithConcurrency(1))
	split.do = func() {
		if err := server.Split("db", "things", "2"); err != nil {
			t.Error(err)
		}
		if err := route.RenewFeedRanges(ctx, container); err != nil {
			t.Error(err)
		}
	}
	read := func(cursor string) (ids []string, after string) {
		t.Helper()
		for change, err := range feed.Changes(ctx, c, feed.FromCursor(cursor), feed.UntilCaughtUp(), feed.OnCaughtUp(func(at string) { after = at })) {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, change.Doc.ID)
		}
		slices.Sort(ids)
		return ids, after
	}
	_, cursor := read("")
	var want []string
	for i := range 20 {
		x := &kit.Thing{ID: fmt.Sprintf("t%02d", i), Base: "x"}
		if err := c.Create(ctx, x); err != nil {
			t.Fatal(err)
		}
		want = append(want, x.ID)
	}
	if err := server.Merge("db", "things", "0", "1"); err != nil {
		t.Fatal(err)
	}
	if got, _ := read(cursor); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}
