package queries

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// pageWalk is the result of a walk over pages.
type pageWalk struct {
	docs          []*kit.Thing
	pages         int
	charges       []float64
	longestCursor int
}

// walkPages walks over q, and calls between before each page but the first.
func walkPages(t testing.TB, q repository.Query[kit.Thing], size int, between func(page int, given []*kit.Thing)) pageWalk {
	t.Helper()
	var w pageWalk
	for cursor := ""; ; {
		if w.pages > 0 {
			between(w.pages, w.docs)
		}
		var meter repository.Meter
		page, err := q.Page(repository.WithMeter(context.Background(), &meter), cursor, size)
		if err != nil {
			t.Fatalf("page %d: %v", w.pages, err)
		}
		w.pages++
		w.docs = append(w.docs, page.Items...)
		w.charges = append(w.charges, meter.RequestUnits())
		if cursor = page.Cursor; cursor == "" {
			return w
		}
		if len(page.Items) != size {
			t.Fatalf("page %d, which is not the last, has %d documents", w.pages, len(page.Items))
		}
		w.longestCursor = max(w.longestCursor, len(cursor))
	}
}

// onceSorted checks that each of n things came once, in the order of a.
func (w pageWalk) onceSorted(t testing.TB, n, sign int) {
	t.Helper()
	seen := map[string]bool{}
	for i, x := range w.docs {
		if seen[x.ID] {
			t.Fatalf("%s came twice", x.ID)
		}
		seen[x.ID] = true
		if i > 0 && sign*kit.CompareValues(x.At("a"), w.docs[i-1].At("a")) < 0 {
			t.Fatalf("at %d %v comes after %v", i, x.At("a"), w.docs[i-1].At("a"))
		}
	}
	if len(w.docs) != n {
		t.Errorf("%d documents came, want %d", len(w.docs), n)
	}
}

// flat checks that no page costs more than a bound, and no cursor is long.
func (w pageWalk) flat(t testing.TB, most float64) {
	t.Helper()
	for i, charge := range w.charges {
		if charge > most {
			t.Errorf("page %d costs %.1f request units, want %.1f at most", i+1, charge, most)
		}
	}
	if w.longestCursor > 2048 {
		t.Errorf("a cursor has %d bytes", w.longestCursor)
	}
}

func nothingBetween(int, []*kit.Thing) {}

// TestPagesOfManyTies walks over documents of one or two values: each comes once, a
// page costs the same anywhere, and cursors stay short.
func TestPagesOfManyTies(t *testing.T) {
	seeds.Gate(t, "many documents")
	t.Parallel()
	for _, test := range []struct{ documents, values, partitions, size int }{
		{2600, 1, 1, 25},
		{2600, 2, 50, 50},
		{20_000, 2, 5, 1000},
	} {
		t.Run(fmt.Sprintf("%d of %d values in %d partitions by %d", test.documents, test.values, test.partitions, test.size), func(t *testing.T) {
			c := kit.NewThings(t, emulator.Options{Partitions: test.partitions}, repository.Configure(nil), false)
			c.Orders(t, test.documents, test.values)
			for sign, order := range map[int]repository.Order[kit.Thing]{1: kit.ThingA.Asc(), -1: kit.ThingA.Desc()} {
				if sign > 0 && test.documents > 10_000 {
					continue // it takes long
				}
				w := walkPages(t, c.ByBase("x", false).OrderBy(order), test.size, nothingBetween)
				w.onceSorted(t, test.documents, sign)
				// Each physical partition returns a page, and one of them what was given of
				// it before: 2.5 request units each, and 0.05 for each kilobyte.
				w.flat(t, 2.5*float64(test.partitions+2)+0.05*0.4*float64(test.size*(test.partitions+1))+0.05*float64(test.partitions))
				t.Logf("%d pages, from %.1f to %.1f request units, the longest cursor %d bytes", w.pages, minOf(w.charges), maxOf(w.charges), w.longestCursor)
			}
		})
	}
}

