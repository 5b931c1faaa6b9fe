package transactions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// untilTaken calls f again while others keep writing.
func untilTaken(f func() error) error {
	for {
		if err := f(); !errors.Is(err, repository.ErrPreconditionFailed) {
			return err
		}
	}
}

// models are tasks with and without stamps, keys that can collide, and an ETag field.
func models() map[string]*generated.Model[fixtures.Task, fixtures.TaskKey] {
	collide, hidden := *fixtures.PlainTaskModel, *fixtures.PlainTaskModel
	collide.Ambiguous = true
	hidden.ETag = nil
	return map[string]*generated.Model[fixtures.Task, fixtures.TaskKey]{
		"stamped": fixtures.TaskModel, "plain": fixtures.PlainTaskModel, "keys that can collide": &collide, "without an ETag": &hidden,
	}
}

// TestInTransactionRaces has programs that count in one document, and create one for each
// number: no number is lost, and none comes twice.
func TestInTransactionRaces(t *testing.T) {
	t.Parallel()
	const programs, rounds = 4, 8
	key := fixtures.TaskKey{ID: "counter", Owner: "o"}
	for name, model := range models() {
		for how, write := range map[string]func(tx repository.TransactionOf[fixtures.Task, fixtures.TaskKey], task *fixtures.Task) error{
			"Replace": func(tx repository.TransactionOf[fixtures.Task, fixtures.TaskKey], task *fixtures.Task) error {
				if task.Value == 1 {
					return tx.Create(task)
				}
				return tx.Replace(task)
			},
			"Upsert": func(tx repository.TransactionOf[fixtures.Task, fixtures.TaskKey], task *fixtures.Task) error {
				return tx.Upsert(task)
			},
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				ctx := t.Context()
				_, _, _, tasks := kit.NewTwice(t, model, "/owner")
				var all sync.WaitGroup
				for program := range programs {
					all.Go(func() {
						for range rounds {
							kit.MustPass(t, untilTaken(func() error {
								return tasks.InTransaction(ctx, key, func(tx *repository.Transaction) error {
									in := tasks.In(tx)
									task, err := in.Read(ctx, key)
									if errors.Is(err, repository.ErrNotFound) {
										task, err = &fixtures.Task{ID: key.ID, Owner: key.Owner}, nil
									}
									if err != nil {
										return err
									}
									task.Value++
									task.Made = repository.NewTime(time.Unix(int64(program), 0)) // no two make equal documents
									if model.ETag != nil {
										task.ETag = "" // the read is the condition
									}
									return errors.Join(write(in, task), in.Create(&fixtures.Task{ID: fmt.Sprint("n", task.Value), Owner: "o"}))
								})
							}))
						}
					})
				}
				all.Wait()
				counter, err := tasks.Get(ctx, key)
				if err != nil || counter.Value != programs*rounds {
					t.Errorf("the counter is %+v, %v", counter, err)
				}
				if _, err := tasks.Get(ctx, fixtures.TaskKey{ID: fmt.Sprint("n", programs*rounds), Owner: "o"}); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestInTransactionConditions changes a document between the read and the commit.
func TestInTransactionConditions(t *testing.T) {
	t.Parallel()
	key := fixtures.TaskKey{ID: "1", Owner: "o"}
	for model, m := range models() {
		for name, write := range map[string]func(tx repository.TransactionOf[fixtures.Task, fixtures.TaskKey], task *fixtures.Task) error{
			"Patch": func(tx repository.TransactionOf[fixtures.Task, fixtures.TaskKey], _ *fixtures.Task) error {
				return tx.Patch(key, repository.PatchNumber[fixtures.Task, int]("/value").Set(7))
			},
			"Delete": func(tx repository.TransactionOf[fixtures.Task, fixtures.TaskKey], _ *fixtures.Task) error {
				return tx.Delete(key)
			},
			"Replace": func(tx repository.TransactionOf[fixtures.Task, fixtures.TaskKey], task *fixtures.Task) error {
				task.ETag = ""
				return tx.Replace(task)
			},
		} {
			t.Run(model+", "+name, func(t *testing.T) {
				t.Parallel()
				ctx := t.Context()
				server, _, _, tasks := kit.NewTwice(t, m, "/owner")
				kit.MustPass(t, tasks.Create(ctx, &fixtures.Task{ID: "1", Owner: "o", Value: 1}))
				var seen []int
				err := tasks.InTransaction(ctx, key, func(tx *repository.Transaction) error {
					task, err := tasks.In(tx).Read(ctx, key)
					if err != nil {
						return err
					}
					if seen = append(seen, task.Value); len(seen) == 1 {
						kit.MustPass(t, tasks.Patch(ctx, key, repository.PatchNumber[fixtures.Task, int]("/value").Set(5)))
					}
					return write(tasks.In(tx), task)
				})
				if err != nil || fmt.Sprint(seen) != "[1 5]" {
					t.Errorf("change saw %v: %v", seen, err)
				}
				if n := server.Sent(emulator.OpExecuteBatch); n > 2 {
					t.Errorf("%d batches", n)
				}
			})
		}
	}
}

// TestInTransactionEnds has reasons to end at once.
func TestInTransactionEnds(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server, _, _, tasks := kit.NewTwice(t, fixtures.PlainTaskModel, "/owner")
	key := fixtures.TaskKey{ID: "1", Owner: "o"}
	kit.MustPass(t, tasks.Create(ctx, &fixtures.Task{ID: "1", Owner: "o", Value: 1}))
	own := errors.New("its own")
	calls := 0
	for name, test := range map[string]struct {
		change func(tx *repository.Transaction) error
		want   error
		text   string
	}{
		"an error of its own": {func(*repository.Transaction) error { return own }, own, "its own"},
		"nothing to write":    {func(*repository.Transaction) error { return nil }, nil, ""},
		"a document of another": {func(tx *repository.Transaction) error {
			return tasks.In(tx).Create(&fixtures.Task{ID: "2", Owner: "p"})
		}, nil, `the transaction is for partition "o"`},
		"a refused operation that nobody looks at": {func(tx *repository.Transaction) error {
			_ = tasks.In(tx).Create(&fixtures.Task{ID: "2", Owner: "p"})
			return nil
		}, nil, "nothing was sent"},
		"a document that is there": {func(tx *repository.Transaction) error {
			return tasks.In(tx).Create(&fixtures.Task{ID: "1", Owner: "o", Value: 9})
		}, repository.ErrAlreadyExists, `create of PlainTask "1"`},
		"a condition that does not hold": {func(tx *repository.Transaction) error {
			return tasks.In(tx).PatchIf(key, repository.IsNull(fixtures.TaskFields.Value), repository.PatchNumber[fixtures.Task, int]("/value").Set(5))
		}, repository.ErrPreconditionFailed, `patch of PlainTask "1"`},
	} {
		calls = 0
		err := tasks.InTransaction(ctx, key, func(tx *repository.Transaction) error { calls++; return test.change(tx) })
		if (err == nil) != (test.want == nil && test.text == "") || test.want != nil && !errors.Is(err, test.want) || err != nil && !strings.Contains(err.Error(), test.text) || calls != 1 {
			t.Errorf("%s: %v after %d calls", name, err, calls)
		}
	}
	if err := tasks.InTransaction(ctx, fixtures.TaskKey{}, nil); err == nil {
		t.Error("no function is accepted")
	}
	// A lost answer is not settled by another call.
	server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true})
	calls = 0
	err := tasks.InTransaction(ctx, key, func(tx *repository.Transaction) error {
		calls++
		task, err := tasks.In(tx).Read(ctx, key)
		if err != nil {
			return err
		}
		task.Value++
		return tasks.In(tx).Replace(task)
	})
	if !errors.Is(err, repository.ErrUnclear) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
	if now, err := tasks.Get(ctx, key); err != nil || now.Value != 2 {
		t.Errorf("stored: %+v, %v", now, err)
	}
}

// TestRestoreAndPurgeInTransactions restores and removes documents that are marked as deleted.
func TestRestoreAndPurgeInTransactions(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for name, model := range map[string]*generated.Model[fixtures.Parcel, fixtures.ParcelKey]{"stamped": fixtures.ParcelModel, "expiring": fixtures.ExpiringParcelModel} {
		_, all := kit.NewParcels(t, model)
		one, two := fixtures.ParcelKey{ID: "1", Owner: "o"}, fixtures.ParcelKey{ID: "2", Owner: "o"}
		kit.MustPass(t, all.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o", Value: 1}), all.Create(ctx, &fixtures.Parcel{ID: "2", Owner: "o"}), all.Delete(ctx, one), all.Delete(ctx, two))
		calls := 0
		kit.MustPass(t, all.InTransaction(ctx, one, func(tx *repository.Transaction) error {
			if calls++; calls == 2 {
				kit.MustPass(t, all.Delete(ctx, two)) // the program that was faster has gone back
			}
			err := errors.Join(all.In(tx).Restore(ctx, one), all.In(tx).Purge(ctx, two))
			if calls == 1 {
				kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, all, two))) // before the commit
			}
			return err
		}))
		restored, err := all.Get(ctx, one)
		if err != nil || restored.Value != 1 || calls != 2 {
			t.Errorf("%s: restored is %+v after %d calls: %v", name, restored, calls, err)
		}
		if _, err := repository.WithDeleted(all).Get(ctx, two); !errors.Is(err, repository.ErrNotFound) || errors.Is(err, repository.ErrDeleted) {
			t.Errorf("%s: purged: %v", name, err)
		}
		for what, add := range map[string]func(repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error{
			"Restore": func(in repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error {
				return in.Restore(ctx, one)
			},
			"Purge": func(in repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error {
				return in.Purge(ctx, one)
			},
		} {
			if err := all.InTransaction(ctx, one, func(tx *repository.Transaction) error { return add(all.In(tx)) }); !errors.Is(err, repository.ErrPreconditionFailed) {
				t.Errorf("%s: %s of one that is not marked: %v", name, what, err)
			}
		}
	}
}

// TestUpdateOrCreateRaces has programs that count in a document that is not there at first, and
// that others delete.
func TestUpdateOrCreateRaces(t *testing.T) {
	t.Parallel()
	const programs, rounds = 4, 8
	key := fixtures.TaskKey{ID: "1", Owner: "o"}
	for name, model := range models() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			_, _, _, tasks := kit.NewTwice(t, model, "/owner")
			var all sync.WaitGroup
			for range programs {
				all.Go(func() {
					for range rounds {
						kit.MustPass(t, untilTaken(func() error {
							stored, err := tasks.UpdateOrCreate(ctx, key, func(task *fixtures.Task) error {
								task.ID, task.Owner = key.ID, key.Owner
								task.Value++
								return nil
							})
							if err == nil && stored.Value < 1 {
								t.Errorf("got %+v", stored)
							}
							return err
						}))
					}
				})
			}
			all.Wait()
			if now, err := tasks.Get(ctx, key); err != nil || now.Value != programs*rounds {
				t.Errorf("stored: %+v, %v", now, err)
			}
			_, err := tasks.UpdateOrCreate(ctx, fixtures.TaskKey{ID: "2", Owner: "o"}, func(task *fixtures.Task) error { task.ID = "3"; task.Owner = "o"; return nil })
			if !errors.Is(err, repository.ErrKeyChanged) {
				t.Errorf("a document of another key: %v", err)
			}
			own := errors.Join(repository.ErrNotFound, errors.New("its own"))
			if _, err := tasks.UpdateOrCreate(ctx, key, func(*fixtures.Task) error { return own }); !errors.Is(err, own) {
				t.Errorf("an error of its own: %v", err)
			}
		})
	}
}

