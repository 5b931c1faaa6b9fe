package kit

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

const (
	BulkWrites = 10_000
	BulkTopics = 100
)

// KeysOf is the keys of notes.
func KeysOf(all iter.Seq[*fixtures.Note]) iter.Seq[fixtures.NoteKey] {
	return func(yield func(fixtures.NoteKey) bool) {
		for n := range all {
			if !yield(n.Key()) {
				return
			}
		}
	}
}

// BulkTrial is an item of a bulk operation and its outcome.
type BulkTrial struct {
	Text string // that it was to store
	Err  error
}

// RandomBulkFault makes up to three writes, or the reads between them, fail in a
// way that passes.
func RandomBulkFault(random *rand.Rand) emulator.Fault {
	operations := []string{emulator.OpExecuteBatch, emulator.OpCreateItem, emulator.OpUpsertItem, emulator.OpDeleteItem, emulator.OpReadItem}
	f := emulator.Fault{
		Operation: operations[random.IntN(len(operations))], Skip: random.IntN(6), Count: 1 + random.IntN(3),
		After: random.IntN(2) == 0,
	}
	statuses := []int{http.StatusRequestTimeout, http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusTooManyRequests, 449}
	switch i := random.IntN(len(statuses) + 1); {
	case i < len(statuses):
		f.Status = statuses[i]
		f.After = f.After && i < 3 // the service says of the others that they had no effect
	case f.Operation == emulator.OpReadItem:
		f.Status = http.StatusBadRequest
	default:
		f.Drop = true
	}
	return f
}

// NewPlainNotes is an empty container of notes whose keys do not collide.
func NewPlainNotes(t testing.TB, o emulator.Options, client *azcosmos.ClientOptions, opts ...repository.Option) (*harness.Account, Notes) {
	t.Helper()
	server, container := harness.NewContainer(t, o, fixtures.NoteContainer(), client)
	return server, Notes{&fixtures.NoteRepository{Documents: repository.New(container, UnverifiedNotes, opts...)}}
}

// NoteOf is note n of a number of topics, which take turns.
func NoteOf(n, topics int) *fixtures.Note {
	return &fixtures.Note{ID: fmt.Sprintf("n%05d", n), Topic: fmt.Sprint("topic", n%topics), Title: "t", Text: fmt.Sprint("text ", n)}
}

// NotesOf is n notes of a number of topics, made when they are asked for.
func NotesOf(n, topics int) iter.Seq[*fixtures.Note] {
	return func(yield func(*fixtures.Note) bool) {
		for i := range n {
			if !yield(NoteOf(i, topics)) {
				return
			}
		}
	}
}

// Stored are all the notes in the container, by id.
func (r Notes) Stored(t testing.TB) map[string]*fixtures.Note {
	t.Helper()
	all, err := r.Scan().Collect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]*fixtures.Note{}
	for _, n := range all {
		byID[n.ID] = n
	}
	return byID
}

// AllItems runs a bulk operation and returns the outcome of each item by its
// index.
func AllItems[I any](t testing.TB, outcomes iter.Seq[documents.Outcome[I]]) []documents.Outcome[I] {
	t.Helper()
	all := slices.Collect(outcomes)
	slices.SortFunc(all, func(a, b documents.Outcome[I]) int { return a.Index - b.Index })
	for i, o := range all {
		if o.Index != i {
			t.Fatalf("outcome %d has the index %d", i, o.Index)
		}
	}
	return all
}

// BulkWays are the two ways to send.
var BulkWays = map[string][]documents.BulkOption{
	"singly":     nil,
	"in batches": {documents.InBatches()},
}
