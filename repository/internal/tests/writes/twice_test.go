package writes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/proxytest"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestWritesTwice has a proxy that repeats each write: the first request takes effect, and
// the second answer comes back. A write is acknowledged, or its error matches ErrUnclear:
// it never has a definite error, and is never acknowledged with two effects.
func TestWritesTwice(t *testing.T) {
	t.Parallel()
	type tasks = repository.Documents[fixtures.Task, fixtures.TaskKey]
	ctx := context.Background()
	key := fixtures.TaskKey{ID: "1", Owner: "o"}
	for _, test := range []struct {
		name    string
		creates bool
		run     func(d *tasks, doc *fixtures.Task) error
		unclear bool // without stamps, it cannot be told
	}{
		{"Create", true, func(d *tasks, doc *fixtures.Task) error { return d.Create(ctx, doc) }, true},
		{"CreateAll", true, func(d *tasks, doc *fixtures.Task) error {
			_, err := d.CreateAll(documents.Items(doc)).Collect(ctx)
			return err
		}, true},
		{"CreateAll in batches", true, func(d *tasks, doc *fixtures.Task) error {
			other := *doc
			other.ID = "2"
			_, err := d.CreateAll(documents.Items(doc, &other), documents.InBatches()).Collect(ctx)
			return err
		}, true},
		{"Create in a transaction", true, func(d *tasks, doc *fixtures.Task) error {
			return kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Create(doc) })
		}, true},
		{"Upsert", true, func(d *tasks, doc *fixtures.Task) error { return d.Upsert(ctx, doc) }, false},
		{"Upsert of one that is there", false, func(d *tasks, doc *fixtures.Task) error { return d.Upsert(ctx, doc) }, false},
		{"Replace", false, func(d *tasks, doc *fixtures.Task) error { doc.ETag = ""; return d.Replace(ctx, doc) }, false},
		{"Replace on ETag", false, func(d *tasks, doc *fixtures.Task) error { return d.Replace(ctx, doc) }, true},
		{"Replace on ETag in a transaction", false, func(d *tasks, doc *fixtures.Task) error {
			return kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Replace(doc) })
		}, true},
		{"PatchIf on ETag", false, func(d *tasks, doc *fixtures.Task) error {
			return d.PatchIf(ctx, key, documents.String[fixtures.Task, string]("/_etag").Eq(doc.ETag), taskValue.Set(doc.Value))
		}, true},
		{"PatchIf", false, func(d *tasks, doc *fixtures.Task) error {
			return d.PatchIf(ctx, key, documents.Number[fixtures.Task, int]("/value").Eq(1), taskValue.Set(doc.Value))
		}, true},
	} {
		for i := range 4 {
			stamped, collide := i&1 == 0, i&2 == 0
			t.Run(fmt.Sprint(test.name, " stamped ", stamped, ", keys that can collide ", collide), func(t *testing.T) {
				t.Parallel()
				model := *fixtures.PlainTaskModel
				if stamped {
					model = *fixtures.TaskModel
				}
				model.Ambiguous = collide
				_, proxy, d, direct := kit.NewTwice(t, &model, "/owner")
				doc := &fixtures.Task{ID: "1", Owner: "o", Value: 1}
				if !test.creates {
					if err := direct.Create(ctx, doc); err != nil {
						t.Fatal(err)
					}
				}
				doc.Value = 2
				proxy.Fate = proxytest.Writes(proxytest.Twice, kit.AllWrites...)
				err := test.run(d, doc)
				if test.unclear && !stamped && !errors.Is(err, repository.ErrUnclear) || (!test.unclear || stamped) && err != nil {
					t.Errorf("got %v", err)
				}
				if proxy.Repeated() == 0 {
					t.Error("nothing was repeated")
				}
				now, err := direct.Get(ctx, key)
				if err != nil || now.Value != 2 {
					t.Fatalf("stored: %+v, %v", now, err)
				}
				if want := 2; stamped && !test.creates && now.N != want {
					t.Errorf("version %d, want %d", now.N, want)
				}
			})
		}
	}
}

