package soak

import (
	"context"
	"errors"
	cmdline "flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

var soakFor = cmdline.Duration("soak", 3*time.Second, "how long TestSoak writes, reads and splits")

// TestSoak has writers, readers and a change feed at work on one container while
// its physical partitions are split and requests fail, before their effect and
// after it. In the end the container holds what the writers were told, and the
// change feed has delivered each of these versions once.
func TestSoak(t *testing.T) {
	seeds.Long(t)
	defer harness.Settled(t)
	server, events := kit.NewFleet(t)
	s := &soak{T: t, server: server, events: events}
	ctx, stop := context.WithTimeout(t.Context(), *soakFor)
	defer stop()

	var writers [4]soakWriter
	var work sync.WaitGroup
	for i := range writers {
		writers[i] = soakWriter{soak: s, name: "w" + strconv.Itoa(i), r: rand.New(rand.NewPCG(uint64(i), 0)), stored: map[string]int{}}
		work.Go(func() { writers[i].run(ctx) })
	}
	work.Go(func() { s.read(ctx) })
	work.Go(func() { s.trouble(ctx) })
	feed := soakFeed{soak: s, latest: map[string]int{}, seen: map[string]bool{}}
	work.Go(func() { feed.follow(ctx) })
	work.Wait()
	server.ClearFaults()
	feed.finish()

	stored := map[string]int{}
	writes := 0
	for i := range writers {
		writes += writers[i].writes
		maps.Copy(stored, writers[i].stored)
	}
	for e, err := range events.Scan().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if want, ok := stored[e.ID]; !ok || want != e.Speed {
			t.Errorf("stored is %s with %d, want %d, %t", e.ID, e.Speed, want, ok)
		}
		if got := feed.latest[e.ID]; got != e.Speed {
			t.Errorf("the change feed ended with %d for %s, which is %d", got, e.ID, e.Speed)
		}
		delete(stored, e.ID)
	}
	for id := range stored {
		t.Errorf("%s is lost", id)
	}
	if writes == 0 || len(feed.seen) == 0 || s.splits == 0 || s.reads == 0 {
		t.Error("somebody has done nothing")
	}
	t.Logf("%d writes, %d changes, %d splits, %d reads", writes, len(feed.seen), s.splits, s.reads)
}

type soak struct {
	*testing.T
	server        *harness.Account
	events        *fleet.VehicleEventRepository
	splits, reads int
}

// trouble splits a physical partition every now and then, and lets requests fail.
func (s *soak) trouble(ctx context.Context) {
	r := rand.New(rand.NewPCG(9, 9))
	for id := 0; ctx.Err() == nil; id++ {
		s.server.ClearFaults()
		for i, f := range []emulator.Fault{
			{Drop: true}, {Drop: true, After: true},
			{Status: http.StatusTooManyRequests, RetryAfter: time.Millisecond},
			{Status: http.StatusServiceUnavailable, After: true},
			{Status: http.StatusInternalServerError},
			{Status: http.StatusGone, Substatus: 1002, Method: http.MethodGet},
		} {
			f.Path, f.Count, f.Probability, f.Seed = "/docs", -1, 0.004, r.Uint64()+uint64(i)
			s.server.Inject(f)
		}
		if id < 12 { // ids are given in order, and halves get the next ones
			if err := s.server.Split("db", "vehicle-event", strconv.Itoa(id)); err != nil {
				s.Errorf("split of %d: %v", id, err)
			}
			s.splits++
		}
		select {
		case <-time.After(max(*soakFor/15, 100*time.Millisecond)):
		case <-ctx.Done():
		}
	}
}

// read collects the day again and again: no document may come twice.
func (s *soak) read(ctx context.Context) {
	for ctx.Err() == nil {
		seen := map[string]bool{}
		for e, err := range s.events.ByDate(kit.Day).All(ctx) {
			if err != nil {
				s.tolerate(ctx, "query", err)
				break
			}
			if seen[e.ID] {
				s.Errorf("a query gave %s twice", e.ID)
			}
			seen[e.ID] = true
		}
		s.reads++
	}
}

// tolerate reports errors that the faults do not explain.
func (s *soak) tolerate(ctx context.Context, what string, err error) {
	var own *repository.Error
	if ctx.Err() != nil || errors.Is(err, repository.ErrUnclear) ||
		errors.As(err, &own) && slices.Contains([]int{0, 429, 500, 503, 410}, own.Status) {
		return
	}
	s.Errorf("%s: %v", what, err)
}

// soakWriter writes documents of its own, and knows what is stored of them.
type soakWriter struct {
	*soak
	name   string
	r      *rand.Rand
	stored map[string]int // speed by id
	next   int
	writes int
}

func (w *soakWriter) event(id string, speed int) *fleet.VehicleEvent {
	return &fleet.VehicleEvent{ID: id, Date: kit.Day, VIN: "VIN" + id, Speed: speed}
}

