package requests

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// This file has cases that are refused before a request, or that must not hang or panic.

// TestTooLargeIsNotSent has a document of more than 2 MB, in all ways to store one.
func TestTooLargeIsNotSent(t *testing.T) {
	t.Parallel()
	server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	ctx := context.Background()
	small := kit.NoteOf(1, 1)
	if err := r.Create(ctx, small); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 2<<20)
	large := *small
	large.Text = long
	moved := large
	moved.Topic = "another"
	tx := repository.NewTransaction()
	server.ResetRequests()
	for op, err := range map[string]error{
		"create":      r.Create(ctx, &large),
		"upsert":      r.Upsert(ctx, &large),
		"replace":     r.Replace(ctx, &large),
		"update":      r.Update(ctx, small.Key(), func(n *fixtures.Note) error { n.Text = long; return nil }),
		"move":        r.Move(ctx, small.Key(), &moved),
		"transaction": r.In(tx).Upsert(&large),
		"commit":      tx.Commit(ctx),
	} {
		if !errors.Is(err, repository.ErrTooLarge) || errors.Is(err, repository.ErrUnclear) || strings.Contains(err.Error(), "xxx") {
			t.Errorf("%s: %.200v", op, err)
		}
	}
	for name, way := range kit.BulkWays {
		summary, err := r.UpsertAll(documents.Items(&large, kit.NoteOf(2, 1)), way...).Collect(ctx)
		if !errors.Is(err, repository.ErrTooLarge) || summary.TooLarge != 1 || summary.Failed != 1 {
			t.Errorf("%s: %+v, %.200v", name, summary, err)
		}
	}
	for _, request := range server.Requests() {
		if request.Status >= http.StatusBadRequest {
			t.Errorf("status %d was asked for", request.Status)
		}
	}
	// Escapes of Go are not the service's: this one is below 2 MB there.
	large.Text = strings.Repeat("<", 1<<20)
	if err := r.Upsert(ctx, &large); errors.Is(err, repository.ErrTooLarge) && !isSent(err) {
		t.Errorf("a document of 1 MB is refused: %.200v", err)
	}
	// Transactions have a limit of their own.
	tx = repository.NewTransaction()
	err := error(nil)
	for i := range 3 {
		n := kit.NoteOf(i, 1)
		n.Text = strings.Repeat("x", 900_000)
		err = errors.Join(err, r.In(tx).Upsert(n))
	}
	if committed := tx.Commit(ctx); !errors.Is(err, repository.ErrTooLarge) || !errors.Is(committed, repository.ErrTooLarge) {
		t.Errorf("a transaction of 2.7 MB: %.200v, and %.200v", err, committed)
	}
}

// isSent reports whether the service has answered.
func isSent(err error) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response)
}

// TestETagsThatNoHeaderHolds sends nothing.
func TestETagsThatNoHeaderHolds(t *testing.T) {
	server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	ctx := context.Background()
	server.ResetRequests()
	for _, tag := range []string{"a\nb", "a\r\nx-ms-y: z", "\x00", "\x7f", " a", "a ", "\ta"} {
		n := kit.NoteOf(1, 1)
		n.ETag = tag
		moved := *n
		moved.Topic = "another"
		tx := repository.NewTransaction()
		for op, err := range map[string]error{
			"replace":        r.Replace(ctx, n),
			"delete":         r.DeleteIfMatch(ctx, n),
			"move":           r.Move(ctx, n.Key(), &moved),
			"in transaction": r.In(tx).Replace(n),
			"to delete":      r.In(tx).DeleteIfMatch(n),
			"commit":         tx.Commit(ctx),
		} {
			if err == nil || errors.Is(err, repository.ErrUnclear) || !strings.Contains(err.Error(), "its ETag has a character that a header cannot hold") {
				t.Errorf("%s with %q: %v", op, tag, err)
			}
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// TestBulkWithoutAConcurrencyLimit takes the greatest number that there is.
func TestBulkWithoutAConcurrencyLimit(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	for name, way := range kit.BulkWays {
		_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil), repository.WithConcurrency(math.MaxInt))
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		for _, options := range [][]documents.BulkOption{way, append(slices.Clone(way), documents.WithBulkConcurrency(math.MaxInt))} {
			if summary, err := r.UpsertAll(documents.Sequence(kit.NotesOf(300, 7)), options...).Collect(ctx); err != nil || summary.Items != 300 {
				t.Errorf("%s: %+v, %v", name, summary, err)
			}
		}
		if n := len(r.Stored(t)); n != 300 {
			t.Errorf("%d are stored", n)
		}
	}
}

// TestContextThatEndsInAPause has the context end between two attempts, after a
// request that says nothing of it.
func TestContextThatEndsInAPause(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]emulator.Fault{
		"lost":        {Drop: true, After: true, Count: -1},
		"unavailable": {Status: http.StatusServiceUnavailable, Count: -1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				end := func() {}
				server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(harness.Impatient()), repository.WithObserver(func(context.Context, repository.Event) { end() }))
				if err := r.Create(context.Background(), kit.NoteOf(1, 1)); err != nil {
					t.Fatal(err)
				}
				fault.Path = "/docs"
				for op, do := range map[string]func(context.Context) error{
					"create": func(ctx context.Context) error { return r.Create(ctx, kit.NoteOf(2, 1)) },
					"upsert": func(ctx context.Context) error { return r.Upsert(ctx, kit.NoteOf(1, 1)) },
					"delete": func(ctx context.Context) error { return r.Delete(ctx, kit.NoteOf(1, 1).Key()) },
					"get many": func(ctx context.Context) error {
						_, err := r.GetMany(ctx, []fixtures.NoteKey{kit.NoteOf(1, 1).Key(), kit.NoteOf(2, 1).Key()})
						return err
					},
					"batch": func(ctx context.Context) error {
						_, err := r.UpsertAll(documents.Sequence(kit.NotesOf(3, 1)), documents.InBatches()).Collect(ctx)
						return err
					},
				} {
					ctx, stop := context.WithCancel(context.Background())
					end = func() { stop() }
					server.Inject(fault)
					if err := do(ctx); !errors.Is(err, context.Canceled) || op != "get many" && !errors.Is(err, repository.ErrUnclear) {
						t.Errorf("%s: %v", op, err)
					}
					server.ClearFaults()
					stop()
				}
			})
		})
	}
}