func minOf(all []float64) float64 {
	least := all[0]
	for _, v := range all {
		least = min(least, v)
	}
	return least
}

func maxOf(all []float64) float64 {
	most := all[0]
	for _, v := range all {
		most = max(most, v)
	}
	return most
}

// TestPagesOfTiesInOnePlaceTakeOneRequest reads pages in the middle of many
// documents that sort alike in one physical partition.
func TestPagesOfTiesInOnePlaceTakeOneRequest(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{Partitions: 5}, repository.Configure(nil), false)
	c.Orders(t, 1000, 1)
	single := 0
	walkPages(t, c.ByBase("x", false).OrderBy(kit.ThingA.Asc()), 10, func(int, []*kit.Thing) {
		if c.Server.Documents()[emulator.OpQueryItems] == 1 {
			single++
		}
		c.Server.ResetRequests()
	})
	if single < 80 {
		t.Errorf("%d of 100 pages took one request", single)
	}
}

// TestPagesOfTiesAcrossSplits splits the widest physical partitions between pages.
func TestPagesOfTiesAcrossSplits(t *testing.T) {
	seeds.Gate(t, "many documents")
	t.Parallel()
	for name, test := range map[string]struct {
		partitions, size, every int
		leveled, prefix         bool
		opts                    []repository.Option
	}{
		"one partition":      {partitions: 1, size: 20, every: 7},
		"five":               {partitions: 5, size: 20, every: 11},
		"a prefix of levels": {partitions: 2, size: 20, every: 5, leveled: true},
		"closed cursors":     {partitions: 1, size: 15, every: 12, opts: []repository.Option{repository.WithCursorKey([]byte("0123456789abcdef"))}},
		"small responses":    {partitions: 3, size: 40, every: 9, opts: []repository.Option{repository.WithPageSize(7)}},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, uint64(test.partitions)))
			c := kit.NewThings(t, emulator.Options{Partitions: test.partitions}, repository.Configure(nil), test.leveled, test.opts...)
			c.Orders(t, 1000, 2)
			splits := 0
			for _, q := range []repository.Query[kit.Thing]{c.ByBase("x", false), c.Scan()} {
				w := walkPages(t, q.OrderBy(kit.ThingA.Asc()), test.size, func(page int, _ []*kit.Thing) {
					for page%test.every == 0 && splits < 30 {
						if c.Server.Split("db", "things", strconv.Itoa(r.IntN(test.partitions+2*splits))) == nil {
							splits++
							break
						}
					}
				})
				w.onceSorted(t, 1000, 1)
				// What was given before a split is not read again.
				w.flat(t, float64(test.partitions+splits+3)*(2.5+0.05*0.5*float64(2*test.size))*2)
			}
			if splits < 3 {
				t.Errorf("%d splits", splits)
			}
		})
	}
}

// tokenless is a policy that refuses queries which begin with a continuation
// token.
type tokenless struct {
	mu      sync.Mutex
	refuse  bool
	refused int
	seen    map[string]bool // the tokens that this process got itself
}

func (p *tokenless) Do(r *policy.Request) (*http.Response, error) {
	token := r.Raw().Header.Get("x-ms-continuation")
	p.mu.Lock()
	if p.refuse && token != "" && !p.seen[token] {
		p.refused++
		p.mu.Unlock()
		return &http.Response{
			StatusCode: http.StatusBadRequest, Status: "400 Bad Request", Request: r.Raw(), Header: http.Header{},
			Body: io.NopCloser(strings.NewReader(`{"code":"BadRequest","message":"Invalid Continuation Token"}`)),
		}, nil
	}
	p.mu.Unlock()
	response, err := r.Next()
	if err == nil {
		p.mu.Lock()
		p.seen[response.Header.Get("x-ms-continuation")] = true
		p.mu.Unlock()
	}
	return response, err
}

