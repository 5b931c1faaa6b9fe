package querytest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

type tallies = repository.Documents[fixtures.Task, fixtures.TaskKey]

// newTallies is an empty container of tasks that have only the stamps of these names.
func newTallies(t testing.TB, created, updated, version string, opts ...repository.Option) (*harness.Account, *tallies) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{}, harness.Properties("tallies", "/owner"), repository.Configure(harness.PerCall(harness.Intercepted)))
	var ticks atomic.Int64
	model := *fixtures.TaskModel
	stamps := *model.Stamps
	stamps.Created, stamps.Updated, stamps.Version = created, updated, version
	model.Stamps = &stamps
	return server, repository.New(container, &model, append([]repository.Option{repository.WithClock(func() time.Time { return slipTime.Add(time.Duration(ticks.Add(1)) * time.Second) })}, opts...)...)
}

// tallyWrites store the tally "1" with others, in one batch.
var tallyWrites = map[string]func(context.Context, *tallies, *fixtures.Task) error{
	"UpsertAll": func(ctx context.Context, d *tallies, doc *fixtures.Task) error {
		_, err := d.UpsertAll(documents.Items([]*fixtures.Task{doc, {ID: "2", Owner: doc.Owner, Value: doc.Value}}...), documents.InBatches()).Collect(ctx)
		return err
	},
	"transaction": func(ctx context.Context, d *tallies, doc *fixtures.Task) error {
		tx := repository.NewTransaction()
		err := errors.Join(d.In(tx).Upsert(doc), d.In(tx).Upsert(&fixtures.Task{ID: "2", Owner: doc.Owner, Value: doc.Value}))
		if err == nil {
			err = tx.Commit(ctx)
		}
		return err
	},
	"Upsert": func(ctx context.Context, d *tallies, doc *fixtures.Task) error { return d.Upsert(ctx, doc) },
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
						if err := errors.Join(all.Create(ctx, &fixtures.Task{ID: "1", Owner: "k", Value: i}), all.Create(ctx, &fixtures.Task{ID: "2", Owner: "k"})); err != nil {
							t.Fatal(err)
						}
					}
					for _, op := range []string{emulator.OpExecuteBatch, emulator.OpCreateItem, emulator.OpReplaceItem} {
						server.Inject(emulator.Fault{Operation: op, Drop: true, After: true})
					}
					doc := &fixtures.Task{ID: "1", Owner: "k", Value: 7}
					err := write(ctx, all, doc)
					server.ClearFaults()
					now, missing := all.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "k"})
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
				if err := errors.Join(all.Create(ctx, &fixtures.Task{ID: "1", Owner: "k"}), all.Create(ctx, &fixtures.Task{ID: "2", Owner: "k"})); err != nil {
					t.Fatal(err)
				}
				for _, op := range []string{emulator.OpExecuteBatch, emulator.OpReplaceItem} {
					server.Inject(emulator.Fault{Operation: op, Drop: true})
				}
				err := write(ctx, all, &fixtures.Task{ID: "1", Owner: "k", Value: 7})
				now, missing := all.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "k"})
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
			one := &fixtures.Task{ID: "1", Owner: "k"}
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