// TestNilIsNamed hands over nil where there has to be something.
func TestNilIsNamed(t *testing.T) {
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Update(ctx, e.Key(), nil); err == nil || !strings.Contains(err.Error(), "the function is nil") {
		t.Errorf("update: %v", err)
	}
	_, err := events.CreateAll(documents.Items(e), nil).Collect(ctx)
	if err == nil || !strings.Contains(err.Error(), "a BulkOption is nil") {
		t.Errorf("bulk: %v", err)
	}
	for want, option := range map[string]feed.Option{"an Option is nil": nil, "the function of OnCaughtUp is nil": feed.OnCaughtUp(nil)} {
		for _, err := range feed.Changes(ctx, events.Documents, feed.FromBeginning(), option) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("changes: %v, want %s", err, want)
			}
		}
	}
	if err := events.In(nil).Create(e); err == nil || !strings.Contains(err.Error(), "the transaction is nil") {
		t.Errorf("in no transaction: %v", err)
	}
	if err := (*repository.Transaction)(nil).Commit(ctx); err == nil || !strings.Contains(err.Error(), "the transaction is nil") {
		t.Errorf("commit: %v", err)
	}
	if _, err := fleet.EnsureVehicleEventContainer(ctx, nil, admin.AnyThroughput()); err == nil || !strings.Contains(err.Error(), "the database is nil") {
		t.Errorf("ensure: %v", err)
	}
	if _, err := events.Get(repository.WithMeter(ctx, nil), e.Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("with a nil meter: %v", err)
	}
	_, client := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
	for want, broken := range map[string]*fleet.VehicleEventRepository{
		"the container of the repository is nil": fleet.NewVehicleEventRepository(nil),
		"the function of WithUnmarshal is nil":   fleet.NewVehicleEventRepository(client, repository.WithUnmarshal(nil)),
		"the function of WithObserver is nil":    fleet.NewVehicleEventRepository(client, repository.WithObserver(nil)),
		"an Option of the repository is nil":     fleet.NewVehicleEventRepository(client, nil),
	} {
		for op, err := range everything(ctx, broken) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", op, err, want)
			}
		}
	}
}

// everything calls all that a repository can do, and returns the errors.
func everything(ctx context.Context, r *fleet.VehicleEventRepository) map[string]error {
	e := kit.Event(1)
	e.ETag = "x"
	moved := kit.Event(1)
	moved.Date = "2018-08-10"
	errs := map[string]error{
		"create":  r.Create(ctx, e),
		"upsert":  r.Upsert(ctx, e),
		"replace": r.Replace(ctx, e),
		"delete":  r.Delete(ctx, e.Key()),
		"if":      r.DeleteIfMatch(ctx, e),
		"update":  r.Update(ctx, e.Key(), func(*fleet.VehicleEvent) error { return nil }),
		"patch":   r.Patch(ctx, e.Key(), fleet.VehicleEventPatch.Speed.Set(1)),
		"move":    r.Move(ctx, e.Key(), moved),
		"in":      r.In(repository.NewTransaction()).Create(e), //nolint:pkgen // it comes to no commit
	}
	_, errs["get"] = r.Get(ctx, e.Key())
	_, errs["many"] = r.GetMany(ctx, []fleet.VehicleEventKey{e.Key()})
	_, errs["collect"] = r.ByDate(kit.Day).Collect(ctx)
	_, errs["first"] = r.ByDateAndVIN(kit.Day, e.VIN).First(ctx)
	_, errs["count"] = r.Scan().Count(ctx)
	_, errs["page"] = r.ByDate(kit.Day).Page(ctx, "", 3)
	_, errs["plan"] = r.ByDate(kit.Day).Plan(ctx)
	_, errs["bulk"] = r.UpsertAll(documents.Items(e)).Collect(ctx)
	_, errs["batches"] = r.DeleteAll(documents.Items(e.Key()), documents.InBatches()).Collect(ctx)
	_, errs["found"] = r.DeleteFound(r.Scan()).Collect(ctx)
	for _, err := range feed.Changes(ctx, r.Documents, feed.FromBeginning()) {
		errs["changes"] = err
	}
	return errs
}
