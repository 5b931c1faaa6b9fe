package shared

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// notary is a policy that sees every attempt of every request. It lets one write
// pass at a time and reads all documents, through another client, before and
// after: a document of another type must not change, whatever the client was
// told.
type notary struct {
	mu         sync.Mutex
	peek       *azcosmos.ContainerClient
	violations atomic.Int64
	writes     atomic.Int64
}

type sideKey struct{}

func (n *notary) Do(r *policy.Request) (*http.Response, error) {
	side, ok := r.Raw().Context().Value(sideKey{}).(string)
	if !ok || r.Raw().Method == http.MethodGet || r.Raw().Header.Get("x-ms-documentdb-query") != "" {
		return r.Next()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	before := n.others(side)
	response, err := r.Next()
	after := n.others(side)
	n.writes.Add(1)
	for id, doc := range before {
		if !cmp.Equal(doc, after[id]) {
			n.violations.Add(1)
		}
	}
	return response, err
}

// others returns the documents that are not of a type.
func (n *notary) others(side string) map[string]map[string]any {
	all, err := wholeContainer(context.Background(), n.peek)
	for err != nil { // faults are for everybody, and pass
		all, err = wholeContainer(context.Background(), n.peek)
	}
	for id, doc := range all {
		if typeOf(doc) == side {
			delete(all, id)
		}
	}
	return all
}

// rivals lets writers of both types act at once on few ids, under faults and while
// physical partitions are split, and returns how many documents of the other type
// were changed.
func rivals(t *testing.T, layout, prefix string) int64 {
	t.Helper()
	watch := new(notary)
	options := repository.Configure(harness.Impatient())
	options.PerRetryPolicies = append(options.PerRetryPolicies, watch)
	r := newRegistry(t, layout, prefix, options)
	observer := r.server.Container("registry", repository.Configure(nil))
	watch.peek = observer
	operations := []string{
		emulator.OpCreateItem, emulator.OpReplaceItem, emulator.OpDeleteItem, emulator.OpUpsertItem, emulator.OpPatchItem,
		emulator.OpReadItem, emulator.OpQueryItems, emulator.OpExecuteBatch,
	}
	var outcomes sync.Map
	var wg sync.WaitGroup
	for worker := range 6 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), 1066))
			own, side := r.grants, "grant"
			if worker%2 == 0 {
				own, side = r.wills, "will"
			}
			ctx := context.WithValue(context.Background(), sideKey{}, side)
			for step := range 30 {
				if random.IntN(4) == 0 {
					f := kit.RandomFault(random)
					f.Operation = operations[random.IntN(len(operations))]
					f.After = f.After && f.Status != 449 // which says that there was no effect
					r.server.Inject(f)
				}
				if worker == 0 && step%10 == 5 {
					_ = r.server.Split("db", "registry", fmt.Sprint(random.IntN(12))) // of which some are gone
				}
				write := deedWrites[random.IntN(len(deedWrites))]
				err := write.run(ctx, own, newDeed(fmt.Sprint("b", random.IntN(4)), fmt.Sprint(worker, " ", step)))
				outcomes.Store(fmt.Sprint(kit.Outcome(err)), true)
			}
		})
	}
	wg.Wait()
	r.server.ClearFaults()
	if watch.writes.Load() < 150 {
		t.Errorf("only %d writes were seen", watch.writes.Load())
	}
	for _, want := range []error{nil, repository.ErrNotFound, repository.ErrAlreadyExists} {
		if _, ok := outcomes.Load(fmt.Sprint(want)); !ok {
			t.Errorf("no operation ended with %v", want)
		}
	}
	return watch.violations.Load()
}

func TestRivalsLeaveEachOtherAlone(t *testing.T) {
	seeds.Gate(t, "many writes")
	t.Parallel()
	inLayouts(t, func(t *testing.T, layout string) {
		t.Parallel()
		if violations := rivals(t, layout, ""); violations != 0 {
			t.Errorf("%d documents of the other type were changed", violations)
		}
	})
}

// TestRivalsNeedToLook shows that the test above can fail.
func TestRivalsNeedToLook(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	if violations := rivals(t, "natural", "a promise that the ids do not keep"); violations == 0 {
		t.Error("without a look, no document of the other type was changed")
	}
}

