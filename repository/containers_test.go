package repository_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestContainersOfDocuments checks that each operation goes to the container that the
// key names, and costs as many requests as in a type with one container.
func TestContainersOfDocuments(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 2)
	r.Make(t, kit.Window(1), kit.Window(2))
	a := kit.ReadingAt("a1", 1, 5)
	for _, step := range []struct {
		name string
		do   func() error
		want int // requests
	}{
		{"Create", func() error { return r.Create(ctx, a) }, 1},
		{"Create again", func() error {
			if err := r.Create(ctx, kit.ReadingAt("a1", 1, 5)); !errors.Is(err, repository.ErrAlreadyExists) {
				return fmt.Errorf("not ErrAlreadyExists: %w", err)
			}
			return nil
		}, 2},
		{"Upsert", func() error { a.Value = 1; return r.Upsert(ctx, a) }, 1},
		{"Replace", func() error { a.Value = 2; return r.Replace(ctx, a) }, 1},
		{"Patch", func() error { return r.Patch(ctx, a.Key(), kit.PatchValue.Increment(5)) }, 1},
		{"PatchAndGet", func() error {
			got, err := r.PatchAndGet(ctx, a.Key(), kit.PatchValue.Increment(1))
			if err == nil && got.Value != 8 {
				err = fmt.Errorf("the value is %d", got.Value)
			}
			return err
		}, 1},
		{"Update", func() error {
			got, err := r.UpdateAndGet(ctx, a.Key(), func(x *fixtures.Reading) error { x.Value *= 2; return nil })
			if err == nil && got.Value != 16 {
				err = fmt.Errorf("the value is %d", got.Value)
			}
			return err
		}, 2},
		{"Update to another window", func() error {
			err := r.Update(ctx, a.Key(), func(x *fixtures.Reading) error { x.At = kit.ReadingAt("a1", 2, 5).At; return nil })
			if !errors.Is(err, repository.ErrKeyChanged) {
				return fmt.Errorf("not ErrKeyChanged: %w", err)
			}
			return nil
		}, 1},
		{"Get", func() error {
			got, err := r.Get(ctx, a.Key())
			if err == nil {
				*a = *got
			}
			return err
		}, 1},
		{"DeleteIfMatch", func() error { return r.DeleteIfMatch(ctx, a) }, 1},
		{"Delete", func() error {
			if err := r.Delete(ctx, a.Key()); !errors.Is(err, repository.ErrNotFound) {
				return fmt.Errorf("not ErrNotFound: %w", err)
			}
			return nil
		}, 1},
	} {
		r.Server.ResetRequests()
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if got := kit.RequestsOf(r.Server); got[kit.Window(1)] != step.want || len(got) != 1 {
			t.Errorf("%s: requests by container %v, want %d to %s", step.name, got, step.want, kit.Window(1))
		}
	}
	if _, err := r.Get(ctx, fixtures.ReadingKey{ID: "", Device: "d", At: time.Now()}); !isKeyError(err) {
		t.Errorf("a key without an id: %v", err)
	}
	if err := r.Create(ctx, nil); err == nil || !strings.Contains(err.Error(), "nil") {
		t.Errorf("a nil document: %v", err)
	}
}

func isKeyError(err error) bool {
	var own *partition.KeyError
	return errors.As(err, &own)
}

// TestMissingContainers checks that a container which does not exist has no documents,
// and that writes to it say what to do.
func TestMissingContainers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 1)
	x := kit.ReadingAt("a1", 1, 5)
	_, err := r.Get(ctx, x.Key())
	kit.WantError(t, "Get", err, repository.ErrNotFound, repository.ErrNoContainer)
	for name, err := range map[string]error{
		"Replace": r.Replace(ctx, x), "Delete": r.Delete(ctx, x.Key()), "Patch": r.Patch(ctx, x.Key(), kit.PatchValue.Set(1)),
		"Update": r.Update(ctx, x.Key(), func(*fixtures.Reading) error { return nil }),
	} {
		kit.WantError(t, name, err, repository.ErrNotFound, repository.ErrNoContainer)
	}
	found, err := r.GetMany(ctx, []fixtures.ReadingKey{x.Key(), kit.ReadingAt("b2", 2, 5).Key()})
	if err != nil || len(found) != 2 || found[0] != nil || found[1] != nil {
		t.Errorf("GetMany: %v, %v", found, err)
	}
	tx := repository.NewTransaction()
	if err := r.In(tx).Create(x); err != nil {
		t.Fatal(err)
	}
	_, bulk := r.CreateAll(documents.Items(kit.ReadingAt("b2", 2, 5), kit.ReadingAt("c2", 2, 5)), documents.InBatches()).Collect(ctx)
	for name, err := range map[string]error{"Create": r.Create(ctx, x), "Upsert": r.Upsert(ctx, x), "Commit": tx.Commit(ctx), "CreateAll": bulk} {
		kit.WantError(t, name, err, repository.ErrNoContainer)
		if errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%s matches ErrNotFound: %v", name, err)
		}
		if text := err.Error(); !strings.Contains(text, "EnsureReadingContainer") || !strings.Contains(text, "WithEnsureContainer") || !strings.Contains(text, "telemetry-2024-0") {
			t.Errorf("%s does not say what to do: %v", name, err)
		}
	}
	if err := repository.NewIn(nil, fixtures.ReadingModel).Create(ctx, x); err == nil || !strings.Contains(err.Error(), "database") {
		t.Errorf("without a database: %v", err)
	}
}

