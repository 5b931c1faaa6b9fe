package documents

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// batching is a memory that sends batches of up to 10 writes and 1,000 bytes.
type batching struct {
	*memory
	batches int
	largest int

	// silent says that a refused batch does not name its item.
	silent bool
}

func (b *batching) Most() (entries, bytes int) { return 10, 1000 }

func (b *batching) Entry(op string, at api.Place, doc *note) (api.Entry, error) {
	size := 50
	if doc != nil {
		if doc.Text == "unwritable" {
			return api.Entry{}, errors.New("no entry")
		}
		size += len(doc.Text)
		copied := *doc
		doc = &copied
	}
	return api.Entry{At: at, Size: size, Write: func() (string, error) {
		return b.write(op, at, doc, func(_ api.Stored[note], there bool) error {
			switch {
			case op == opCreate && there:
				return answer(failure.ErrAlreadyExists)
			case op == opDelete && !there:
				return answer(failure.ErrNotFound)
			}
			return nil
		})
	}}, nil
}

func (b *batching) Batch(ctx context.Context, entries []api.Entry) (versions []string, failed int, err error) {
	failed = -1
	b.mu.Lock()
	b.largest = max(b.largest, len(entries))
	b.mu.Unlock()
	err = b.request(ctx, "batch", api.Place{}, func() error {
		b.batches++
		before, size, places := map[api.Place]api.Stored[note]{}, 0, map[api.Place]bool{}
		for i, e := range entries {
			if size += e.Size; size > 1000 || len(entries) > 10 || places[e.At] || e.At.Partition != entries[0].At.Partition {
				return errors.New("not a batch")
			}
			places[e.At] = true
			if found, there := b.docs[e.At]; there {
				before[e.At] = found
			}
			version, err := e.Write.(func() (string, error))()
			if err != nil {
				for at := range places {
					delete(b.docs, at)
				}
				maps.Copy(b.docs, before)
				if !b.silent {
					failed = i
				}
				return err
			}
			versions = append(versions, version)
		}
		return nil
	})
	if failure.AnswerOf(err).Unanswered || failure.AnswerOf(err).Unsent {
		failed = -1
	}
	return versions, failed, err
}

// TestBatches counts requests.
func TestBatches(t *testing.T) {
	run := func(name string, there []int, silent bool, wantRequests, wantFailed int) {
		t.Helper()
		b := &batching{memory: newMemory(), silent: silent}
		for _, i := range there {
			n := noteOf(i)
			b.put(api.Place{Partition: n.Topic, ID: n.ID}, *n)
		}
		c := collectionOf(plainNotes(), b)
		var units meter.Meter
		docs := slices.Collect(notesOf(70)) // of 7 topics
		summary, err := c.CreateAll(Items(docs...), InBatches()).Collect(meter.With(context.Background(), &units))
		if summary.Items != 70 || summary.Failed != wantFailed || summary.AlreadyExists != wantFailed || (err == nil) != (wantFailed == 0) {
			t.Errorf("%s: %+v, %v", name, summary, err)
		}
		if units.Requests() != wantRequests || b.sent != wantRequests || summary.RequestUnits < float64(wantRequests)-0.001 || summary.RequestUnits > float64(wantRequests)+0.001 {
			t.Errorf("%s: %d requests, want %d; %v RU", name, units.Requests(), wantRequests, summary.RequestUnits)
		}
		for i, d := range docs {
			if is := slices.Contains(there, i); is != (d.ETag == "") || !is && (d.Stored != d.Topic || b.docs[api.Place{Partition: d.Topic, ID: d.ID}].Version != d.ETag) {
				t.Errorf("%s: document %d is %+v", name, i, d)
			}
		}
	}
	run("all new", nil, false, 7, 0)
	run("one is there", []int{3}, false, 7+2, 1)
	run("two of one batch", []int{3, 10}, false, 7+2+9, 2)
	run("all of one batch", []int{0, 7, 14, 21, 28, 35, 42, 49, 56, 63}, false, 7+2+9, 10)
	run("one that is not named", []int{3}, true, 7+10, 1)
}

