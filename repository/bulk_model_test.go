package repository_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// trial is an item of a bulk operation and its outcome.
type trial struct {
	text string // that it was to store
	err  error
}

// possible returns the texts that a document may have after the trials of one bulk
// operation, in their order, "" where it may be absent, or why the trials cannot
// be true.
func possible(op, before string, trials []trial) ([]string, error) {
	may := []string{before}
	for _, tr := range trials {
		is := func(kind error) bool { return errors.Is(tr.err, kind) }
		switch {
		case is(repository.ErrUnclear):
			may = append(may, tr.text)
		case op == emulator.OpCreateItem && tr.err == nil:
			if !slices.Contains(may, "") {
				return nil, fmt.Errorf("%q was created where %q is stored", tr.text, may)
			}
			may = []string{tr.text}
		case op == emulator.OpCreateItem && is(repository.ErrAlreadyExists):
			if may = slices.DeleteFunc(may, func(text string) bool { return text == "" }); len(may) == 0 {
				return nil, fmt.Errorf("%q was refused where nothing is stored", tr.text)
			}
		case op == emulator.OpDeleteItem && is(repository.ErrNotFound):
			if !slices.Contains(may, "") {
				return nil, fmt.Errorf("%q was not found", may)
			}
			may = []string{""}
		case tr.err == nil:
			may = []string{tr.text}
		default:
			return nil, fmt.Errorf("unexpected: %w", tr.err)
		}
	}
	return may, nil
}

// randomBulkFault makes up to three writes, or the reads between them, fail in a
// way that passes.
func randomBulkFault(random *rand.Rand) emulator.Fault {
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

// TestBulkAgainstAModel runs random bulk operations on few documents under random
// faults, and compares what the server holds with what the outcomes say.
func TestBulkAgainstAModel(t *testing.T) {
	t.Parallel()
	for seed := range seeds.Of(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 2718))
			server, r := newPlainNotes(t, emulator.Options{Partitions: 2}, repository.Configure(harness.Impatient()))
			ctx := context.Background()
			ops := []string{emulator.OpCreateItem, emulator.OpUpsertItem, emulator.OpDeleteItem}
			before := map[string]*fixtures.Note{}
			unclear := 0
			for round := range 40 {
				var way []repository.BulkOption
				if random.IntN(3) > 0 {
					way = append(way, repository.InBatches())
				}
				docs := make([]*fixtures.Note, random.IntN(60))
				keys := make([]fixtures.NoteKey, len(docs))
				for i := range docs {
					docs[i] = noteOf(random.IntN(40), 4)
					docs[i].Text = fmt.Sprint(round, ".", i)
					keys[i] = docs[i].Key()
				}
				for range random.IntN(4) {
					server.Inject(randomBulkFault(random))
				}
				trials := map[string][]trial{}
				op := ops[random.IntN(len(ops))]
				switch op {
				case emulator.OpCreateItem:
					for _, o := range complete(t, r.CreateEach(ctx, slices.Values(docs), way...)) {
						trials[o.Item.ID] = append(trials[o.Item.ID], trial{o.Item.Text, o.Err})
					}
				case emulator.OpUpsertItem:
					for _, o := range complete(t, r.UpsertEach(ctx, slices.Values(docs), way...)) {
						trials[o.Item.ID] = append(trials[o.Item.ID], trial{o.Item.Text, o.Err})
					}
				case emulator.OpDeleteItem:
					for _, o := range complete(t, r.DeleteEach(ctx, slices.Values(keys), way...)) {
						trials[o.Item.ID] = append(trials[o.Item.ID], trial{"", o.Err})
					}
				}
				server.ClearFaults()
				after := r.stored(t)
				for id, tried := range trials {
					text := func(notes map[string]*fixtures.Note) string {
						if n := notes[id]; n != nil {
							return n.Text
						}
						return ""
					}
					may, err := possible(op, text(before), tried)
					if err != nil || !slices.Contains(may, text(after)) {
						t.Fatalf("round %d: %s of %s: was %q, tried %v, is %q, may be %q, %v", round, op, id, text(before), tried, text(after), may, err)
					}
					if len(may) > 1 {
						unclear++
					}
				}
				before = after
			}
			if unclear > 400 {
				t.Errorf("%d outcomes are unclear", unclear)
			}
		})
	}
}
