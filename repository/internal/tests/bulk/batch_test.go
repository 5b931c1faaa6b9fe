package bulk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestBatchesAreFewRequests counts the requests of ten thousand upserts. Their
// logical partitions, of a hundred documents each, take turns.
func TestBatchesAreFewRequests(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	server, r := kit.NewPlainNotes(t, emulator.Options{Partitions: 5}, repository.Configure(nil))
	server.ResetRequests()
	summary, err := r.UpsertAll(documents.Sequence(kit.NotesOf(10_000, 100)), documents.InBatches()).Collect(context.Background())
	if err != nil || summary.Items != 10_000 {
		t.Fatal(summary, err)
	}
	if n := batchRequests(server); n > 10_000/20 {
		t.Errorf("%d batches", n)
	}
	if n := server.Documents()[emulator.OpUpsertItem]; n > 10 {
		t.Errorf("%d single writes, of items that were left alone", n)
	}
	if n, err := r.Scan().Count(context.Background()); err != nil || n != 10_000 {
		t.Errorf("%d are stored, %v", n, err)
	}
	// Documents in the order of their logical partitions need the fewest batches.
	server.ResetRequests()
	ordered := func(yield func(*fixtures.Note) bool) {
		for i := range 1000 {
			n := kit.NoteOf(i, 1)
			if n.Topic = string(rune('a' + i/100)); !yield(n) {
				return
			}
		}
	}
	if summary, err := r.CreateAll(documents.Sequence(ordered), documents.InBatches()).Collect(context.Background()); err != nil {
		t.Fatal(summary, err)
	}
	if n := batchRequests(server); n != 10 {
		t.Errorf("%d batches, want 10", n)
	}
}

// TestCulprits has documents that are there already among those to be created. The first
// document of a batch is read if it is in the way, since the batch may have arrived twice.
func TestCulprits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		there    func(i int) bool
		requests int // at most
	}{
		{"one in the middle", func(i int) bool { return i == 50 }, 2},
		{"the first and the last", func(i int) bool { return i == 0 || i == 99 }, 5},
		{"all", func(int) bool { return true }, 200},
		{"every other", func(i int) bool { return i%2 == 0 }, 151},
		{"the second half", func(i int) bool { return i >= 50 }, 102},
	} {
		t.Run(test.name, func(t *testing.T) {
			server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
			ctx := context.Background()
			for i := range 100 {
				if test.there(i) {
					n := kit.NoteOf(i, 1)
					n.Text = "older"
					if err := r.Create(ctx, n); err != nil {
						t.Fatal(err)
					}
				}
			}
			server.ResetRequests()
			outcomes := kit.AllItems(t, r.CreateAll(documents.Sequence(kit.NotesOf(100, 1)), documents.InBatches()).All(ctx))
			requests := len(server.Requests())
			stored := r.Stored(t)
			for i, o := range outcomes {
				var own *repository.Error
				switch {
				case !test.there(i):
					if o.Err != nil || stored[o.Item.ID].Text != o.Item.Text || stored[o.Item.ID].ETag != o.Item.ETag {
						t.Errorf("%d: %v, stored is %+v", i, o.Err, stored[o.Item.ID])
					}
				case !errors.Is(o.Err, repository.ErrAlreadyExists) || !errors.As(o.Err, &own) || own.ID != o.Item.ID || own.Status != http.StatusConflict:
					t.Errorf("%d: %v", i, o.Err)
				case stored[o.Item.ID].Text != "older" || o.Item.ETag != "":
					t.Errorf("%d was overwritten: %+v", i, stored[o.Item.ID])
				}
			}
			if requests > test.requests {
				t.Errorf("%d requests, want %d at most", requests, test.requests)
			}
		})
	}
}

// TestBatchThatIsTooLarge sends the batch in parts. Only the document that is
// itself too large fails.
func TestBatchThatIsTooLarge(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	server, r := kit.NewPlainNotes(t, emulator.Options{MaxDocument: 300_000}, repository.Configure(nil))
	docs := slices.Collect(kit.NotesOf(30, 1))
	for i, n := range docs {
		n.Text = strings.Repeat("x", 100_000)
		if i == 17 {
			n.Text = strings.Repeat(n.Text, 4)
		}
	}
	server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Status: http.StatusRequestEntityTooLarge})
	outcomes := kit.AllItems(t, r.UpsertAll(documents.Items(docs...), documents.InBatches()).All(context.Background()))
	for i, o := range outcomes {
		if i == 17 && !errors.Is(o.Err, repository.ErrTooLarge) || i != 17 && o.Err != nil {
			t.Errorf("%d: %v", i, o.Err)
		}
	}
	if n := len(r.Stored(t)); n != 29 {
		t.Errorf("%d are stored", n)
	}
	if n := batchRequests(server); n < 4 || n > 12 {
		t.Errorf("%d batches", n)
	}
}

// silence is a policy that takes the results out of the answers to batches that
// do not ask for them, as the service may.
type silence struct{}

func (silence) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err == nil && r.Raw().Header.Get("x-ms-cosmos-is-batch-request") != "" && r.Raw().Header.Get("Prefer") == "return=minimal" {
		response.Body = io.NopCloser(bytes.NewReader(nil))
	}
	return response, err
}

