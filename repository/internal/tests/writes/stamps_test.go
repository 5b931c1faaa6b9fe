package writes

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

var taskValue = repository.PatchNumber[fixtures.Task, int]("/value")

// newTasks is an empty container of tasks.
func newTasks(t testing.TB, opts ...repository.Option) (*harness.Account, *repository.Documents[fixtures.Task, fixtures.TaskKey]) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, kit.HashContainer("tasks", "/owner"), repository.Configure(harness.Once()))
	return server, repository.New(container, fixtures.TaskModel, opts...)
}

// forged is a task whose stamps the caller has made up.
func forged(id string, value int) *fixtures.Task {
	return &fixtures.Task{ID: id, Owner: "o", Value: value, Made: repository.NewTime(time.Unix(1, 0)), Changed: repository.NewTime(time.Unix(2, 0)), N: 99}
}

// taskWrites are the writes of a task that is there, or not if they create, to a value.
// Those with a document return it.
var taskWrites = []struct {
	name    string
	creates bool
	run     func(context.Context, *repository.Documents[fixtures.Task, fixtures.TaskKey], *fixtures.Task) (*fixtures.Task, error)
}{
	{"Upsert", true, func(ctx context.Context, d *repository.Documents[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) (*fixtures.Task, error) {
		return doc, d.Upsert(ctx, doc)
	}},
	{"Replace", false, func(ctx context.Context, d *repository.Documents[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) (*fixtures.Task, error) {
		return doc, d.Replace(ctx, doc)
	}},
	{"Replace on ETag", false, func(ctx context.Context, d *repository.Documents[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) (*fixtures.Task, error) {
		now, err := d.Get(ctx, fixtures.TaskKey{ID: doc.ID, Owner: doc.Owner})
		if err != nil {
			return nil, err
		}
		doc.ETag = now.ETag
		return doc, d.Replace(ctx, doc)
	}},
	{"Update", false, func(ctx context.Context, d *repository.Documents[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) (*fixtures.Task, error) {
		return d.UpdateAndGet(ctx, fixtures.TaskKey{ID: doc.ID, Owner: doc.Owner}, func(t *fixtures.Task) error {
			t.Value, t.N, t.Made = doc.Value, 1000, doc.Made
			return nil
		})
	}},
	{"Patch", false, func(ctx context.Context, d *repository.Documents[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) (*fixtures.Task, error) {
		return d.PatchAndGet(ctx, fixtures.TaskKey{ID: doc.ID, Owner: doc.Owner}, taskValue.Set(doc.Value))
	}},
	{"UpsertAll", true, func(ctx context.Context, d *repository.Documents[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) (*fixtures.Task, error) {
		_, err := d.UpsertAll(documents.Items(doc)).Collect(ctx)
		return doc, err
	}},
	{"UpsertAll in batches", true, func(ctx context.Context, d *repository.Documents[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) (*fixtures.Task, error) {
		_, err := d.UpsertAll(documents.Items(doc, forged("other", doc.Value)), documents.InBatches()).Collect(ctx)
		return doc, err
	}},
	{"Upsert in a transaction", true, func(ctx context.Context, d *repository.Documents[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) (*fixtures.Task, error) {
		return doc, kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Upsert(doc) })
	}},
	{"Replace in a transaction", false, func(ctx context.Context, d *repository.Documents[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) (*fixtures.Task, error) {
		return doc, kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Replace(doc) })
	}},
	{"Patch in a transaction", false, func(ctx context.Context, d *repository.Documents[fixtures.Task, fixtures.TaskKey], doc *fixtures.Task) (*fixtures.Task, error) {
		return nil, kit.Commit(ctx, func(tx *repository.Transaction) error {
			return d.In(tx).Patch(fixtures.TaskKey{ID: doc.ID, Owner: doc.Owner}, taskValue.Set(doc.Value))
		})
	}},
}

// TestStamps runs each write on a task, whose stamps the caller has made up.
func TestStamps(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, write := range taskWrites {
		t.Run(write.name, func(t *testing.T) {
			t.Parallel()
			clock := new(kit.Ticking)
			_, tasks := newTasks(t, repository.WithClock(clock.Now))
			if write.creates {
				checkStamps(t, tasks, write.run, fixtures.Task{}, forged("1", 1))
			} else if err := tasks.Create(ctx, forged("1", 1)); err != nil {
				t.Fatal(err)
			}
			before, err := tasks.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "o"})
			if err != nil {
				t.Fatal(err)
			}
			for value := range 3 {
				checkStamps(t, tasks, write.run, *before, forged("1", value+10))
				if before, err = tasks.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "o"}); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// checkStamps runs a write of doc in place of before, and compares the stamps of what is
// stored then, and of the document that the caller has.
func checkStamps(t *testing.T, tasks *repository.Documents[fixtures.Task, fixtures.TaskKey], run func(context.Context, *repository.Documents[fixtures.Task, fixtures.TaskKey], *fixtures.Task) (*fixtures.Task, error), before fixtures.Task, doc *fixtures.Task) {
	t.Helper()
	ctx, value := context.Background(), doc.Value
	given, err := run(ctx, tasks, doc)
	if err != nil {
		t.Fatal(err)
	}
	now, err := tasks.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "o"})
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case now.Value != value || now.N != before.N+1 || now.Changed.Compare(before.Changed) <= 0:
		t.Errorf("got %+v after %+v", now, before)
	case before.N == 0 && now.Made != now.Changed, before.N > 0 && now.Made != before.Made:
		t.Errorf("created: got %+v after %+v", now, before)
	case given != nil && *given != *now:
		t.Errorf("the caller has %+v, and %+v is stored", given, now)
	}
}

// TestStampsOfOldDocuments writes tasks from before the stamps.
func TestStampsOfOldDocuments(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, write := range taskWrites {
		clock := new(kit.Ticking)
		_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, kit.HashContainer("tasks", "/owner"), repository.Configure(harness.Once()))
		if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString("o"), []byte(`{"id":"1","owner":"o"}`), nil); err != nil {
			t.Fatal(err)
		}
		tasks := repository.New(container, fixtures.TaskModel, repository.WithClock(clock.Now))
		if _, err := write.run(ctx, tasks, forged("1", 5)); err != nil {
			t.Fatalf("%s: %v", write.name, err)
		}
		now, err := tasks.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "o"})
		if err != nil {
			t.Fatal(err)
		}
		if now.N != 1 || !now.Made.IsZero() || now.Changed.IsZero() || now.Value != 5 {
			t.Errorf("%s: got %+v", write.name, now)
		}
	}
}