// possibleDeeds returns the states that a document may have after the trials of one bulk
// operation of a type that shares a container with another, or why the trials cannot be
// true. A state is "", or the type and the text.
func possibleDeeds(op, typ, before string, trials []kit.BulkTrial) ([]string, error) {
	may := []string{before}
	own := func(state string) bool { return strings.HasPrefix(state, typ) }
	other := func(state string) bool { return state != "" && !own(state) }
	only := func(tr kit.BulkTrial, keep func(string) bool) error {
		if may = slices.DeleteFunc(may, func(s string) bool { return !keep(s) }); len(may) == 0 {
			return fmt.Errorf("%s of %q: %w", op, before, tr.Err)
		}
		return nil
	}
	for _, tr := range trials {
		is := func(kind error) bool { return errors.Is(tr.Err, kind) }
		var err error
		switch {
		case is(repository.ErrUnclear):
			if !slices.ContainsFunc(may, func(s string) bool { return !other(s) }) {
				continue
			}
			may = append(may, tr.Text)
		case op == emulator.OpCreateItem && tr.Err == nil:
			err = only(tr, func(s string) bool { return s == "" })
			may = []string{tr.Text}
		case tr.Err == nil:
			err = only(tr, func(s string) bool { return !other(s) })
			may = []string{tr.Text}
		case op == emulator.OpCreateItem && is(repository.ErrAlreadyExists):
			err = only(tr, func(s string) bool { return s != "" })
		case is(repository.ErrAlreadyExists) && is(repository.ErrOtherType):
			err = only(tr, other)
		case op == emulator.OpDeleteItem && is(repository.ErrNotFound):
			err = only(tr, func(s string) bool { return other(s) == is(repository.ErrOtherType) && !own(s) })
		default:
			err = fmt.Errorf("unexpected: %w", tr.Err)
		}
		if err != nil {
			return nil, err
		}
	}
	return may, nil
}

// TestBulkOfTwoTypesAgainstAModel runs random bulk operations of two types on the
// same few ids, one operation after the other and under faults, and compares what
// is stored with what the outcomes say.
func TestBulkOfTwoTypesAgainstAModel(t *testing.T) {
	t.Parallel()
	inLayouts(t, func(t *testing.T, layout string) {
		t.Parallel()
		random := rand.New(rand.NewPCG(17, 1337))
		r := newRegistry(t, layout, "", repository.Configure(harness.Impatient()))
		ctx := context.Background()
		states := func() map[string]string {
			all := map[string]string{}
			for id, doc := range r.raw(t) {
				all[id] = fmt.Sprint(typeOf(doc), " ", doc["text"])
			}
			return all
		}
		before, unclear, batched := map[string]string{}, 0, 0
		rounds := seeds.Rows(t, 60, 20)
		for round := range rounds {
			own, typ := r.grants, "grant"
			if random.IntN(2) == 0 {
				own, typ = r.wills, "will"
			}
			var way []documents.BulkOption
			if random.IntN(3) > 0 {
				way = append(way, documents.InBatches())
			}
			docs := make([]*deed, random.IntN(60))
			keys := make([]deedKey, len(docs))
			for i := range docs {
				docs[i] = newDeed(fmt.Sprint(random.IntN(50)), fmt.Sprint(round, ".", i))
				keys[i] = docs[i].key()
			}
			if random.IntN(2) == 0 {
				f := kit.RandomBulkFault(random)
				if f.Operation == emulator.OpUpsertItem {
					f.Operation = emulator.OpReplaceItem
				}
				r.server.Inject(f)
			}
			r.server.ResetRequests()
			trials := map[string][]kit.BulkTrial{}
			op := []string{emulator.OpCreateItem, emulator.OpUpsertItem, emulator.OpDeleteItem}[random.IntN(3)]
			switch op {
			case emulator.OpCreateItem:
				for _, o := range kit.AllItems(t, own.CreateAll(documents.Items(docs...), way...).All(ctx)) {
					trials[o.Item.ID] = append(trials[o.Item.ID], kit.BulkTrial{Text: typ + " " + o.Item.Text, Err: o.Err})
				}
			case emulator.OpUpsertItem:
				for _, o := range kit.AllItems(t, own.UpsertAll(documents.Items(docs...), way...).All(ctx)) {
					trials[o.Item.ID] = append(trials[o.Item.ID], kit.BulkTrial{Text: typ + " " + o.Item.Text, Err: o.Err})
				}
			case emulator.OpDeleteItem:
				for _, o := range kit.AllItems(t, own.DeleteAll(documents.Items(keys...), way...).All(ctx)) {
					trials[o.Item.ID] = append(trials[o.Item.ID], kit.BulkTrial{Text: "", Err: o.Err})
				}
			}
			r.server.ClearFaults()
			batched += r.server.Sent(emulator.OpExecuteBatch)
			after := states()
			for id, tried := range trials {
				may, err := possibleDeeds(op, typ, before[id], tried)
				if err != nil || !slices.Contains(may, after[id]) {
					t.Fatalf("round %d: %s of %s as a %s: was %q, tried %v, is %q, may be %q, %v", round, op, id, typ, before[id], tried, after[id], may, err)
				}
				if len(may) > 1 {
					unclear++
				}
			}
			before = after
		}
		if unclear > 300 || batched < rounds/2 {
			t.Errorf("%d outcomes are unclear, and %d batches were sent", unclear, batched)
		}
	})
}