// TestIncrementsTwice has a proxy that repeats each request of what counts. A type with a
// time of its last write counts once, and the caller learns that it did.
func TestIncrementsTwice(t *testing.T) {
	t.Parallel()
	type tasks = repository.Documents[fixtures.Task, fixtures.TaskKey]
	ctx := context.Background()
	key := fixtures.TaskKey{ID: "1", Owner: "o"}
	for name, run := range map[string]func(d *tasks) error{
		"Patch": func(d *tasks) error { return d.Patch(ctx, key, taskValue.Increment(1)) },
		"PatchIf": func(d *tasks) error {
			return d.PatchIf(ctx, key, documents.Number[fixtures.Task, int]("/value").Lt(5), taskValue.Increment(1))
		},
		"PatchAndGet": func(d *tasks) error {
			doc, err := d.PatchAndGet(ctx, key, taskValue.Increment(1))
			if err == nil && doc.Value != 2 {
				t.Errorf("PatchAndGet returned the value %d", doc.Value)
			}
			return err
		},
		"Patch in a transaction": func(d *tasks) error {
			return kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Patch(key, taskValue.Increment(1)) })
		},
		"Update": func(d *tasks) error {
			return d.Update(ctx, key, func(t *fixtures.Task) error { t.Value++; return nil })
		},
	} {
		for _, model := range []string{"all stamps", "updated alone", "keys that can collide"} {
			t.Run(name+" "+model, func(t *testing.T) {
				t.Parallel()
				m := *fixtures.TaskModel
				switch model {
				case "updated alone":
					stamps := *m.Stamps
					stamps.Created, stamps.Version = "", ""
					m.Stamps = &stamps
				case "keys that can collide":
					m.Ambiguous = true
				}
				_, proxy, d, direct := kit.NewTwice(t, &m, "/owner")
				if err := direct.Create(ctx, &fixtures.Task{ID: "1", Owner: "o", Value: 1}); err != nil {
					t.Fatal(err)
				}
				proxy.Fate = proxytest.Writes(proxytest.Twice, kit.AllWrites...)
				if err := run(d); err != nil {
					t.Errorf("got %v", err)
				}
				now, err := direct.Get(ctx, key)
				if err != nil || now.Value != 2 {
					t.Errorf("stored: %+v, %v", now, err)
				}
			})
		}
	}
}

// TestIncrementsOvertaken has patches that count, whose answer is lost, and another program
// that counts before pkgen can send them again: the time of the first one is no longer in the
// document then. Nothing is counted twice.
func TestIncrementsOvertaken(t *testing.T) {
	t.Parallel()
	type tasks = repository.Documents[fixtures.Task, fixtures.TaskKey]
	ctx := context.Background()
	key := fixtures.TaskKey{ID: "1", Owner: "o"}
	for name, run := range map[string]func(d *tasks) error{
		"Patch": func(d *tasks) error { return d.Patch(ctx, key, taskValue.Increment(1)) },
		"PatchIf": func(d *tasks) error {
			return d.PatchIf(ctx, key, documents.Number[fixtures.Task, int]("/value").Lt(50), taskValue.Increment(1))
		},
		"Patch in a transaction": func(d *tasks) error {
			return kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Patch(key, taskValue.Increment(1)) })
		},
	} {
		for _, fate := range []proxytest.Fate{proxytest.Answerless, proxytest.Dropped, proxytest.Twice} {
			for kind, change := range map[string]func(m *generated.Model[fixtures.Task, fixtures.TaskKey]){
				"plain":                 func(*generated.Model[fixtures.Task, fixtures.TaskKey]) {},
				"keys that can collide": func(m *generated.Model[fixtures.Task, fixtures.TaskKey]) { m.Ambiguous = true },
				"documents with a form": func(m *generated.Model[fixtures.Task, fixtures.TaskKey]) {
					m.Schema = &generated.Schema[fixtures.Task]{Property: "form", Number: 1, Set: func(*fixtures.Task) {}}
				},
			} {
				if fate == proxytest.Twice && kind == "keys that can collide" {
					continue // each conflict begins anew: see docs/errors.md
				}
				t.Run(fmt.Sprint(name, " fate ", fate, ", ", kind), func(t *testing.T) {
					t.Parallel()
					m := *fixtures.TaskModel
					change(&m)
					_, proxy, d, direct := kit.NewTwice(t, &m, "/owner")
					if err := direct.Create(ctx, &fixtures.Task{ID: "1", Owner: "o", Value: 1}); err != nil {
						t.Fatal(err)
					}
					met := 0
					proxy.Fate = func(r *http.Request) proxytest.Fate {
						if r.Method == http.MethodGet && met == 0 {
							return proxytest.Passes
						}
						if met++; met == 1 {
							return fate
						}
						if met == 2 {
							if err := direct.Patch(ctx, key, taskValue.Increment(10)); err != nil {
								t.Error(err)
							}
						}
						return proxytest.Passes
					}
					err := run(d)
					conditional := fate == proxytest.Twice && name == "PatchIf" // its condition may be why
					if err != nil && !errors.Is(err, repository.ErrUnclear) && !conditional {
						t.Errorf("got %v", err)
					}
					want := 2
					if met > 1 {
						want += 10
					}
					if fate == proxytest.Dropped && err != nil {
						want--
					}
					if now, readErr := direct.Get(ctx, key); readErr != nil || now.Value != want {
						t.Errorf("%d is stored, not %d, and the error was %v; %v", now.Value, want, err, readErr)
					}
				})
			}
		}
	}
}

