package bulk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// possible returns the texts that a document may have after the trials of one bulk
// operation, in their order, "" where it may be absent, or why the trials cannot
// be true.
func possible(op, before string, trials []kit.BulkTrial) ([]string, error) {
	may := []string{before}
	for _, tr := range trials {
		is := func(kind error) bool { return errors.Is(tr.Err, kind) }
		switch {
		case is(repository.ErrUnclear):
			may = append(may, tr.Text)
		case op == emulator.OpCreateItem && tr.Err == nil:
			if !slices.Contains(may, "") {
				return nil, fmt.Errorf("%q was created where %q is stored", tr.Text, may)
			}
			may = []string{tr.Text}
		case op == emulator.OpCreateItem && is(repository.ErrAlreadyExists):
			if may = slices.DeleteFunc(may, func(text string) bool { return text == "" }); len(may) == 0 {
				return nil, fmt.Errorf("%q was refused where nothing is stored", tr.Text)
			}
		case op == emulator.OpDeleteItem && is(repository.ErrNotFound):
			if !slices.Contains(may, "") {
				return nil, fmt.Errorf("%q was not found", may)
			}
			may = []string{""}
		case tr.Err == nil:
			may = []string{tr.Text}
		default:
			return nil, fmt.Errorf("unexpected: %w", tr.Err)
		}
	}
	return may, nil
}

// TestBulkAgainstAModel runs random bulk operations on few documents under random
// faults, and compares what the server holds with what the outcomes say.
func TestBulkAgainstAModel(t *testing.T) {
	t.Parallel()
	for seed := range seeds.Of(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 2718))
			server, r := kit.NewPlainNotes(t, emulator.Options{Partitions: 2}, repository.Configure(harness.Impatient()))
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
					docs[i] = kit.NoteOf(random.IntN(40), 4)
					docs[i].Text = fmt.Sprint(round, ".", i)
					keys[i] = docs[i].Key()
				}
				for range random.IntN(4) {
					server.Inject(kit.RandomBulkFault(random))
				}
				trials := map[string][]kit.BulkTrial{}
				op := ops[random.IntN(len(ops))]
				switch op {
				case emulator.OpCreateItem:
					for _, o := range kit.AllItems(t, r.CreateEach(ctx, slices.Values(docs), way...)) {
						trials[o.Item.ID] = append(trials[o.Item.ID], kit.BulkTrial{Text: o.Item.Text, Err: o.Err})
					}
				case emulator.OpUpsertItem:
					for _, o := range kit.AllItems(t, r.UpsertEach(ctx, slices.Values(docs), way...)) {
						trials[o.Item.ID] = append(trials[o.Item.ID], kit.BulkTrial{Text: o.Item.Text, Err: o.Err})
					}
				case emulator.OpDeleteItem:
					for _, o := range kit.AllItems(t, r.DeleteEach(ctx, slices.Values(keys), way...)) {
						trials[o.Item.ID] = append(trials[o.Item.ID], kit.BulkTrial{Text: "", Err: o.Err})
					}
				}
				server.ClearFaults()
				after := r.Stored(t)
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
