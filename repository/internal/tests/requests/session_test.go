package requests

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// lagging is a policy after the retries. It makes the emulator a region in which
// no write has arrived: a read finds nothing, unless its session token says that
// the client has seen the last write. The emulator itself sends tokens and does
// not look at them.
type lagging struct {
	mu     sync.Mutex
	off    bool
	tokens []string // of the reads, in the order of their answers
}

func (l *lagging) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	response, err := r.Next()
	query := raw.Header.Get("x-ms-documentdb-query") != ""
	if err != nil || !strings.Contains(raw.URL.Path, "/docs") || raw.Method != http.MethodGet && !query {
		return response, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	sent := raw.Header.Get("x-ms-session-token")
	l.tokens = append(l.tokens, sent)
	if l.off || response.StatusCode >= http.StatusBadRequest || sees(sent, response.Header.Get("x-ms-session-token")) {
		return response, nil
	}
	if err := response.Body.Close(); err != nil {
		return nil, err
	}
	text := `{"Documents":[],"_count":0}`
	response.Header.Set("x-ms-item-count", "0")
	if response.Header.Del("x-ms-continuation"); !query {
		text, response.StatusCode = `{}`, http.StatusNotFound
	}
	response.Header.Del("x-ms-session-token") // it would say that the client has seen what it has not
	response.Body = io.NopCloser(strings.NewReader(text))
	return response, nil
}

// take returns the tokens of the reads since the last call.
func (l *lagging) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	tokens := l.tokens
	l.tokens = nil
	return tokens
}

// sees reports whether the tokens that were sent cover the one of a response.
func sees(sent, now string) bool {
	id, text, _ := strings.Cut(now, ":")
	_, number, _ := strings.Cut(text, "#")
	last, err := strconv.Atoi(number)
	if err != nil || last == 0 { // nothing was written
		return err == nil
	}
	for token := range strings.SplitSeq(sent, ",") {
		if theirs, ok := strings.CutPrefix(token, id+":-1#"); ok {
			seen, err := strconv.Atoi(theirs)
			return err == nil && seen >= last
		}
	}
	return false
}

// newLagging is an empty container of vehicle events that lags.
func newLagging(t testing.TB) (*harness.Account, *lagging, *fleet.VehicleEventRepository) {
	t.Helper()
	l := new(lagging)
	var o azcosmos.ClientOptions
	o.PerRetryPolicies = []policy.Policy{l}
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(&o))
	return server, l, fleet.NewVehicleEventRepository(container)
}