// TestWritesEnsureContainers checks that writers of several windows, many at once and of
// two programs, make each container once and lose nothing.
func TestWritesEnsureContainers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	var mu sync.Mutex
	asked := map[string]int{}
	ensure := admin.WithEnsureContainer(func(name string) admin.Throughput {
		mu.Lock()
		defer mu.Unlock()
		asked[name]++
		return admin.Autoscale(1000)
	})
	r := kit.NewReadings(t, 1, ensure)
	other := repository.NewIn(r.Server.Database(repository.Configure(nil)), fixtures.ReadingModel, ensure)
	var writers sync.WaitGroup
	for i := range 24 {
		writers.Go(func() {
			x := kit.ReadingAt(fmt.Sprintf("x%02d", i), 1+i%3, 5)
			write := []func(context.Context, *fixtures.Reading) error{r.Create, r.Upsert, other.Create, other.Upsert}[i%4]
			if err := write(ctx, x); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	for month := 1; month <= 3; month++ {
		if n := r.StoredIn(t, kit.Window(month)); n != 8 {
			t.Errorf("%s has %d documents, want 8", kit.Window(month), n)
		}
		if n := asked[kit.Window(month)]; n < 1 || n > 2 {
			t.Errorf("%s was ensured %d times by two programs", kit.Window(month), n)
		}
	}

	tx := repository.NewTransaction()
	if err := r.In(tx).Create(kit.ReadingAt("t1", 4, 5)); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx); err != nil {
		t.Errorf("a transaction: %v", err)
	}
	var docs []*fixtures.Reading
	for i := range 20 {
		docs = append(docs, kit.ReadingAt(fmt.Sprintf("%d", i), 5+i%2, 5))
	}
	if summary, err := r.CreateAll(documents.Items(docs...), documents.InBatches()).Collect(ctx); err != nil || summary.Items != 20 {
		t.Errorf("a bulk operation: %+v, %v", summary, err)
	}
	for month, want := range map[int]int{4: 1, 5: 10, 6: 10} {
		if n := r.StoredIn(t, kit.Window(month)); n != want {
			t.Errorf("%s has %d documents, want %d", kit.Window(month), n, want)
		}
	}

	r.Drop(t, kit.Window(1))
	if err := r.Create(ctx, kit.ReadingAt("again", 1, 5)); err != nil {
		t.Errorf("after the container was dropped: %v", err)
	}
	// Only operations that store a new document make a container.
	kit.WantError(t, "Replace", r.Replace(ctx, kit.ReadingAt("n", 9, 5)), repository.ErrNoContainer)
	if asked[kit.Window(9)] != 0 {
		t.Error("Replace has made a container")
	}
}

// TestEnsuringFails checks that a write says why its container cannot be made.
func TestEnsuringFails(t *testing.T) {
	t.Parallel()
	r := kit.NewReadings(t, 1, admin.WithEnsureContainer(func(string) admin.Throughput { return admin.Manual(1) }))
	err := r.Create(context.Background(), kit.ReadingAt("a", 1, 5))
	kit.WantError(t, "Create", err, repository.ErrNoContainer)
	if !strings.Contains(err.Error(), "400") {
		t.Errorf("it does not say why: %v", err)
	}
	kit.WantError(t, "a nil function", repository.NewIn(r.DB, fixtures.ReadingModel, admin.WithEnsureContainer(nil)).Create(context.Background(), kit.ReadingAt("a", 1, 5)))
}

// TestWindowBounds checks which documents are late and early.
func TestWindowBounds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2024, 3, 10, 0, 0, 0, 0, time.UTC)
	r := kit.NewReadings(t, 1, repository.WithWindowBounds(24*time.Hour, 48*time.Hour), withNow(func() time.Time { return now }))
	r.Make(t, kit.Window(2), kit.Window(3), kit.Window(4))
	at := func(id string, at time.Time) *fixtures.Reading {
		return &fixtures.Reading{ID: id, Device: "d", At: repository.NewTime(at)}
	}
	for _, test := range []struct {
		name string
		at   time.Time
		want string // in the error
	}{
		{"the first time", now.Add(-24 * time.Hour), ""},
		{"too late", now.Add(-25 * time.Hour), "24h0m0s before now"},
		{"the last time", now.Add(48 * time.Hour), ""},
		{"too early", now.Add(73 * time.Hour), "48h0m0s after now"},
	} {
		x := at(test.name, test.at)
		tx := repository.NewTransaction() //nolint:pkgen // it comes to no commit
		_, bulk := r.UpsertAll(documents.Items(at(test.name, test.at))).Collect(ctx)
		for name, err := range map[string]error{"Upsert": r.Upsert(ctx, x), "UpsertAll": bulk, "In.Upsert": r.In(tx).Upsert(at(test.name, test.at))} {
			if test.want == "" {
				if err != nil {
					t.Errorf("%s: %s: %v", test.name, name, err)
				}
				continue
			}
			kit.WantError(t, test.name+": "+name, err, repository.ErrOutOfBounds)
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %s does not say which bound: %v", test.name, name, err)
			}
		}
	}
	first := at("the first time", now.Add(-24*time.Hour))
	now = now.Add(20 * 24 * time.Hour)
	if _, err := r.Get(ctx, first.Key()); err != nil {
		t.Errorf("Get is bounded: %v", err)
	}
	if err := r.Replace(ctx, first); err != nil {
		t.Errorf("Replace is bounded: %v", err)
	}
	if err := r.Delete(ctx, first.Key()); err != nil {
		t.Errorf("Delete is bounded: %v", err)
	}
	kit.WantError(t, "Create", r.Create(ctx, first), repository.ErrOutOfBounds)
}