// TestRefusalsStayDefinite has writes that are refused for reasons of their own, and the
// requests that it takes to know.
func TestRefusalsStayDefinite(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server, _, d, _ := kit.NewTwice(t, fixtures.PlainTaskModel, "/owner")
	key := fixtures.TaskKey{ID: "1", Owner: "o"}
	doc := &fixtures.Task{ID: "1", Owner: "o", Value: 1}
	if err := d.Create(ctx, doc); err != nil {
		t.Fatal(err)
	}
	stale := *doc
	doc.Value = 2
	if err := d.Replace(ctx, doc); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		want error
		run  func() error
	}{
		"Create of another":  {repository.ErrAlreadyExists, func() error { return d.Create(ctx, &fixtures.Task{ID: "1", Owner: "o", Value: 3}) }},
		"Replace of another": {repository.ErrPreconditionFailed, func() error { old := stale; old.Value = 3; return d.Replace(ctx, &old) }},
		"PatchIf": {repository.ErrPreconditionFailed, func() error {
			return d.PatchIf(ctx, key, documents.Number[fixtures.Task, int]("/value").Eq(7), taskValue.Set(8))
		}},
	} {
		server.ResetRequests()
		err := test.run()
		if !errors.Is(err, test.want) || errors.Is(err, repository.ErrUnclear) {
			t.Errorf("%s: got %v", name, err)
		}
		if n := server.Documents()[emulator.OpReadItem]; n > 1 {
			t.Errorf("%s: %d reads", name, n)
		}
	}
	// What was there long before was not stored by this write.
	server.Advance(time.Minute)
	if err := d.Create(ctx, &fixtures.Task{ID: "1", Owner: "o", Value: 2}); !errors.Is(err, repository.ErrAlreadyExists) || errors.Is(err, repository.ErrUnclear) {
		t.Errorf("Create of the same: got %v", err)
	}
}

// TestReadsFailAfterRefusals has a proxy that repeats each write, and a context that ends
// with the read that follows a refusal: the write may have caused that itself.
func TestReadsFailAfterRefusals(t *testing.T) {
	t.Parallel()
	type tasks = repository.Documents[fixtures.Task, fixtures.TaskKey]
	ctx := context.Background()
	key := fixtures.TaskKey{ID: "1", Owner: "o"}
	for name, test := range map[string]struct {
		collide bool
		run     func(ctx context.Context, d *tasks) error
	}{
		"Update": {false, func(ctx context.Context, d *tasks) error {
			return d.Update(ctx, key, func(t *fixtures.Task) error { t.Value++; return nil })
		}},
		"Upsert": {true, func(ctx context.Context, d *tasks) error {
			return d.Upsert(ctx, &fixtures.Task{ID: "1", Owner: "o", Value: 2})
		}},
		"Replace": {true, func(ctx context.Context, d *tasks) error {
			return d.Replace(ctx, &fixtures.Task{ID: "1", Owner: "o", Value: 2})
		}},
		"Patch": {true, func(ctx context.Context, d *tasks) error { return d.Patch(ctx, key, taskValue.Set(2)) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := *fixtures.PlainTaskModel
			model.Ambiguous = test.collide
			_, proxy, d, direct := kit.NewTwice(t, &model, "/owner")
			if err := direct.Create(ctx, &fixtures.Task{ID: "1", Owner: "o", Value: 1}); err != nil {
				t.Fatal(err)
			}
			ending, end := context.WithCancel(ctx)
			defer end()
			var written atomic.Bool
			proxy.Fate = func(r *http.Request) proxytest.Fate {
				switch {
				case r.Method != http.MethodGet:
					written.Store(true)
					return proxytest.Twice
				case written.Load() && strings.Contains(r.URL.Path, "/docs/"):
					end()
					return proxytest.Dropped
				}
				return proxytest.Passes
			}
			if err := test.run(ending, d); !errors.Is(err, repository.ErrUnclear) {
				t.Errorf("got %v", err)
			}
			if now, err := direct.Get(ctx, key); err != nil || now.Value != 2 {
				t.Errorf("stored: %+v, %v", now, err)
			}
		})
	}
}

