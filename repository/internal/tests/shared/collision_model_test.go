package shared

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// owners are notes whose keys collide: their partition keys are a-b-c, a-a-a-a
// and x-y, and their ids 1 and 2.
var owners = func() (keys []fixtures.NoteKey) {
	for _, id := range []string{"1", "2"} {
		keys = append(keys,
			fixtures.NoteKey{ID: id, Topic: "a", Title: "b-c"}, fixtures.NoteKey{ID: id, Topic: "a-b", Title: "c"},
			fixtures.NoteKey{ID: id, Topic: "a", Title: "a-a-a"}, fixtures.NoteKey{ID: id, Topic: "a-a", Title: "a-a"}, fixtures.NoteKey{ID: id, Topic: "a-a-a", Title: "a"},
			fixtures.NoteKey{ID: id, Topic: "x", Title: "y"},
		)
	}
	return keys
}()

// TestVerifiedOperationsAgainstAModel runs random operations one by one and
// compares each outcome, and all that is stored, with a map from places to the
// notes in them.
func TestVerifiedOperationsAgainstAModel(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	_, r := kit.NewNotes(t)
	ctx := context.Background()
	random := rand.New(rand.NewPCG(3, 141))
	type place struct{ id, key string }
	model := map[place]fixtures.Note{}
	for step := range seeds.Rows(t, 3000, 600) {
		key := owners[random.IntN(len(owners))]
		at := place{key.ID, key.PartitionKey()}
		there, occupied := model[at]
		mine := occupied && there.Key() == key
		n := fixtures.Note{ID: key.ID, Topic: key.Topic, Title: key.Title, Text: fmt.Sprint(step)}
		var err, want error
		operation := random.IntN(6)
		switch operation {
		case 0:
			if occupied {
				want = repository.ErrAlreadyExists
			}
			err = r.Create(ctx, &n)
		case 1:
			if occupied && !mine {
				want = repository.ErrAlreadyExists
			}
			err = r.Upsert(ctx, &n)
		case 2:
			if !mine {
				want = repository.ErrNotFound
			}
			err = r.Replace(ctx, &n)
		case 3:
			n.ETag = there.ETag
			if !mine {
				n.ETag, want = "", repository.ErrNotFound
			}
			err = r.Replace(ctx, &n)
		case 4:
			if !mine {
				want = repository.ErrNotFound
			}
			if err = r.Delete(ctx, key); err == nil {
				delete(model, at)
			}
		case 5:
			if !mine {
				want = repository.ErrNotFound
			}
			var got *fixtures.Note
			if got, err = r.Get(ctx, key); err == nil && *got != there {
				t.Fatalf("step %d: Get of %+v gave %+v, want %+v", step, key, got, there)
			}
		}
		if !errors.Is(err, want) {
			t.Fatalf("step %d: operation %d on %+v, with %+v there: got %v, want %v", step, operation, key, there, err, want)
		}
		if err == nil && operation < 4 {
			model[at] = n
		}
		docs, err := r.ByTopicAndTitle(key.Topic, key.Title).Collect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range docs {
			if doc.Key() != (fixtures.NoteKey{ID: doc.ID, Topic: key.Topic, Title: key.Title}) || *doc != model[place{doc.ID, at.key}] {
				t.Fatalf("step %d: the query of %+v gave %+v", step, key, doc)
			}
		}
	}
}

// guard is a policy that sees every attempt of every request. It lets one pass at a time, and
// reads the document at its place, through another client, before and after. A document of
// another owner must not change, whatever the client was told.
type guard struct {
	mu         sync.Mutex
	peek       kit.Notes
	violations atomic.Int64
	writes     atomic.Int64
}

type actorKey struct{}

func (g *guard) Do(r *policy.Request) (*http.Response, error) {
	actor, ok := r.Raw().Context().Value(actorKey{}).(fixtures.NoteKey)
	if !ok || r.Raw().Method == http.MethodGet {
		return r.Next()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	before := g.look(actor)
	response, err := r.Next()
	after := g.look(actor)
	g.writes.Add(1)
	if before != nil && before.Key() != actor && (after == nil || *after != *before) {
		g.violations.Add(1)
	}
	return response, err
}

// look returns the note in the place of a key, whoever owns it.
func (g *guard) look(key fixtures.NoteKey) *fixtures.Note {
	q := repository.NewQuery(g.peek.Documents, generated.Partition(key.PartitionKey()).Where("/id", key.ID))
	n, err := q.First(context.Background())
	if err != nil && !errors.Is(err, repository.ErrNotFound) {
		panic(err)
	}
	return n
}

// compete lets several writers at once, all under faults, act for random owners
// and returns how many notes of others were changed, and how many were returned.
func compete(t *testing.T, model *generated.Model[fixtures.Note, fixtures.NoteKey]) (violations, strangers int64) {
	t.Helper()
	watch := new(guard)
	options := repository.Configure(harness.Impatient())
	options.PerRetryPolicies = append(options.PerRetryPolicies, watch)
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.NoteContainer(), options)
	r := kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(container, model)}}
	observer := server.Container(fixtures.NoteContainer().ID, repository.Configure(nil))
	watch.peek = kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(observer, kit.UnverifiedNotes)}}

	var outcomes sync.Map
	var foreign atomic.Int64
	var wg sync.WaitGroup
	for worker := range 6 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), 59))
			for step := range 150 {
				if random.IntN(4) == 0 {
					server.Inject(kit.RandomFault(random))
				}
				key := owners[random.IntN(len(owners))]
				ctx := context.WithValue(context.Background(), actorKey{}, key)
				n := fixtures.Note{ID: key.ID, Topic: key.Topic, Title: key.Title, Text: fmt.Sprint(worker, " ", step)}
				var err error
				switch random.IntN(6) {
				case 0:
					err = r.Create(ctx, &n)
				case 1, 2:
					err = r.Upsert(ctx, &n)
				case 3:
					err = r.Replace(ctx, &n)
				case 4:
					err = r.Delete(ctx, key)
				case 5:
					var got *fixtures.Note
					if got, err = r.Get(ctx, key); err == nil && got.Key() != key {
						foreign.Add(1)
					}
				}
				outcomes.Store(fmt.Sprint(kit.Outcome(err)), true)
			}
		})
	}
	wg.Wait()
	server.ClearFaults()
	if watch.writes.Load() < 300 {
		t.Errorf("only %d writes were seen", watch.writes.Load())
	}
	for _, want := range []error{nil, repository.ErrNotFound, repository.ErrAlreadyExists} {
		if _, ok := outcomes.Load(fmt.Sprint(want)); !ok {
			t.Errorf("no operation ended with %v", want)
		}
	}
	return watch.violations.Load(), foreign.Load()
}

func TestCompetingWritersLeaveStrangersAlone(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	violations, strangers := compete(t, fixtures.NoteModel)
	if violations != 0 || strangers != 0 {
		t.Errorf("%d notes of others were changed, and %d returned", violations, strangers)
	}
}

// TestCompetingWritersNeedVerification shows that the test above can fail.
func TestCompetingWritersNeedVerification(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	violations, strangers := compete(t, kit.UnverifiedNotes)
	if violations == 0 || strangers == 0 {
		t.Errorf("without verification, %d notes of others were changed, and %d returned", violations, strangers)
	}
}