// TestManyInContainers checks GetMany and bulk operations over several windows, one of
// which is missing.
func TestManyInContainers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 3)
	r.Make(t, kit.Window(1), kit.Window(2), kit.Window(3))
	var docs []*fixtures.Reading
	var keys []fixtures.ReadingKey
	for i := range 60 {
		x := kit.ReadingAt(fmt.Sprintf("x%02d", i), 1+i%3, 1+i%7)
		x.Value = i
		docs = append(docs, x)
		keys = append(keys, x.Key())
	}
	for _, opts := range [][]documents.BulkOption{nil, {documents.InBatches()}} {
		if summary, err := r.UpsertAll(documents.Items(docs...), opts...).Collect(ctx); err != nil || summary.Items != len(docs) {
			t.Fatalf("UpsertAll: %+v, %v", summary, err)
		}
	}
	keys = append(keys, kit.ReadingAt("none", 2, 2).Key(), kit.ReadingAt("nowhere", 8, 2).Key(), keys[0])
	r.Server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Status: 429, Substatus: 3200, RetryAfter: time.Millisecond, Count: 2})
	found, err := r.GetMany(ctx, keys)
	if err != nil || len(found) != len(keys) {
		t.Fatalf("GetMany: %d, %v", len(found), err)
	}
	for i, x := range found {
		switch {
		case i < 60 && (x == nil || x.Value != i), i == 60 && x != nil, i == 61 && x != nil, i == 62 && (x == nil || x.Value != 0):
			t.Errorf("key %d: %+v", i, x)
		}
	}
	if _, err := r.GetMany(ctx, []fixtures.ReadingKey{keys[0], {}}); !isKeyError(err) || !strings.Contains(err.Error(), "key 1") {
		t.Errorf("GetMany of an invalid key: %v", err)
	}
	summary, err := r.DeleteAll(documents.Items(keys[:62]...), documents.InBatches()).Collect(ctx)
	if err == nil || summary.Items != 62 || summary.Failed != 2 || summary.NotFound != 2 {
		t.Errorf("DeleteAll: %+v, %v", summary, err)
	}
	if n := r.StoredIn(t, kit.Window(1)) + r.StoredIn(t, kit.Window(2)) + r.StoredIn(t, kit.Window(3)); n != 0 {
		t.Errorf("%d documents are left", n)
	}
}

