package azurite

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/faults"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/tables"
)

// batchEvents are n events of each of three devices, with apostrophes in their keys.
func batchEvents(n int) []*tables.Event {
	var all []*tables.Event
	for i := range 3 * n {
		all = append(all, &tables.Event{ID: fmt.Sprint("it's ", i), Device: fmt.Sprint("d'", i%3), At: time.Date(2024, 2, 29, 0, 0, i, 0, time.UTC), Text: "né"})
	}
	return all
}

func keysOf(all []*tables.Event) iter.Seq[tables.EventKey] {
	return func(yield func(tables.EventKey) bool) {
		for _, e := range all {
			if !yield(e.Key()) {
				return
			}
		}
	}
}

// noEvents returns a repository of an empty table.
func noEvents(t *testing.T, address string) *tables.EventRepository {
	t.Helper()
	service := Service(t, address)
	if _, err := service.DeleteTable(context.Background(), "events", nil); err != nil {
		t.Log("no table of another test")
	}
	if err := tables.EnsureEventTable(context.Background(), service); err != nil {
		t.Fatal(err)
	}
	return tables.NewEventRepository(service)
}

// TestBatches asks Azurite for entity group transactions: what they store, and what a
// refused one leaves.
func TestBatches(t *testing.T) {
	r := noEvents(t, server.Address())
	all := batchEvents(120)
	do := func(name string, want int, f func(context.Context) (documents.Summary, error)) (documents.Summary, error) {
		t.Helper()
		var m documents.Meter
		s, err := f(documents.WithMeter(context.Background(), &m))
		if m.Requests() != want {
			t.Errorf("%s: %d requests, want %d", name, m.Requests(), want)
		}
		return s, err
	}
	inTheWay := *all[7]
	inTheWay.Text = "of another"
	if err := r.Create(context.Background(), &inTheWay); err != nil {
		t.Fatal(err)
	}
	s, err := do("create", 6+3, func(ctx context.Context) (documents.Summary, error) {
		return r.CreateAll(documents.Items(all...), documents.InBatches()).Collect(ctx)
	})
	if !errors.Is(err, documents.ErrAlreadyExists) || s.Items != 360 || s.Failed != 1 || s.AlreadyExists != 1 || s.Unclear != 0 {
		t.Errorf("create: %+v, %v", s, err)
	}
	read, err := r.GetMany(context.Background(), slices.Collect(keysOf(all)))
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range read {
		switch {
		case e == nil:
			t.Errorf("event %d is not there", i)
		case i == 7 && e.Text != "of another", i != 7 && (e.Text != "né" || e.ETag != all[i].ETag):
			t.Errorf("event %d is %+v, and was written as %+v", i, e, all[i])
		}
	}
	for _, e := range all {
		e.Text = "upserted"
	}
	s, err = do("upsert", 6, func(ctx context.Context) (documents.Summary, error) {
		return r.UpsertAll(documents.Items(all...), documents.InBatches()).Collect(ctx)
	})
	if err != nil || s.Failed != 0 {
		t.Errorf("upsert: %+v, %v", s, err)
	}
	if e, err := r.Get(context.Background(), all[7].Key()); err != nil || e.Text != "upserted" || e.ETag != all[7].ETag {
		t.Errorf("%+v, %v", e, err)
	}
	more := batchEvents(121)
	s, err = do("delete", 6+3*2, func(ctx context.Context) (documents.Summary, error) {
		return r.DeleteAll(documents.Sequence(keysOf(more)), documents.InBatches()).Collect(ctx)
	})
	if !errors.Is(err, documents.ErrNotFound) || s.Items != 363 || s.NotFound != 3 || s.Failed != 3 {
		t.Errorf("delete: %+v, %v", s, err)
	}
	if n, err := r.Scan().Count(context.Background()); err != nil || n != 0 {
		t.Errorf("%d are left, %v", n, err)
	}
}

// TestBatchesUnderFaults breaks connections before and after batches take effect.
func TestBatchesUnderFaults(t *testing.T) {
	proxy, err := faults.New(server.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Close)
	ctx := context.Background()
	r := noEvents(t, proxy.Addr())
	all := batchEvents(20)
	for _, moment := range []faults.Moment{faults.Before, faults.After} {
		before := proxy.Dropped()
		proxy.Drop(moment, 2, nil)
		if s, err := r.CreateAll(documents.Items(all...), documents.InBatches()).Collect(ctx); err != nil || s.Items != 60 || s.Failed != 0 {
			t.Errorf("create: %+v, %v", s, err)
		}
		for _, e := range all {
			if found, err := r.Get(ctx, e.Key()); err != nil || found.ETag != e.ETag {
				t.Errorf("%+v, %v", found, err)
			}
		}
		proxy.Drop(moment, 2, nil)
		if s, err := r.DeleteAll(documents.Sequence(keysOf(all)), documents.InBatches()).Collect(ctx); err != nil || s.Items != 60 || s.Failed != 0 {
			t.Errorf("delete: %+v, %v", s, err)
		}
		if n, err := r.Scan().Count(ctx); err != nil || n != 0 || proxy.Dropped() != before+4 {
			t.Errorf("%d are left, %v, after %d faults", n, err, proxy.Dropped()-before)
		}
		for _, e := range all {
			e.ETag, e.Stored = "", ""
		}
	}
}