// TestPagesOfTiesWithoutTokens has a service that takes no token back: documents
// of earlier pages are read again and skipped. With an open cursor the page then
// ends before it is full, so that a made-up cursor cannot cause many reads.
func TestPagesOfTiesWithoutTokens(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	for name, closed := range map[string]bool{"open cursors": false, "closed cursors": true} {
		t.Run(name, func(t *testing.T) {
			tokens := &tokenless{seen: map[string]bool{}}
			var o azcosmos.ClientOptions
			o.PerCallPolicies = []policy.Policy{tokens}
			var opts []repository.Option
			if closed {
				opts = append(opts, repository.WithCursorKey([]byte("0123456789abcdef")))
			}
			c := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(&o), false, opts...)
			c.Orders(t, 2600, 1)
			q := c.ByBase("x", false).OrderBy(kit.ThingA.Asc())
			var w pageWalk
			short := 0
			for cursor := ""; ; w.pages++ {
				tokens.mu.Lock()
				tokens.refuse, tokens.seen = w.pages%10 == 9, map[string]bool{}
				tokens.mu.Unlock()
				c.Server.ResetRequests()
				page, err := q.Page(context.Background(), cursor, 50)
				if err != nil {
					t.Fatal(err)
				}
				w.docs = append(w.docs, page.Items...)
				read := 0
				for _, r := range c.Server.Requests() {
					read += r.Items
				}
				if !closed && read > 2*1000+4*50 {
					t.Errorf("page %d read %d documents", w.pages, read)
				}
				if cursor = page.Cursor; cursor == "" {
					break
				}
				if len(page.Items) < 50 {
					short++
				}
			}
			w.onceSorted(t, 2600, 1)
			if tokens.refused == 0 || (short > 0) == closed {
				t.Errorf("%d tokens were refused, %d pages were short", tokens.refused, short)
			}
		})
	}
}

// TestPagesOfTiesThatAreDeleted deletes the documents of each page, as a program
// does that processes them, and stores others.
func TestPagesOfTiesThatAreDeleted(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	for _, step := range []int{1, 3} {
		c := kit.NewThings(t, emulator.Options{Partitions: 3}, repository.Configure(nil), false)
		c.Orders(t, 1500, 1)
		deleted := 0
		w := walkPages(t, c.ByBase("x", false).OrderBy(kit.ThingA.Asc()), 40, func(page int, given []*kit.Thing) {
			for ; deleted < len(given); deleted += step {
				x := given[deleted]
				if err := c.Delete(context.Background(), kit.ThingKey{ID: x.ID, Base: x.Base}); err != nil {
					t.Fatal(err)
				}
			}
			behind := &kit.Thing{ID: fmt.Sprint("new", page), Base: "x", Properties: map[string]any{"a": 7.0}}
			if err := c.Create(context.Background(), behind); err != nil {
				t.Fatal(err)
			}
		})
		w.onceSorted(t, 1500+w.pages-1, 1)
		w.flat(t, 5*(2.5+0.05*0.5*100))
	}
}

// renumbered is a policy that changes the _rid of documents, and with it the order
// in which documents that sort alike seem to come.
type renumbered struct {
	change func(uint64) uint64
}

var ridInDocument = regexp.MustCompile(`"_rid":"[^"]{24}"`)

func (p renumbered) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err != nil || !strings.HasSuffix(r.Raw().URL.Path, "/docs") {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return response, err
	}
	body = ridInDocument.ReplaceAllFunc(body, func(match []byte) []byte {
		text := string(match[len(`"_rid":"`) : len(match)-1])
		rid, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(text, "-", "/"))
		if err != nil {
			panic(err)
		}
		binary.LittleEndian.PutUint64(rid[8:], p.change(binary.LittleEndian.Uint64(rid[8:])))
		return []byte(`"_rid":"` + strings.ReplaceAll(base64.StdEncoding.EncodeToString(rid), "/", "-") + `"`)
	})
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, nil
}

