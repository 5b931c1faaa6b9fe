package querytest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A tally counts something, and has some of the stamps.
type tally struct {
	ID      string          `json:"id"`
	Key     string          `json:"key"`
	Value   int             `json:"value"`
	Made    repository.Time `json:"made,omitzero"`
	Changed repository.Time `json:"changed,omitzero"`
	N       int             `json:"n,omitzero"`
	ETag    string          `json:"_etag,omitempty"`
}

type tallies = repository.Documents[tally, letterKey]

// newTallies is an empty container of tallies that have stamps of these names.
func newTallies(t testing.TB, created, updated, version string, opts ...repository.Option) (*harness.Account, *tallies) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{}, harness.Properties("tallies", "/key"), repository.Configure(harness.PerCall(harness.Intercepted)))
	var ticks atomic.Int64
	return server, repository.New(container, &generated.Model[tally, letterKey]{
		Type: "tally", Path: "/key",
		Key:  func(d *tally) letterKey { return letterKey{d.ID, d.Key} },
		ID:   letterModel.ID,
		Text: letterModel.Text,
		ETag: func(d *tally) *string { return &d.ETag },
		Stamps: &generated.Stamps[tally]{Created: created, Updated: updated, Version: version, Set: func(d *tally, at generated.Stamp) {
			if version != "" {
				d.N = int(at.Version)
			}
		}},
	}, append([]repository.Option{repository.WithClock(func() time.Time { return slipTime.Add(time.Duration(ticks.Add(1)) * time.Second) })}, opts...)...)
}

// tallyWrites store the tally "1" with others, in one batch.
var tallyWrites = map[string]func(context.Context, *tallies, *tally) error{
	"UpsertAll": func(ctx context.Context, d *tallies, doc *tally) error {
		_, err := d.UpsertAll(ctx, slices.Values([]*tally{doc, {ID: "2", Key: doc.Key, Value: doc.Value}}), repository.InBatches())
		return err
	},
	"transaction": func(ctx context.Context, d *tallies, doc *tally) error {
		tx := repository.NewTransaction()
		err := errors.Join(d.In(tx).Upsert(doc), d.In(tx).Upsert(&tally{ID: "2", Key: doc.Key, Value: doc.Value}))
		if err == nil {
			err = tx.Commit(ctx)
		}
		return err
	},
	"Upsert": func(ctx context.Context, d *tallies, doc *tally) error { return d.Upsert(ctx, doc) },
}

// TestSomeStampsCountOnce loses the answer to a write of a type that has some of the
// stamps: the version grows by one all the same.
func TestSomeStampsCountOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, names := range [][3]string{{"", "changed", "n"}, {"made", "changed", "n"}, {"made", "changed", ""}, {"made", "", "n"}, {"", "", "n"}} {
		for name, write := range tallyWrites {
			for _, before := range []int{0, 1} {
				t.Run(fmt.Sprint(names, name, before), func(t *testing.T) {
					t.Parallel()
					server, all := newTallies(t, names[0], names[1], names[2])
					for i := range before {
						if err := errors.Join(all.Create(ctx, &tally{ID: "1", Key: "k", Value: i}), all.Create(ctx, &tally{ID: "2", Key: "k"})); err != nil {
							t.Fatal(err)
						}
					}
					for _, op := range []string{emulator.OpExecuteBatch, emulator.OpCreateItem, emulator.OpReplaceItem} {
						server.Inject(emulator.Fault{Operation: op, Drop: true, After: true})
					}
					doc := &tally{ID: "1", Key: "k", Value: 7}
					err := write(ctx, all, doc)
					server.ClearFaults()
					now, missing := all.Get(ctx, letterKey{"1", "k"})
					if missing != nil {
						t.Fatal(missing)
					}
					if names[2] != "" && now.N != before+1 || now.Value != 7 || err != nil && !errors.Is(err, repository.ErrUnclear) || err == nil && doc.ETag != now.ETag {
						t.Errorf("got %+v: %v", now, err)
					}
				})
			}
		}
	}
}

// TestSomeStampsAtOneTime loses the request of a write before it acts, under a clock that
// does not move: what is stored has the time of the write already.
func TestSomeStampsAtOneTime(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, names := range [][3]string{{"", "changed", "n"}, {"made", "changed", "n"}, {"made", "changed", ""}, {"made", "", "n"}} {
		for name, write := range tallyWrites {
			t.Run(fmt.Sprint(names, name), func(t *testing.T) {
				t.Parallel()
				server, all := newTallies(t, names[0], names[1], names[2], repository.WithClock(func() time.Time { return slipTime }))
				if err := errors.Join(all.Create(ctx, &tally{ID: "1", Key: "k"}), all.Create(ctx, &tally{ID: "2", Key: "k"})); err != nil {
					t.Fatal(err)
				}
				for _, op := range []string{emulator.OpExecuteBatch, emulator.OpReplaceItem} {
					server.Inject(emulator.Fault{Operation: op, Drop: true})
				}
				err := write(ctx, all, &tally{ID: "1", Key: "k", Value: 7})
				now, missing := all.Get(ctx, letterKey{"1", "k"})
				if missing != nil {
					t.Fatal(missing)
				}
				if took := now.Value == 7; took != (err == nil) || err != nil && !errors.Is(err, repository.ErrUnclear) {
					t.Errorf("got %+v: %v", now, err)
				}
			})
		}
	}
}

// TestReplaceOfOneVersion lets two programs count from one version. The request of one is
// lost before it acts: it does not take for its own what the other has made of the tally.
func TestReplaceOfOneVersion(t *testing.T) {
	t.Parallel()
	for _, names := range [][3]string{{"", "changed", "n"}, {"made", "changed", ""}, {"made", "", "n"}, {"", "", "n"}, {"made", "", ""}} {
		t.Run(fmt.Sprint(names), func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			server, all := newTallies(t, names[0], names[1], names[2])
			one := &tally{ID: "1", Key: "k"}
			if err := all.Create(ctx, one); err != nil {
				t.Fatal(err)
			}
			one.Value++
			other := *one
			server.Inject(emulator.Fault{Operation: emulator.OpReplaceItem, Drop: true})
			reads, failed := 0, errors.New("the other program did not write")
			err := all.Replace(harness.Intercept(ctx, harness.Before(func() {
				if reads++; reads == 2 {
					failed = all.Replace(ctx, &other)
				}
			}, http.MethodGet)), one)
			if failed != nil {
				t.Fatal(failed)
			}
			if !errors.Is(err, repository.ErrPreconditionFailed) || !errors.Is(err, repository.ErrUnclear) {
				t.Errorf("got %v", err)
			}
		})
	}
}