// TestReadsOfOtherPartitions reads a document, and writes one of its id elsewhere: what was read
// is no condition of that.
func TestReadsOfOtherPartitions(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	elsewhere := func() *repository.Documents[fixtures.Task, fixtures.TaskKey] {
		_, container := harness.NewContainer(t, emulator.Options{}, kit.HashContainer("tasks", "/owner"), repository.Configure(nil))
		return repository.New(container, fixtures.PlainTaskModel)
	}
	tasks, others := elsewhere(), elsewhere()
	kit.MustPass(t, tasks.Create(ctx, &fixtures.Task{ID: "1", Owner: "o"}), tasks.Create(ctx, &fixtures.Task{ID: "1", Owner: "p"}), others.Create(ctx, &fixtures.Task{ID: "1", Owner: "o"}))
	tx := repository.NewTransaction()
	_, err := tasks.In(tx).Read(ctx, fixtures.TaskKey{ID: "1", Owner: "p"})
	kit.MustPass(t, err)
	_, err = others.In(tx).Read(ctx, fixtures.TaskKey{ID: "1", Owner: "o"})
	kit.MustPass(t, err, tasks.In(tx).Delete(fixtures.TaskKey{ID: "1", Owner: "o"}), tx.Commit(ctx))
	if _, err := others.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "o"}); err != nil {
		t.Error(err)
	}
	tx = repository.NewTransaction()
	_, err = tasks.In(tx).Read(ctx, fixtures.TaskKey{ID: "1", Owner: "p"})
	kit.MustPass(t, err)
	kit.WantText(t, repository.New(nil, fixtures.PlainTaskModel).In(tx).Delete(fixtures.TaskKey{ID: "1", Owner: "p"}), "the container of the repository is nil")
}