// TestTransactionsInOneContainer checks that a transaction over two windows is refused.
func TestTransactionsInOneContainer(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 1)
	r.Make(t, kit.Window(1), kit.Window(2))
	tx := repository.NewTransaction()
	if err := r.In(tx).Create(&fixtures.Reading{ID: "1", Device: "d", At: kit.ReadingAt("x", 1, 31).At}); err != nil {
		t.Fatal(err)
	}
	err := r.In(tx).Create(&fixtures.Reading{ID: "2", Device: "d", At: kit.ReadingAt("x", 2, 1).At})
	if err == nil || !strings.Contains(err.Error(), kit.Window(1)) || !strings.Contains(err.Error(), kit.Window(2)) {
		t.Errorf("an operation of another window: %v", err)
	}
	if err := tx.Commit(ctx); err == nil {
		t.Error("the transaction was committed")
	}
	tx = repository.NewTransaction()
	x, y := &fixtures.Reading{ID: "1", Device: "d", At: kit.ReadingAt("x", 2, 1).At}, &fixtures.Reading{ID: "2", Device: "d", At: kit.ReadingAt("x", 2, 1).At}
	in := r.In(tx)
	pending, err := in.Get(x.Key())
	if err := errors.Join(r.Create(ctx, x), err, in.Create(y), in.Patch(x.Key(), kit.PatchValue.Set(3)), tx.Commit(ctx)); err != nil {
		t.Fatal(err)
	}
	if got, err := pending.Doc(); err != nil || got.ID != "1" {
		t.Errorf("Get in a transaction: %+v, %v", got, err)
	}
	if got, err := r.Get(ctx, x.Key()); err != nil || got.Value != 3 {
		t.Errorf("after the transaction: %+v, %v", got, err)
	}
}

// TestMoveToAnotherContainer lets a move between windows fail at each of its requests,
// before and after it takes effect, and resumes it: one document remains, with the new time.
func TestMoveToAnotherContainer(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 1, admin.WithEnsureContainer(func(string) admin.Throughput { return admin.AnyThroughput() }))
	r.Make(t, kit.Window(1))
	for fault := range 8 {
		id := fmt.Sprintf("m%d", fault)
		x := kit.ReadingAt(id, 1, 5)
		if err := r.Create(ctx, x); err != nil {
			t.Fatal(err)
		}
		from := x.Key()
		x.At, x.Stored = kit.ReadingAt(id, 2, 6).At, ""
		state, err := r.PrepareMove(ctx, from, x)
		if err != nil {
			t.Fatal(err)
		}
		attempt, cancel := context.WithCancel(ctx)
		r.Server.Inject(emulator.Fault{Path: "*/docs*", Skip: fault / 2, Count: 1, Status: 400, After: fault%2 == 1})
		_ = r.ResumeMove(attempt, state) // may fail, as after a crash
		cancel()
		r.Server.ClearFaults()
		if err := r.ResumeMove(ctx, state); err != nil {
			t.Errorf("fault %d: %v", fault, err)
		}
		got, err := r.Get(ctx, kit.ReadingAt(id, 2, 6).Key())
		if err != nil || got.At != x.At {
			t.Errorf("fault %d: %+v, %v", fault, got, err)
		}
		if _, err := r.Get(ctx, from); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("fault %d: the old document: %v", fault, err)
		}
	}
	if n, m := r.StoredIn(t, kit.Window(1)), r.StoredIn(t, kit.Window(2)); n != 0 || m != 8 {
		t.Errorf("%d and %d documents", n, m)
	}
	x, err := r.Get(ctx, kit.ReadingAt("m1", 2, 6).Key())
	if err != nil {
		t.Fatal(err)
	}
	from := x.Key()
	x.At = kit.ReadingAt("m1", 1, 6).At
	x.Stored = ""
	if err := r.Move(ctx, from, x); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Get(ctx, x.Key()); err != nil || azcore.ETag(got.ETag) != azcore.ETag(x.ETag) {
		t.Errorf("Move: %+v, %v", got, err)
	}
}

// TestNotOverContainers checks that operations of one container are refused over several
// before any request.
func TestNotOverContainers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 1)
	r.Make(t, kit.Window(1))
	r.Server.ResetRequests()
	if _, err := admin.Rekey(ctx, r.Documents, admin.Run{}); err == nil {
		t.Error("Rekey is not refused")
	}
	if n := len(r.Server.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}
