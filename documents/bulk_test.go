package documents

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

func noteOf(i int) *note {
	return &note{ID: fmt.Sprint("n", i), Topic: fmt.Sprint("t", i%7), Text: "text"}
}

func notesOf(n int) iter.Seq[*note] {
	return func(yield func(*note) bool) {
		for i := range n {
			if !yield(noteOf(i)) {
				return
			}
		}
	}
}

func keysOf(c *Collection[note, noteKey], n int) iter.Seq[noteKey] {
	return func(yield func(noteKey) bool) {
		for i := range n {
			if !yield(c.spec.Model.Key(noteOf(i))) {
				return
			}
		}
	}
}

func TestBulk(t *testing.T) {
	m := newMemory()
	c := collectionOf(plainNotes(), m)
	var units meter.Meter
	ctx := meter.With(context.Background(), &units)
	docs := slices.Collect(notesOf(500))
	summary, err := c.CreateAll(Items(docs...)).Collect(ctx)
	if err != nil || summary != (Summary{Items: 500, RequestUnits: 500}) || units.Requests() != 500 {
		t.Fatalf("%+v, %v, %d requests", summary, err, units.Requests())
	}
	for i, d := range docs {
		if d.ETag == "" || d.Stored != d.Topic {
			t.Errorf("%d: %+v", i, d)
		}
	}
	summary, err = c.CreateAll(Sequence(notesOf(510))).Collect(ctx)
	var failed *BulkError
	if !errors.As(err, &failed) || summary.Failed != 500 || summary.AlreadyExists != 500 || len(failed.Failures) != 10 || failed.Summary != summary ||
		!errors.Is(err, failure.ErrAlreadyExists) || errors.Is(err, failure.ErrUnclear) || strings.Contains(err.Error(), "secret") {
		t.Errorf("%+v, %v", summary, err)
	}
	if summary, err = c.UpsertAll(Sequence(notesOf(520))).Collect(ctx); err != nil || len(m.docs) != 520 {
		t.Errorf("%+v, %v", summary, err)
	}
	found, err := c.GetMany(ctx, append(slices.Collect(keysOf(c, 530)), c.spec.Model.Key(noteOf(0))))
	if err != nil || len(found) != 531 || found[0] == nil || found[530] != found[0] || found[519].ID != "n519" || found[520] != nil {
		t.Errorf("many: %d, %v", len(found), err)
	}
	if _, err := c.GetMany(ctx, []noteKey{{}}); err == nil || !strings.Contains(err.Error(), "key 0") {
		t.Errorf("a key that is wrong: %v", err)
	}
	if summary, err = c.DeleteAll(Sequence(keysOf(c, 530))).Collect(ctx); summary.NotFound != 10 || summary.Failed != 10 || len(m.docs) != 0 {
		t.Errorf("%+v, %v", summary, err)
	}
}

// TestBulkUnderFaults compares outcomes with what is stored.
func TestBulkUnderFaults(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			m := newMemory()
			m.fault = faults(random, 0.3)
			c := collectionOf(plainNotes(), m)
			c.spec.Settings.SetConcurrency(1 + int(seed))
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			read, seen := 0, map[int]bool{}
			source := func(yield func(*note) bool) {
				for n := range notesOf(200) {
					if read++; !yield(n) {
						return
					}
				}
			}
			end := 1000
			if seed%2 == 0 {
				end = random.IntN(200)
			}
			for o := range c.CreateAll(Sequence(source)).All(ctx) {
				if seen[o.Index] || o.Item.ID != fmt.Sprint("n", o.Index) {
					t.Errorf("seed %d: outcome %d of %+v", seed, o.Index, o.Item)
				}
				seen[o.Index] = true
				m.mu.Lock()
				there := m.has(api.Place{Partition: o.Item.Topic, ID: o.Item.ID})
				m.mu.Unlock()
				if !errors.Is(o.Err, failure.ErrUnclear) && there != (o.Err == nil) {
					t.Errorf("seed %d: outcome %d is %v, and it is stored: %v", seed, o.Index, o.Err, there)
				}
				if len(seen) == end {
					cancel()
				}
			}
			if len(seen) != read || read < min(end, 200) {
				t.Errorf("seed %d: %d outcomes of %d items", seed, len(seen), read)
			}
		})
	}
}

// TestBulkKeepsTheOrderOfADocument stores many versions of few documents.
func TestBulkKeepsTheOrderOfADocument(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		random := rand.New(rand.NewPCG(1, 1))
		m.fault = func(string, api.Place) (before, after *failure.Answer) {
			if random.IntN(5) == 0 {
				return &failure.Answer{Kind: failure.ErrThrottled, Unsent: true}, nil
			}
			return nil, nil
		}
		c := collectionOf(plainNotes(), m)
		summary, err := c.UpsertAll(Sequence(func(yield func(*note) bool) {
			for i := range 300 {
				n := noteOf(i % 3)
				n.Text = fmt.Sprint(i)
				if !yield(n) {
					return
				}
			}
		})).Collect(context.Background())

		if err != nil || summary.Items != 300 {
			t.Fatalf("%+v, %v", summary, err)
		}
		for i := range 3 {
			if got := m.docs[api.Place{Partition: noteOf(i).Topic, ID: noteOf(i).ID}].Doc.Text; got != fmt.Sprint(297+i) {
				t.Errorf("document %d has the text %s", i, got)
			}
		}
	})
}