// TestBatchesOfSome counts batches of items that do not fit, collide or are far apart.
func TestBatchesOfSome(t *testing.T) {
	b := &batching{memory: newMemory()}
	c := collectionOf(plainNotes(), b)
	mixed := slices.Collect(notesOf(21))
	mixed[0].Text = "unwritable" // in a batch
	mixed[7].Text, mixed[14].Text = strings.Repeat("x", 940), strings.Repeat("x", 2000)
	summary, err := c.UpsertAll(Items(append(mixed, noteOf(1), noteOf(1), noteOf(8))...), InBatches()).Collect(context.Background())
	// Topic 0 is sent one by one; the others are batches of three, and then the items that
	// waited for others of their documents.
	if err != nil || summary.Failed != 0 || len(b.docs) != 21 || b.sent > 3+6+3 || b.batches != 7 {
		t.Errorf("%+v, %v, %d requests, %d batches", summary, err, b.sent, b.batches)
	}
	if summary, err = c.DeleteAll(Sequence(keysOf(c, 22)), InBatches()).Collect(context.Background()); summary.NotFound != 1 || summary.Failed != 1 || len(b.docs) != 0 || !errors.Is(err, failure.ErrNotFound) {
		t.Errorf("%+v, %v", summary, err)
	}
	b = &batching{memory: newMemory()}
	if _, err := collectionOf(collidingNotes(), b).UpsertAll(Sequence(notesOf(20)), InBatches()).Collect(context.Background()); err != nil || b.batches != 0 || b.reads != 20 {
		t.Errorf("keys that collide: %v, %d batches, %d reads", err, b.batches, b.reads)
	}
	b = &batching{memory: newMemory()}
	if s, err := collectionOf(plainNotes(), b).CreateAll(Sequence(notesOf(30_000)), InBatches()).Collect(context.Background()); err != nil || s.Items != 30_000 || b.sent > 30_000/10+7 {
		t.Errorf("many: %+v, %v, %d requests", s, err, b.sent)
	}
	b = &batching{memory: newMemory()} // no two items belong together
	apart := func(yield func(*note) bool) {
		for i := range 10_000 {
			if !yield(&note{ID: "n", Topic: fmt.Sprint(i)}) {
				return
			}
		}
	}
	if s, err := collectionOf(plainNotes(), b).CreateAll(Sequence(apart), InBatches()).Collect(context.Background()); err != nil || s.Items != 10_000 || b.batches != 0 || b.sent != 10_000 {
		t.Errorf("apart: %+v, %v, %d requests", s, err, b.sent)
	}
}

// TestBatchesThatFail checks batches that are refused as a whole.
func TestBatchesThatFail(t *testing.T) {
	for _, test := range []struct {
		fault    failure.Answer
		requests int
		want     error
	}{
		{failure.Answer{Kind: failure.ErrNoContainer}, 1, failure.ErrNoContainer},
		{failure.Answer{Kind: failure.ErrDraft}, 1, failure.ErrDraft},
		{failure.Answer{Unanswered: true}, 4, failure.ErrUnclear},
		{failure.Answer{Unsent: true, Kind: failure.ErrThrottled}, 10 * (maxThrottled + 1), failure.ErrThrottled},
		{failure.Answer{Kind: failure.ErrTooLarge}, 1 + 2 + 4 + 8, nil}, // of 8: 4, 2, 1
		{failure.Answer{Code: "403"}, 1 + 8, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := &batching{memory: newMemory()}
			b.fault = func(op string, _ api.Place) (before, after *failure.Answer) {
				if op != "batch" {
					return nil, nil
				}
				a := test.fault
				a.Err = errors.New("the driver says «secret»")
				return &a, nil
			}
			docs := func(yield func(*note) bool) {
				for i := range 8 {
					if !yield(&note{ID: fmt.Sprint(i), Topic: "t"}) {
						return
					}
				}
			}
			s, err := collectionOf(plainNotes(), b).CreateAll(Sequence(docs), InBatches()).Collect(context.Background())
			if test.want == nil && (err != nil || len(b.docs) != 8) || test.want != nil && (s.Failed != 8 || !errors.Is(err, test.want) || len(b.docs) != 0) {
				t.Errorf("%+v: %+v, %v, %d stored", test.fault, s, err, len(b.docs))
			}
			if want := test.requests; b.sent != want {
				t.Errorf("%+v: %d requests, want %d", test.fault, b.sent, want)
			}
		})
	}
}

// TestBatchesUnderFaults compares outcomes with what is stored, for batches of which some
// take effect without an answer.
func TestBatchesUnderFaults(t *testing.T) {
	together := 0 // items of random suffixes that met others of their keys
	for seed := range uint64(200) {
		synctest.Test(t, func(t *testing.T) {
			if most := batchesUnderFaults(t, seed); seed%5 == 0 && most > 1 {
				together++
			}
		})
	}
	if together == 0 {
		t.Error("no batches of random suffixes")
	}
}