// TestMovedStamps moves a task to another owner, in one go and resumed.
func TestMovedStamps(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	clock := new(kit.Ticking)
	_, tasks := newTasks(t, repository.WithClock(clock.Now))
	doc := forged("1", 1)
	if err := tasks.Create(ctx, doc); err != nil {
		t.Fatal(err)
	}
	before := *doc
	doc.Owner, doc.N, doc.Made = "p", 77, repository.Time{}
	state, err := tasks.PrepareMove(ctx, fixtures.TaskKey{ID: "1", Owner: "o"}, doc)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := tasks.ResumeMove(ctx, state); err != nil {
			t.Fatal(err)
		}
	}
	now, err := tasks.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "p"})
	if err != nil {
		t.Fatal(err)
	}
	if now.N != 2 || now.Made != before.Made || now.Changed.Compare(before.Changed) <= 0 {
		t.Errorf("got %+v after %+v", now, before)
	}
	doc = now
	doc.Owner = "q"
	if err := tasks.Move(ctx, fixtures.TaskKey{ID: "1", Owner: "p"}, doc); err != nil {
		t.Fatal(err)
	}
	if now, err = tasks.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "q"}); err != nil || now.N != 3 || *now != *doc {
		t.Errorf("got %+v, the caller has %+v: %v", now, doc, err)
	}
}

// TestStampsUnderFaults runs writes at random while answers are lost before and after
// their effect. A write without an error has counted once, and one that says that its
// outcome is unclear at most once.
func TestStampsUnderFaults(t *testing.T) {
	t.Parallel()
	for seed := range seeds.Of(16) {
		harness.Bubble(t, fmt.Sprint(seed), func(t *testing.T) {
			dice := rand.New(rand.NewPCG(seed, 18))
			ctx, clock := context.Background(), new(kit.Ticking)
			server, tasks := newTasks(t, repository.WithClock(clock.Now))
			if err := tasks.Create(ctx, forged("1", -1)); err != nil {
				t.Fatal(err)
			}
			before, err := tasks.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "o"})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 60 {
				write := taskWrites[dice.IntN(len(taskWrites))]
				for _, op := range []string{emulator.OpUpsertItem, emulator.OpReplaceItem, emulator.OpPatchItem, emulator.OpExecuteBatch} {
					if dice.IntN(2) == 0 {
						server.Inject(emulator.Fault{Operation: op, Drop: true, After: dice.IntN(2) == 0})
					}
				}
				_, err := write.run(ctx, tasks, forged("1", i))
				server.ClearFaults()
				now, readErr := tasks.Get(ctx, fixtures.TaskKey{ID: "1", Owner: "o"})
				if readErr != nil {
					t.Fatal(readErr)
				}
				grown := now.N - before.N
				switch {
				case err == nil && (grown != 1 || now.Value != i):
					t.Fatalf("%d, %s: %+v after %+v", i, write.name, now, before)
				case err != nil && !errors.Is(err, repository.ErrUnclear):
					t.Fatalf("%d, %s: %v", i, write.name, err)
				case grown < 0 || grown > 1 || now.Made != before.Made || (grown == 1) != (now.Value == i):
					t.Fatalf("%d, %s: %+v after %+v: %v", i, write.name, now, before, err)
				}
				before = now
			}
		})
	}
}

// TestRefusedStamps are writes that would count wrong.
func TestRefusedStamps(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	_, tasks := newTasks(t)
	doc := forged("1", 1)
	if err := tasks.Create(ctx, doc); err != nil {
		t.Fatal(err)
	}
	err := kit.Commit(ctx,
		func(tx *repository.Transaction) error {
			return tasks.In(tx).Patch(fixtures.TaskKey{ID: "1", Owner: "o"}, taskValue.Set(2))
		},
		func(tx *repository.Transaction) error { return tasks.In(tx).Replace(forged("1", 3)) })
	kit.WantText(t, err, "write it once")
	var nine []repository.PatchOperation[fixtures.Task]
	for range 9 {
		nine = append(nine, taskValue.Increment(1))
	}
	kit.WantText(t, tasks.Patch(ctx, fixtures.TaskKey{ID: "1", Owner: "o"}, nine...), "8 of one patch, which are 10 and 2 for the stamps")
	stale := *doc
	if err := tasks.Replace(ctx, doc); err != nil {
		t.Fatal(err)
	}
	if err := tasks.Replace(ctx, &stale); !errors.Is(err, repository.ErrPreconditionFailed) || errors.Is(err, repository.ErrUnclear) {
		t.Errorf("got %v", err)
	}
	err = kit.Commit(ctx, func(tx *repository.Transaction) error { return tasks.In(tx).Replace(&stale) })
	if !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("got %v", err)
	}
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, kit.HashContainer("tasks", "/owner"), repository.Configure(harness.Once()))
	kit.WantText(t, repository.New(container, fixtures.TaskModel, repository.WithClock(nil)).Create(ctx, doc), "the function of WithClock is nil")
}