// readsAll reads events 0 to n-1 in all ways.
func readsAll(ctx context.Context, t *testing.T, events *fleet.VehicleEventRepository, n int) error {
	t.Helper()
	for i := range n {
		if _, err := events.Get(ctx, kit.Event(i).Key()); err != nil {
			return fmt.Errorf("get: %w", err)
		}
		if _, err := events.ByDateAndVIN(kit.Day, kit.Event(i).VIN).First(ctx); err != nil {
			return fmt.Errorf("query of one partition: %w", err)
		}
	}
	for name, q := range map[string]repository.Query[fleet.VehicleEvent]{
		"all buckets": events.ByDate(kit.Day), "ordered": events.ByDate(kit.Day).OrderBy(kit.EventSpeed.Desc()), "container": events.Scan(),
	} {
		docs, err := q.Collect(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if len(docs) != n {
			return fmt.Errorf("%s: %d documents of %d", name, len(docs), n)
		}
	}
	if got, err := events.ByDate(kit.Day).Count(ctx); err != nil || got != n {
		return fmt.Errorf("count: %d, %w", got, err)
	}
	docs, err := events.GetMany(ctx, kit.EventKeys(n))
	for i, d := range docs {
		if d == nil {
			return fmt.Errorf("get many: event %d is missing", i)
		}
	}
	return err
}

func TestSessionReadsItsOwnWrites(t *testing.T) {
	t.Parallel()
	for _, strategy := range []repository.Strategy{repository.Automatic, repository.Gateway} {
		t.Run(strategy.String(), func(t *testing.T) {
			server, l, events := newLagging(t)
			outside := context.Background()
			ctx := repository.WithSession(outside, new(repository.Session))
			const n = 40
			fillIn(ctx, t, events, n)
			if strategy == repository.Gateway {
				container := server.Container(fleet.VehicleEventContainer().ID, repository.Configure(harness.PerRetry(l)))
				plain := fleet.NewVehicleEventRepository(container, repository.WithStrategy(repository.Gateway))
				if docs, err := plain.ByDate(kit.Day).Collect(ctx); err != nil || len(docs) != n {
					t.Errorf("%d documents, %v", len(docs), err)
				}
				if docs, err := plain.GetMany(ctx, kit.EventKeys(n)); err != nil || len(docs) != n {
					t.Errorf("%d documents, %v", len(docs), err)
				}
				return
			}
			if err := readsAll(outside, t, events, n); !errors.Is(err, repository.ErrNotFound) {
				t.Fatalf("without a session: %v", err)
			}
			l.take()
			if err := readsAll(ctx, t, events, n); err != nil {
				t.Fatal(err)
			}
			for _, token := range l.take() {
				if strings.Contains(token, ",") {
					t.Errorf("a request to one physical partition has the tokens %s", token)
				}
			}
			e := kit.Event(0)
			e.Speed = 139
			if err := events.Upsert(ctx, e); err != nil {
				t.Fatal(err)
			}
			if err := events.Delete(ctx, kit.Event(n-1).Key()); err != nil {
				t.Fatal(err)
			}
			if err := readsAll(ctx, t, events, n-1); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// fillIn is fill under a context.
func fillIn(ctx context.Context, t testing.TB, events *fleet.VehicleEventRepository, n int) {
	t.Helper()
	for i := range n {
		if err := events.Create(ctx, kit.Event(i)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSessionOverSplits reads under the tokens that a physical partition's
// predecessors left.
func TestSessionOverSplits(t *testing.T) {
	t.Parallel()
	server, l, events := newLagging(t)
	ctx := repository.WithSession(context.Background(), new(repository.Session))
	const n = 40
	fillIn(ctx, t, events, n)
	next := 0
	for round := range 3 {
		for i := range 5 << round {
			if err := server.Split("db", fleet.VehicleEventContainer().ID, fmt.Sprint(next+i)); err != nil {
				t.Fatal(err)
			}
		}
		next += 5 << round
		// The first query meets the split, and brings the process up to date.
		if docs, err := events.ByDate(kit.Day).Collect(ctx); err != nil || len(docs) != n {
			t.Fatalf("after split %d: %d documents, %v", round, len(docs), err)
		}
		l.take()
		if err := readsAll(ctx, t, events, n); err != nil {
			t.Fatalf("after split %d: %v", round, err)
		}
		for _, token := range l.take() {
			id, _, _ := strings.Cut(token, ":")
			if number, err := strconv.Atoi(id); err != nil || number < next {
				t.Errorf("a read has the token %q of a physical partition that was split", token)
			}
		}
	}
}

// TestSessionLearnsOfSplitsByWrites sends no query that would meet the split.
func TestSessionLearnsOfSplitsByWrites(t *testing.T) {
	t.Parallel()
	server, _, events := newLagging(t)
	ctx := repository.WithSession(context.Background(), new(repository.Session))
	fillIn(ctx, t, events, 40)
	for i := range 5 {
		if err := server.Split("db", fleet.VehicleEventContainer().ID, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 40 {
		e := kit.Event(i)
		e.Speed++
		if err := events.Upsert(ctx, e); err != nil {
			t.Fatal(err)
		}
		got, err := events.Get(ctx, e.Key())
		if err != nil || got.Speed != e.Speed {
			t.Errorf("event %d: %+v, %v", i, got, err)
		}
	}
}

// TestSessionAndARecreatedContainer has a container of the same name whose writes
// count anew, so that old tokens ask for what never will be.
func TestSessionAndARecreatedContainer(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
	l := new(lagging)
	clients := server.Container(fleet.VehicleEventContainer().ID, repository.Configure(harness.PerRetry(l)))
	events := fleet.NewVehicleEventRepository(clients)
	ctx := repository.WithSession(context.Background(), new(repository.Session))
	fillIn(ctx, t, events, 40)
	if _, err := container.Delete(ctx, nil); err != nil {
		t.Fatal(err)
	}
	db := server.Database(nil)
	if _, err := db.CreateContainer(ctx, fleet.VehicleEventContainer(), nil); err != nil {
		t.Fatal(err)
	}
	// The service answers so a read that asks for too much, also when the SDK sends
	// it again.
	server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Status: http.StatusNotFound, Substatus: 1002, Count: -1})
	_, err := events.Get(ctx, kit.Event(0).Key())
	server.ClearFaults()
	var own *repository.Error
	if !errors.As(err, &own) || own.Substatus != 1002 || errors.Is(err, repository.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	l.take()
	if _, err = events.Get(ctx, kit.Event(0).Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if tokens := l.take(); len(tokens) != 1 || tokens[0] != "" {
		t.Errorf("the new container was asked with the tokens %q of the old one", tokens)
	}
	fillIn(ctx, t, events, 40)
	if err := readsAll(ctx, t, events, 40); err != nil {
		t.Error(err)
	}
}

func TestSessionNeedsThePolicy(t *testing.T) {
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), nil)
	events := fleet.NewVehicleEventRepository(container)
	ctx := repository.WithSession(context.Background(), new(repository.Session))
	e := kit.Event(0)
	for name, run := range map[string]func() error{
		"create":   func() error { return events.Create(ctx, e) },
		"upsert":   func() error { return events.Upsert(ctx, e) },
		"replace":  func() error { return events.Replace(ctx, e) },
		"get":      func() error { _, err := events.Get(ctx, e.Key()); return err },
		"delete":   func() error { return events.Delete(ctx, e.Key()) },
		"query":    func() error { _, err := events.ByDate(kit.Day).Collect(ctx); return err },
		"get many": func() error { _, err := events.GetMany(ctx, kit.EventKeys(2)); return err },
	} {
		if err := run(); err == nil || !strings.HasPrefix(err.Error(), name) || !strings.Contains(err.Error(), "Configure") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpCreateItem || r.Operation == emulator.OpUpsertItem || r.Operation == emulator.OpReadItem {
			t.Errorf("%s was sent", r.Operation)
		}
	}
}

// TestSessionsAreApart has two sessions, of which only one has written, and a
// session within another.
func TestSessionsAreApart(t *testing.T) {
	_, _, events := newLagging(t)
	first, second := new(repository.Session), new(repository.Session)
	ctx := repository.WithSession(context.Background(), first)
	fillIn(ctx, t, events, 1)
	inner := repository.WithSession(ctx, second)
	if _, err := events.Get(inner, kit.Event(0).Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("the other session: %v", err)
	}
	if _, err := events.Get(repository.WithSession(inner, first), kit.Event(0).Key()); err != nil {
		t.Error(err)
	}
}

func TestSessionIsSafeForConcurrentUse(t *testing.T) {
	seeds.Long(t)
	server, _, events := newLagging(t)
	ctx := repository.WithSession(context.Background(), new(repository.Session))
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 10 {
				e := kit.Event(worker*10 + i)
				if err := events.Create(ctx, e); err != nil {
					t.Error(err)
				}
				// Another worker may have moved on: the session has seen that, too.
				if _, err := events.ByDate(kit.Day).Collect(ctx); err != nil {
					t.Error(err)
				}
				if worker == 0 && i == 5 {
					if err := server.Split("db", fleet.VehicleEventContainer().ID, "2"); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	if err := readsAll(ctx, t, events, 80); err != nil {
		t.Error(err)
	}
	harness.Settled(t)
}