// batchesUnderFaults returns how many items the largest batch had.
func batchesUnderFaults(t *testing.T, seed uint64) (most int) {
	random := rand.New(rand.NewPCG(seed, 2))
	b := &batching{memory: newMemory(), silent: seed%3 == 0}
	model := plainNotes()
	if seed%5 == 0 {
		model = randomNotes()
	}
	c := collectionOf(model, b)
	c.spec.Settings.SetConcurrency(1 + int(seed)%9)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	others := map[string]bool{}
	for range random.IntN(30) { // which others have stored
		n := noteOf(random.IntN(200))
		n.Text = "of others"
		others[n.ID] = true
		b.put(api.Place{Partition: n.Topic, ID: n.ID}, *n)
	}
	b.fault = faults(random, []float64{0, 0.1, 0.3, 0.6}[seed%4])
	end := 1000
	if seed%7 == 0 {
		end = random.IntN(200)
	}
	seen, read := map[int]bool{}, 0
	source := func(yield func(*note) bool) {
		for n := range notesOf(200) {
			if read++; !yield(n) {
				return
			}
		}
	}
	for o := range c.CreateAll(Sequence(source), InBatches()).All(ctx) {
		if seen[o.Index] || o.Item.ID != fmt.Sprint("n", o.Index) {
			t.Errorf("seed %d: outcome %d of %+v", seed, o.Index, o.Item)
		}
		seen[o.Index] = true
		b.mu.Lock()
		stored, there := b.docs[api.Place{Partition: c.spec.Model.Text(c.spec.Model.Key(o.Item)), ID: o.Item.ID}]
		b.mu.Unlock()
		own := there && stored.Doc.Text == "text"
		if !errors.Is(o.Err, failure.ErrUnclear) && own != (o.Err == nil) || o.Err == nil && o.Item.ETag != stored.Version {
			t.Errorf("seed %d: outcome %d is %v, and stored is %+v", seed, o.Index, o.Err, stored)
		}
		if model.Random == nil && others[o.Item.ID] && o.Err == nil {
			t.Errorf("seed %d: %s of others is stored again", seed, o.Item.ID)
		}
		if len(seen) == end {
			cancel()
		}
	}
	if len(seen) != read || read < min(end, 200) {
		t.Errorf("seed %d: %d outcomes of %d items", seed, len(seen), read)
	}
	if b.largest < 2 && end > 200 && model.Random == nil {
		t.Errorf("seed %d: no batches", seed)
	}
	if end < 1000 {
		return b.largest
	}
	b.fault = faults(random, 0.3)
	deletesUnderFaults(ctx, t, seed, b, c)
	return b.largest
}

func deletesUnderFaults(ctx context.Context, t *testing.T, seed uint64, b *batching, c *Collection[note, noteKey]) {
	gone := map[int]bool{}
	for o := range c.DeleteAll(Sequence(keysOf(c, 210)), InBatches()).All(ctx) {
		gone[o.Index] = true
		b.mu.Lock()
		there := b.has(api.Place{Partition: c.spec.Model.Text(o.Item), ID: o.Item.ID})
		b.mu.Unlock()
		if !errors.Is(o.Err, failure.ErrUnclear) && there && (o.Err == nil || errors.Is(o.Err, failure.ErrNotFound)) {
			t.Errorf("seed %d: delete %d: %v, and it is there", seed, o.Index, o.Err)
		}
	}
	if c.spec.Model.Random == nil && len(gone) != 210 {
		t.Errorf("seed %d: %d deletions", seed, len(gone))
	}
}

// TestLeavingBatches leaves the loop while batches are under way.
func TestLeavingBatches(t *testing.T) {
	b := &batching{memory: newMemory()}
	c := collectionOf(plainNotes(), b)
	n := 0
	for o := range c.UpsertAll(Sequence(notesOf(5000)), InBatches()).All(context.Background()) {
		if o.Err != nil {
			t.Error(o.Err)
		}
		if n++; n == 300 {
			break
		}
	}
	sent := b.sent
	if n != 300 || len(b.docs) < 300 || b.sent != sent {
		t.Errorf("%d outcomes, %d stored", n, len(b.docs))
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	summary, err := c.CreateAll(Sequence(notesOf(50)), InBatches()).Collect(ended)
	if !errors.Is(err, context.Canceled) || summary.Items != 1 || summary.Unclear != 0 || b.sent != sent {
		t.Errorf("%+v, %v", summary, err)
	}
}