// TestTransactionsThatDeleteTwice has a proxy that repeats a transaction whose first
// operation deletes a document: the second request finds none, and the first has stored
// another document.
func TestTransactionsThatDeleteTwice(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, stamped := range []bool{true, false} {
		model := *fixtures.PlainTaskModel
		if stamped {
			model = *fixtures.TaskModel
		}
		_, proxy, d, direct := kit.NewTwice(t, &model, "/owner")
		if err := direct.Create(ctx, &fixtures.Task{ID: "gone", Owner: "o"}); err != nil {
			t.Fatal(err)
		}
		proxy.Fate = proxytest.Writes(proxytest.Twice, kit.AllWrites...)
		err := kit.Commit(ctx, func(tx *repository.Transaction) error {
			return errors.Join(d.In(tx).Delete(fixtures.TaskKey{ID: "gone", Owner: "o"}), d.In(tx).Create(&fixtures.Task{ID: "1", Owner: "o", Value: 2}))
		})
		if stamped && err != nil || !stamped && !errors.Is(err, repository.ErrUnclear) {
			t.Errorf("stamped %t: %v", stamped, err)
		}
		if now, err := direct.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "o"}); err != nil || now.Value != 2 {
			t.Errorf("stored: %+v, %v", now, err)
		}
	}
}

// TestBatchTwiceUnread has a proxy that repeats a batch that creates documents, and a caller
// that gives up before pkgen has read why the second one was refused.
func TestBatchTwiceUnread(t *testing.T) {
	t.Parallel()
	_, proxy, d, _ := kit.NewTwice(t, fixtures.PlainTaskModel, "/owner")
	ctx, cancel := context.WithCancel(t.Context())
	proxy.Fate = func(r *http.Request) proxytest.Fate {
		if r.Method == http.MethodPost {
			return proxytest.Twice
		}
		if strings.Contains(r.URL.Path, "/docs/") {
			cancel()
		}
		return proxytest.Passes
	}
	_, err := d.CreateAll(documents.Sequence(kit.These(&fixtures.Task{ID: "1", Owner: "o"}, &fixtures.Task{ID: "2", Owner: "o"})), documents.InBatches()).Collect(ctx)
	var bulk *documents.BulkError
	if !errors.As(err, &bulk) || len(bulk.Failures) != 2 {
		t.Fatalf("got %v", err)
	}
	for _, f := range bulk.Failures {
		if !errors.Is(f.Err, repository.ErrUnclear) {
			t.Errorf("a definite error of a document that is stored: %v", f.Err)
		}
	}
}

// TestBlindTransactionTwice has a proxy that repeats a transaction which stores documents in
// place of any version, by a clock that does not tell whose they are: equal ones are as good,
// and each counts as one version.
func TestBlindTransactionTwice(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for name, store := range map[string]func(d repository.TransactionOf[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) error{
		"Replace": func(d repository.TransactionOf[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) error {
			return d.Replace(doc)
		},
		"Upsert": func(d repository.TransactionOf[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) error {
			return d.Upsert(doc)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, proxy, d, direct := kit.NewTwice(t, fixtures.TaskModel, "/owner", repository.WithClock(func() time.Time { return noon }))
			docs := []*fixtures.Task{{ID: "1", Owner: "o", Value: 1}, {ID: "2", Owner: "o", Value: 1}}
			for _, doc := range docs {
				if err := direct.Create(ctx, doc); err != nil {
					t.Fatal(err)
				}
				doc.Value, doc.ETag = 2, ""
			}
			proxy.Fate = proxytest.Writes(proxytest.Twice, kit.AllWrites...)
			tx := repository.NewTransaction()
			if err := errors.Join(store(d.In(tx), docs[0]), store(d.In(tx), docs[1]), tx.Commit(ctx)); err != nil {
				t.Fatal(err)
			}
			for _, doc := range docs {
				if now, err := direct.Get(ctx, fixtures.TaskKey{ID: doc.ID, Owner: doc.Owner}); err != nil || now.Value != 2 || now.N != 2 {
					t.Errorf("%+v, %v", now, err)
				}
			}
			if proxy.Repeated() != 1 {
				t.Errorf("%d requests were repeated", proxy.Repeated())
			}
		})
	}
}

// TestPurgesTwice has a proxy that repeats a purge, and another program that stores a document
// under the id before pkgen looks again: that one is not marked, and stays.
func TestPurgesTwice(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	key := fixtures.ParcelKey{ID: "1", Owner: "o"}
	_, proxy, d, direct := kit.NewTwice(t, fixtures.ParcelModel, "/owner")
	kit.MustPass(t, direct.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o"}), direct.Delete(ctx, key))
	var sent, looked atomic.Bool
	proxy.Fate = func(r *http.Request) proxytest.Fate {
		switch {
		case r.Method == http.MethodDelete:
			sent.Store(true)
			return proxytest.Twice
		case sent.Load() && !looked.Swap(true):
			kit.MustPass(t, direct.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o", Value: 2}))
		}
		return proxytest.Passes
	}
	if err := repository.Purge(ctx, d, key); !errors.Is(err, repository.ErrUnclear) || !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("got %v", err)
	}
	if now, err := direct.Get(ctx, key); err != nil || now.Value != 2 {
		t.Errorf("stored: %+v, %v", now, err)
	}
}
