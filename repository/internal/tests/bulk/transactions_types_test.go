package bulk

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// lost loses the answer to a batch that has taken effect.
var lost = emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true}

// TestTransactionsOfStamps stamps each document once, also if an answer is lost.
func TestTransactionsOfStamps(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string][]emulator.Fault{"without faults": nil, "lost answers": {lost}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, container := harness.NewContainer(t, emulator.Options{}, kit.HashContainer("tasks", "/owner"), repository.Configure(harness.Once()))
			d := repository.New(container, fixtures.TaskModel)
			all := make([]*fixtures.Task, 20)
			for i := range all {
				all[i] = &fixtures.Task{ID: fmt.Sprint(i), Owner: fmt.Sprint("o", i/10), N: 99}
			}
			for round := 1; round <= 3; round++ {
				run := d.UpsertAll
				if round == 1 {
					run = d.CreateAll
				}
				for _, f := range faults {
					server.Inject(f)
				}
				if summary, err := run(documents.Items(all...), documents.InTransactions()).Collect(t.Context()); err != nil {
					t.Fatal(summary, err)
				}
				for _, doc := range all {
					now, err := d.Get(t.Context(), fixtures.TaskKey{ID: doc.ID, Owner: doc.Owner})
					if err != nil || *now != *doc || now.N != round || now.Made.IsZero() {
						t.Fatalf("in round %d, stored is %+v, and the caller has %+v, %v", round, now, doc, err)
					}
				}
			}
		})
	}
}

// TestTransactionsOfMarks deletes parcels by marks. A parcel that has its mark already refuses its transaction.
func TestTransactionsOfMarks(t *testing.T) {
	t.Parallel()
	server, d := kit.NewParcels(t, fixtures.ParcelModel)
	ctx := t.Context()
	var all []*fixtures.Parcel
	var keys []fixtures.ParcelKey
	for _, owner := range []string{"a", "b"} {
		for i := range 5 {
			all = append(all, &fixtures.Parcel{ID: fmt.Sprint(i), Owner: owner})
			keys = append(keys, fixtures.ParcelKey{ID: fmt.Sprint(i), Owner: owner})
		}
	}
	kit.MustPass(t, kit.ErrorOf(d.CreateAll(documents.Items(all...), documents.InTransactions()).Collect(ctx)), d.Delete(ctx, keys[2]))
	ofB := lost
	ofB.PartitionKey = `["b"]`
	server.Inject(ofB)
	summary, err := d.DeleteAll(documents.Items(keys...), documents.InTransactions()).Collect(ctx)
	if summary.Failed != 5 || summary.NotFound != 1 || summary.RolledBack != 4 || summary.Unclear != 0 || !errors.Is(err, repository.ErrDeleted) {
		t.Errorf("delete: %+v, %v", summary, err)
	}
	kit.SeesParcels(t, d, "a", "0", "1", "3", "4")
	kit.SeesParcels(t, d, "b")
	summary, err = d.UpsertAll(documents.Items(all...), documents.InTransactions()).Collect(ctx)
	if summary.Failed != 10 || summary.AlreadyExists != 2 || summary.RolledBack != 8 || !errors.Is(err, repository.ErrDeleted) {
		t.Errorf("upsert: %+v, %v", summary, err)
	}
}

// TestTransactionsOfWindows has equal logical partitions of several containers.
func TestTransactionsOfWindows(t *testing.T) {
	t.Parallel()
	r := kit.NewReadings(t, 1)
	r.Make(t, kit.Window(1), kit.Window(2))
	var all []*fixtures.Reading
	for _, month := range []int{1, 2, 3, 1} {
		for i := range 5 {
			x := kit.ReadingAt(fmt.Sprint(len(all), "-", i), month, 5)
			x.Device = "d"
			all = append(all, x)
		}
	}
	r.Server.ResetRequests()
	for _, run := range []func() (documents.Summary, error){
		func() (documents.Summary, error) {
			return r.CreateAll(documents.Items(all...), documents.InTransactions()).Collect(t.Context())
		},
		func() (documents.Summary, error) {
			return r.UpsertAll(documents.Items(all...), documents.InTransactions()).Collect(t.Context())
		},
		func() (documents.Summary, error) {
			var keys []fixtures.ReadingKey
			for _, x := range all {
				keys = append(keys, x.Key())
			}
			return r.DeleteAll(documents.Items(keys...), documents.InTransactions()).Collect(t.Context())
		},
	} {
		if summary, err := run(); summary.Failed != 5 || !errors.Is(err, repository.ErrNoContainer) {
			t.Errorf("%+v, %v", summary, err)
		}
	}
	if n := batchRequests(r.Server); n < 12 {
		t.Errorf("%d batches, want 12 at least", n)
	}
	if n, m := r.StoredIn(t, kit.Window(1)), r.StoredIn(t, kit.Window(2)); n+m != 0 {
		t.Errorf("%d and %d are left", n, m)
	}
}

// TestTypesWithoutTransactions refuses the option before anything is sent.
func TestTypesWithoutTransactions(t *testing.T) {
	t.Parallel()
	ctx, option := context.Background(), documents.InTransactions()
	server, clicks := kit.NewClicks(t)
	_, members := harness.NewContainer(t, emulator.Options{}, kit.HashContainer("members", "/region"), repository.Configure(nil))
	unique := repository.New(members, fixtures.MemberModel)
	notes, r := kit.NewNotes(t)
	server.ResetRequests()
	notes.ResetRequests()
	_, create := clicks.CreateAll(documents.Items(&clickstream.Click{ID: "1", Date: kit.Day}), option).Collect(ctx)
	_, found := r.DeleteFound(r.Scan(), option).Collect(ctx)
	_, reserves := unique.UpsertAll(documents.Items(&fixtures.Member{ID: "1", Region: "eu", Email: "e"}), option).Collect(ctx)
	for err, words := range map[error]string{create: "random suffixes", found: "DeleteAll", reserves: "unique properties"} {
		kit.WantText(t, err, words)
	}
	if n := len(server.Requests()) + len(notes.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
	// A document that was read has its suffix.
	click := &clickstream.Click{ID: "1", Date: kit.Day}
	kit.MustPass(t, clicks.Create(ctx, click), kit.ErrorOf(clicks.UpsertAll(documents.Items(click), option).Collect(ctx)),
		kit.ErrorOf(clicks.DeleteAll(documents.Items(click.Key()), option).Collect(ctx)))
}

// TestOneStructForManyTransactions uses the struct again while transactions are under way.
func TestOneStructForManyTransactions(t *testing.T) {
	t.Parallel()
	_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	var n fixtures.Note
	source := func(yield func(*fixtures.Note) bool) {
		for i := range 50 {
			if n = *noteIn(fmt.Sprint("t", i/5), i); !yield(&n) {
				return
			}
		}
	}
	if summary, err := r.CreateAll(documents.Sequence(source), documents.InTransactions()).Collect(t.Context()); err != nil || len(r.Stored(t)) != 50 {
		t.Errorf("%+v, %v", summary, err)
	}
	if now := r.Stored(t)[n.ID]; now == nil || *now != n {
		t.Errorf("stored is %+v, and the caller has %+v", now, n)
	}
}