// TestBulkThrottled has a service that allows few requests at once.
func TestBulkThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var under, most atomic.Int64
		m := newMemory()
		m.fault = func(string, api.Place) (before, after *failure.Answer) {
			if under.Load() > 4 {
				return &failure.Answer{Kind: failure.ErrThrottled, Unsent: true, After: 20 * time.Millisecond}, nil
			}
			return nil, nil
		}
		c := collectionOf(plainNotes(), &slowly{memory: m, under: &under, most: &most})
		summary, err := c.UpsertAll(Sequence(notesOf(500))).Collect(context.Background())
		if err != nil || summary.Items != 500 || len(m.docs) != 500 || most.Load() > api.DefaultConcurrency {
			t.Errorf("%+v, %v; %d at once", summary, err, most.Load())
		}
	})
}

// slowly takes a while for each upsert.
type slowly struct {
	*memory
	under, most *atomic.Int64
}

func (s *slowly) Upsert(ctx context.Context, at api.Place, doc *note) (string, error) {
	n := s.under.Add(1)
	defer s.under.Add(-1)
	s.mu.Lock()
	s.most.Store(max(s.most.Load(), n))
	s.mu.Unlock()
	time.Sleep(10 * time.Millisecond)
	return s.memory.Upsert(ctx, at, doc)
}

// TestBulkOfSources has sources that fail, that are nil, and that see the end of a context;
// and loops that are left.
func TestBulkOfSources(t *testing.T) {
	m := newMemory()
	c := collectionOf(plainNotes(), m)
	ctx := context.Background()
	broken := errors.New("broken source")
	summary, err := c.UpsertAll(func(yield func(*note, error) bool) {
		_ = yield(noteOf(1), nil) && yield(nil, broken)
	}).Collect(ctx)

	if !errors.Is(err, broken) || summary.Items != 1 || summary.Failed != 0 || !strings.Contains(err.Error(), "the items ended early, after 1: broken source") {
		t.Errorf("%+v, %v", summary, err)
	}
	if _, err := c.CreateAll(Sequence[*note](nil)).Collect(ctx); err == nil || !strings.Contains(err.Error(), "sequence is nil") {
		t.Errorf("got %v", err)
	}
	if summary, err := c.CreateAll(Sequence(notesOf(0))).Collect(ctx); err != nil || summary != (Summary{}) {
		t.Errorf("%+v, %v", summary, err)
	}
	if _, err := c.CreateAll(Items[*note](nil)).Collect(ctx); err == nil || !strings.Contains(err.Error(), "the document is nil") {
		t.Errorf("got %v", err)
	}
	ending, cancel := context.WithCancel(ctx)
	summary, err = c.UpsertAll(func(yield func(*note, error) bool) {
		yield(noteOf(0), nil)
		cancel()
	}).Collect(ending)
	if !errors.Is(err, context.Canceled) || summary.Items != 1 {
		t.Errorf("%+v, %v", summary, err)
	}
	summary, err = c.UpsertAll(Sequence(notesOf(10))).Collect(ending)
	if !errors.Is(err, context.Canceled) || summary.Items != 1 || summary.Unclear != 0 || !strings.Contains(err.Error(), "before it was sent") {
		t.Errorf("%+v, %v", summary, err)
	}
	for range c.UpsertAll(Sequence(notesOf(1000))).All(ctx) {
		break
	}
	func() {
		defer func() {
			if recover() != "in the loop" {
				t.Error("the panic is lost")
			}
		}()
		for range c.DeleteAll(Sequence(keysOf(c, 1000))).All(ctx) {
			panic("in the loop")
		}
	}()
	c.spec.Settings.SetCursorKey([]byte("short"))
	if _, err := c.UpsertAll(Sequence(notesOf(1))).Collect(ctx); err == nil || !strings.Contains(err.Error(), "a key of 5 bytes") {
		t.Errorf("got %v", err)
	}
	if err := c.Upsert(ctx, noteOf(1)); err == nil || !strings.Contains(err.Error(), "a key of 5 bytes") {
		t.Errorf("got %v", err)
	}
	if _, err := c.Get(ctx, c.spec.Model.Key(noteOf(1))); err == nil || !strings.Contains(err.Error(), "a key of 5 bytes") {
		t.Errorf("got %v", err)
	}
}

// TestNoTransactionsInBulk refuses the option where an API has no such transactions.
func TestNoTransactionsInBulk(t *testing.T) {
	b := &batching{memory: newMemory()}
	for _, opts := range [][]BulkOption{{InTransactions()}, {InBatches(), InTransactions()}} {
		summary, err := collectionOf(plainNotes(), b).CreateAll(Sequence(notesOf(3)), opts...).Collect(context.Background())
		if summary.Items != 0 || err == nil || !strings.Contains(err.Error(), "InTransactions is for NoSQL only") || b.sent != 0 {
			t.Errorf("%+v, %v", summary, err)
		}
	}
}