// any returns a document that is stored, or "".
func (w *soakWriter) any() string {
	for id := range w.stored {
		return id
	}
	return ""
}

// run writes until ctx ends. It waits for the last write, because an abandoned
// write may reach the service after the last check.
func (w *soakWriter) run(ctx context.Context) {
	end := ctx
	ctx = context.WithoutCancel(ctx)
	for end.Err() == nil {
		w.writes++
		id := w.any()
		if id == "" || w.r.IntN(4) == 0 {
			w.next++
			id = w.name + "-" + strconv.Itoa(w.next)
			w.note(ctx, id, 1, w.events.Create(ctx, w.event(id, 1)))
			continue
		}
		speed := w.stored[id]
		key := w.event(id, 0).Key()
		switch w.r.IntN(6) {
		case 0:
			w.note(ctx, id, speed+1, w.events.Upsert(ctx, w.event(id, speed+1)))
		case 1:
			w.note(ctx, id, speed+1, w.events.Update(ctx, key, func(e *fleet.VehicleEvent) error { e.Speed++; return nil }))
		case 2:
			w.note(ctx, id, speed+1, w.events.Patch(ctx, key, fleet.VehicleEventPatch.Speed.Increment(1)))
		case 3:
			w.note(ctx, id, 0, w.events.Delete(ctx, key))
		case 4:
			w.many(ctx)
		case 5:
			tx := repository.NewTransaction()
			if err := w.events.In(tx).Upsert(w.event(id, speed+1)); err != nil {
				w.Errorf("transaction: %v", err)
			}
			w.note(ctx, id, speed+1, tx.Commit(ctx))
		}
	}
}

// many stores documents in bulk.
func (w *soakWriter) many(ctx context.Context) {
	var docs []*fleet.VehicleEvent
	for range 30 {
		w.next++
		docs = append(docs, w.event(w.name+"-"+strconv.Itoa(w.next), 1))
	}
	told := map[string]bool{}
	for o := range w.events.CreateAll(documents.Items(docs...), documents.InBatches()).All(ctx) {
		told[o.Item.ID] = true
		w.note(ctx, o.Item.ID, 1, o.Err)
	}
	if len(told) != len(docs) {
		w.Errorf("%d of %d documents have an outcome", len(told), len(docs))
	}
}

// note keeps the version that a write has stored. If the outcome is unclear, it
// reads the document without faults.
func (w *soakWriter) note(ctx context.Context, id string, speed int, err error) {
	if err == nil {
		w.keep(id, speed)
		return
	}
	w.tolerate(ctx, fmt.Sprintf("write of %s", id), err)
	for {
		got, readErr := w.events.Get(ctx, w.event(id, 0).Key())
		switch {
		case errors.Is(readErr, repository.ErrNotFound):
			w.keep(id, 0)
		case readErr != nil:
			continue
		default:
			if before := w.stored[id]; got.Speed != before && got.Speed != speed {
				w.Errorf("%s had speed %d and was to have %d, and has %d after %v", id, before, speed, got.Speed, err)
			}
			w.keep(id, got.Speed)
		}
		return
	}
}

func (w *soakWriter) keep(id string, speed int) {
	if speed == 0 {
		delete(w.stored, id)
		return
	}
	w.stored[id] = speed
}

// soakFeed follows the change feed, and begins again at its cursor every now and
// then.
type soakFeed struct {
	*soak
	cursor string
	latest map[string]int
	seen   map[string]bool // versions
}

func (f *soakFeed) follow(ctx context.Context) {
	r := rand.New(rand.NewPCG(7, 7))
	for ctx.Err() == nil {
		left := 1 + r.IntN(200)
		for c, err := range feed.Changes(ctx, f.events.Documents, f.from(), feed.PollEvery(50*time.Millisecond)) {
			if err != nil {
				f.tolerate(ctx, "change feed", err)
				break
			}
			f.take(c)
			if left--; left == 0 {
				break
			}
		}
	}
}

// finish reads the remaining changes.
func (f *soakFeed) finish() {
	for c, err := range feed.Changes(context.Background(), f.events.Documents, f.from(), feed.UntilCaughtUp()) {
		if err != nil {
			f.Fatal(err)
		}
		f.take(c)
	}
}

func (f *soakFeed) from() feed.From {
	if f.cursor == "" {
		return feed.FromBeginning()
	}
	return feed.FromCursor(f.cursor)
}

func (f *soakFeed) take(c feed.Change[fleet.VehicleEvent]) {
	version := c.Doc.ID + " " + c.Doc.ETag
	if f.seen[version] {
		f.Errorf("the change feed gave %s with speed %d twice", c.Doc.ID, c.Doc.Speed)
	}
	f.seen[version] = true
	f.latest[c.Doc.ID] = c.Doc.Speed
	f.cursor = c.Cursor()
}