// TestPagesOfTiesInOtherOrders has a service that sorts by _rid in descending
// order, and one that does not sort by _rid: the pages of the second are right,
// or an error.
func TestPagesOfTiesInOtherOrders(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	for name, test := range map[string]struct {
		change    func(uint64) uint64
		documents int
		fails     bool
	}{
		"downwards":      {func(n uint64) uint64 { return ^n }, 1200, false},
		"unsorted, few":  {func(n uint64) uint64 { return n * 0x9E3779B97F4A7C15 }, 50, false},
		"unsorted, many": {func(n uint64) uint64 { return n * 0x9E3779B97F4A7C15 }, 400, true},
	} {
		t.Run(name, func(t *testing.T) {
			var o azcosmos.ClientOptions
			o.PerCallPolicies = []policy.Policy{renumbered{test.change}}
			c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(&o), false)
			c.Orders(t, test.documents, 1)
			q := c.ByBase("x", false).OrderBy(kit.ThingA.Desc())
			if !test.fails {
				splits := 0
				walkPages(t, q, 17, func(page int, _ []*kit.Thing) {
					if page%3 == 0 && c.Server.Split("db", "things", strconv.Itoa(2*splits)) == nil {
						splits++
					}
				}).onceSorted(t, test.documents, -1)
				return
			}
			var err error
			pages := 0
			for cursor := "-"; cursor != "" && err == nil; pages++ {
				var page repository.Page[kit.Thing]
				page, err = q.Page(context.Background(), strings.TrimPrefix(cursor, "-"), 17)
				cursor = page.Cursor
			}
			if err == nil || !strings.Contains(err.Error(), "add an order") {
				t.Errorf("after %d pages: %v", pages, err)
			}
		})
	}
}

// TestPagesOfTiesGoOnElsewhere changes between strategies with and without
// physical partitions.
func TestPagesOfTiesGoOnElsewhere(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{Partitions: 3}, repository.Configure(nil), false)
	c.Orders(t, 900, 2)
	container := c.Server.Container("things", nil)
	other := kit.Things{Documents: repository.New(container, &kit.ThingModel), Server: c.Server, Leveled: false}
	var w pageWalk
	for cursor := ""; ; w.pages++ {
		from := []kit.Things{c, other}[w.pages/2%2]
		page, err := from.ByBase("x", false).OrderBy(kit.ThingA.Desc()).Page(context.Background(), cursor, 23)
		if err != nil {
			t.Fatal(err)
		}
		w.docs = append(w.docs, page.Items...)
		if w.pages == 15 {
			err = errors.Join(c.Server.Split("db", "things", "0"), c.Server.Split("db", "things", "1"))
		}
		if err != nil {
			t.Fatal(err)
		}
		w.longestCursor = max(w.longestCursor, len(cursor))
		if cursor = page.Cursor; cursor == "" {
			break
		}
	}
	w.onceSorted(t, 900, -1)
	w.flat(t, 0)
}

// TestPagesOfTiesUnderFaults walks over documents of few values, with pages of
// random sizes, while physical partitions are split and requests fail, between
// requests of one page as well.
func TestPagesOfTiesUnderFaults(t *testing.T) {
	kit.Seeds(t, 6, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 13))
		opts := []repository.Option{repository.WithConcurrency(1 + r.IntN(8))}
		if seed%3 == 0 {
			opts = append(opts, repository.WithPageSize(1+r.Int32N(30)))
		}
		c := kit.NewThings(t, emulator.Options{Partitions: 1 + r.IntN(5)}, repository.Configure(harness.Impatient()), seed%2 == 1, opts...)
		c.Orders(t, 300, 1+r.IntN(3))
		for range 5 {
			q := c.Scan()
			if r.IntN(2) == 0 {
				q = c.ByBase("x", r.IntN(2) == 0)
			}
			sign := 1 - 2*r.IntN(2)
			w := pageWalk{docs: disturbedPages(t, c, r, q.OrderBy(map[int]repository.Order[kit.Thing]{1: kit.ThingA.Asc(), -1: kit.ThingA.Desc()}[sign]))}
			w.onceSorted(t, 300, sign)
		}
	})
}