// TestBatchWithoutResults learns which operation has failed by asking again.
func TestBatchWithoutResults(t *testing.T) {
	var options azcosmos.ClientOptions
	options.PerRetryPolicies = []policy.Policy{silence{}}
	server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(&options))
	keys := make([]fixtures.NoteKey, 50)
	for i := range keys {
		keys[i] = kit.NoteOf(i, 1).Key()
	}
	ctx := context.Background()
	if _, err := r.CreateAll(documents.Sequence(kit.NotesOf(50, 1)), documents.InBatches()).Collect(ctx); err != nil {
		t.Fatal(err)
	}
	if err := r.Delete(ctx, keys[20]); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	summary, err := r.DeleteAll(documents.Items(keys...), documents.InBatches()).Collect(ctx)
	if summary.Failed != 1 || !errors.Is(err, repository.ErrNotFound) || !strings.Contains(err.Error(), "item 20:") {
		t.Errorf("got %+v, %v", summary, err)
	}
	if n := batchRequests(server); n != 3 || len(r.Stored(t)) != 0 {
		t.Errorf("%d batches, and %d are stored", n, len(r.Stored(t)))
	}
}

// TestUnclearBatches loses the answer to a batch, before and after its effect.
func TestUnclearBatches(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	ctx := context.Background()
	for name, fault := range kit.UnclearFaults(emulator.OpExecuteBatch) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
				keys := make([]fixtures.NoteKey, 20)
				for i := range keys {
					keys[i] = kit.NoteOf(i, 1).Key()
				}
				check := func(op string, want int, summary documents.Summary, err error) {
					if err != nil || summary.Items != 20 || len(r.Stored(t)) != want {
						t.Fatalf("%s: %+v, %v, and %d are stored", op, summary, err, len(r.Stored(t)))
					}
				}
				server.Inject(fault)
				summary, err := r.CreateAll(documents.Sequence(kit.NotesOf(20, 1)), documents.InBatches()).Collect(ctx)
				check("create", 20, summary, err)
				server.Inject(fault)
				server.ResetRequests()
				summary, err = r.UpsertAll(documents.Sequence(kit.NotesOf(20, 1)), documents.InBatches()).Collect(ctx)
				if check("upsert", 20, summary, err); batchRequests(server) != 2 {
					t.Errorf("%d batches", batchRequests(server))
				}
				server.Inject(fault)
				summary, err = r.DeleteAll(documents.Items(keys...), documents.InBatches()).Collect(ctx)
				check("delete", 0, summary, err)
			})
		})
	}
	t.Run("to the end", func(t *testing.T) {
		server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
		server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Drop: true, After: true, Count: -1})
		summary, err := r.UpsertAll(documents.Sequence(kit.NotesOf(20, 1)), documents.InBatches()).Collect(ctx)
		if summary.Unclear != 20 || !errors.Is(err, repository.ErrUnclear) || batchRequests(server) != 4 {
			t.Errorf("%+v after %d batches, %v", summary, batchRequests(server), err)
		}
	})
}

// TestBatchRefusedAsAWhole gives every item the error.
func TestBatchRefusedAsAWhole(t *testing.T) {
	server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	server.Inject(emulator.Fault{Operation: emulator.OpExecuteBatch, Status: http.StatusForbidden, Delay: time.Millisecond})
	for i, o := range kit.AllItems(t, r.CreateAll(documents.Sequence(kit.NotesOf(10, 1)), documents.InBatches()).All(context.Background())) {
		var own *repository.Error
		if !errors.As(o.Err, &own) || own.Status != http.StatusForbidden || own.ID != kit.NoteOf(i, 1).ID || errors.Is(o.Err, repository.ErrUnclear) {
			t.Errorf("got %v", o.Err)
		}
	}
}

// busy is a policy that answers the first batch: its second operation has met
// another write.
type busy struct{ answered *atomic.Bool }

func (b busy) Do(r *policy.Request) (*http.Response, error) {
	if r.Raw().Header.Get("x-ms-cosmos-is-batch-request") == "" || b.answered.Swap(true) {
		return r.Next()
	}
	return &http.Response{
		StatusCode: http.StatusMultiStatus, Request: r.Raw(), Header: http.Header{},
		Body: io.NopCloser(strings.NewReader(`[{"statusCode":424},{"statusCode":449}]`)),
	}, nil
}

// TestCulpritThatMaySucceed sends the item before the culprit first, so that the
// culprit's text is the last.
func TestCulpritThatMaySucceed(t *testing.T) {
	var options azcosmos.ClientOptions
	options.PerRetryPolicies = []policy.Policy{busy{new(atomic.Bool)}}
	server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(&options))
	first, second := kit.NoteOf(0, 1), kit.NoteOf(0, 1)
	second.Text = "newer"
	outcomes := kit.AllItems(t, r.UpsertAll(documents.Items(first, second), documents.InBatches()).All(context.Background()))
	if outcomes[0].Err != nil || outcomes[1].Err != nil || r.Stored(t)[first.ID].Text != "newer" {
		t.Errorf("got %v, and stored is %+v", outcomes, r.Stored(t)[first.ID])
	}
	if n := server.Documents()[emulator.OpUpsertItem]; n != 2 {
		t.Errorf("%d single writes, want 2", n)
	}
}
