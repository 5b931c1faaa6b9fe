package migration

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestMigrationModel has programs of two neighbouring phases create, read, change and
// delete one document, while others move it. A scheduler lets one request after the
// other act, by a seed. Programs stop at any request: before it acts, after it, or so
// that it acts late. What programs were told is what they would be told if their
// operations happened one after the other. In the end one container has what the last
// operations say, and nothing else.
func TestMigrationModel(t *testing.T) {
	kit.Seeds(t, 104, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 15))
		trial := &migrationTrial{T: t, id: "1", rand: r, hauls: newHauls(t, 0), arrivals: make(chan *turn)}
		trial.pick = trial.random
		trial.run()
	})
}

// A migrationTrial is one run of the test.
type migrationTrial struct {
	*testing.T
	hauls
	id       string // of the document
	first    string // its log in the beginning, if it was there
	pick     func(waiting []*turn) (*turn, verdict)
	rand     *rand.Rand
	arrivals chan *turn
	working  atomic.Int32 // programs, and requests that act late

	mu      sync.Mutex
	clock   int
	history []*told
}

// told is an operation, with what a program was told of it.
type told struct {
	name, argument string
	from, until    int    // when it began and ended; it may act at any time in between
	result         string // "ok", "exists", "missing", or the log of a document
	unclear        bool   // it acts once or not at all, also after its end
}

func (o *told) String() string {
	return fmt.Sprintf("%d-%d %s(%s): %s %t", o.from, o.until, o.name, o.argument, o.result, o.unclear)
}

// The verdicts of the scheduler about a request.
type verdict int

const (
	acts verdict = iota
	stopsBefore
	stopsAfter
	actsLate
)

// turn is a request that waits for its verdict.
type turn struct {
	by      *migrator // nil for one that acts late
	rank    float64   // of one that acts late
	verdict chan verdict
	over    chan struct{}
}

// wait waits for the verdict about a request.
func (m *migrationTrial) wait(by *migrator) (verdict, func()) {
	w := &turn{by, 0, make(chan verdict, 1), make(chan struct{})}
	m.arrivals <- w
	return <-w.verdict, func() { close(w.over) }
}

// migrator is a policy of a program's client.
type migrator struct {
	trial *migrationTrial
	stop  context.CancelFunc
	late  sync.WaitGroup
	rank  float64 // the greatest comes first
	acted int     // how many requests have had a verdict
}

func (p *migrator) Do(r *policy.Request) (*http.Response, error) {
	if !strings.Contains(r.Raw().URL.Path, "/docs") {
		return r.Next()
	}
	v, over := p.trial.wait(p)
	switch v {
	case stopsBefore:
		defer over()
		p.stop()
		return nil, r.Raw().Context().Err()
	case stopsAfter:
		defer over()
		_, err := r.Next()
		p.stop()
		return nil, errors.Join(r.Raw().Context().Err(), err)
	case actsLate:
		late := r.Clone(context.Background())
		p.trial.working.Add(1)
		p.late.Go(func() {
			defer p.trial.working.Add(-1)
			_, over := p.trial.wait(nil)
			defer over()
			if response, err := late.Next(); err == nil {
				_ = response.Body.Close()
			}
		})
		over()
		p.stop()
		return nil, r.Raw().Context().Err()
	}
	defer over()
	return r.Next()
}

// run plays a scenario.
func (m *migrationTrial) run() {
	pairs := [][2]repository.Phase{
		{repository.PhaseOld, repository.PhaseBoth}, {repository.PhaseBoth, repository.PhaseNew},
		{repository.PhaseNew, repository.PhaseNew}, {repository.PhaseNew, repository.PhaseDone},
	}
	pair := pairs[m.rand.IntN(len(pairs))]
	ctx := context.Background()
	if m.rand.IntN(3) > 0 {
		m.do(ctx, m.in(repository.PhaseOld), "create", "first")
	}
	if pair[1] == repository.PhaseDone {
		if _, err := admin.MoveAll(ctx, m.in(repository.PhaseNew), admin.Run{}); err != nil {
			m.Fatal(err)
		}
	}
	done := make(chan struct{})
	var work sync.WaitGroup
	start := func(run func(ctx context.Context, h hauls)) { m.start(ctx, &work, m.rand.Float64(), run) }
	names := []string{"create", "upsert", "replace", "update", "delete", "get", "all", "update", "delete"}
	for i := range 2 + m.rand.IntN(3) {
		phase := pair[m.rand.IntN(2)]
		var plan []string
		for range 1 + m.rand.IntN(2) {
			plan = append(plan, names[m.rand.IntN(len(names))])
		}
		start(func(ctx context.Context, h hauls) {
			for n, name := range plan {
				m.do(ctx, h.in(phase), name, fmt.Sprintf("%d%c", i, 'a'+n))
			}
		})
	}
	if pair[1] >= repository.PhaseNew {
		for range 1 + m.rand.IntN(2) {
			start(func(ctx context.Context, h hauls) {
				_, err := admin.MoveAll(ctx, h.in(repository.PhaseNew), admin.Run{})
				if err != nil && ctx.Err() == nil && !errors.Is(err, repository.ErrPreconditionFailed) {
					m.Errorf("MoveAll: %v", err)
				}
			})
		}
	}
	go func() { work.Wait(); close(done) }()
	m.schedule(done)
	m.end(ctx)
}

// start begins a program with a client of its own.
func (m *migrationTrial) start(ctx context.Context, work *sync.WaitGroup, rank float64, run func(ctx context.Context, h hauls)) *migrator {
	ctx, stop := context.WithCancel(ctx)
	p := &migrator{trial: m, stop: stop, rank: rank}
	h := m.by(m, repository.Configure(harness.Impatient(p)))
	m.working.Add(1)
	work.Go(func() {
		run(ctx, h)
		m.working.Add(-1)
		p.late.Wait()
		stop()
	})
	return p
}

// schedule lets one request after the other act, as pick says.
func (m *migrationTrial) schedule(done chan struct{}) {
	var waiting []*turn
	for {
		patience := time.After(time.Millisecond)
		for len(waiting) < int(m.working.Load()) { // the others may be on their way
			select {
			case w := <-m.arrivals:
				if w.by == nil {
					w.rank = m.rand.Float64() * 1.5
				}
				waiting = append(waiting, w)
				continue
			case <-done:
				return
			case <-patience:
			}
			break
		}
		if len(waiting) == 0 {
			select {
			case <-done:
				return
			default:
				continue
			}
		}
		w, v := m.pick(waiting)
		waiting = slices.DeleteFunc(waiting, func(other *turn) bool { return other == w })
		w.verdict <- v
		<-w.over
	}
}

// random picks the program with the greatest rank. Now and then a program gets another
// rank, so that it stays where it is for long.
func (m *migrationTrial) random(waiting []*turn) (*turn, verdict) {
	w := slices.MaxFunc(waiting, func(a, b *turn) int { return cmp.Compare(a.order(), b.order()) })
	if w.by == nil {
		return w, acts
	}
	if m.rand.IntN(6) == 0 {
		w.by.rank = m.rand.Float64() - 0.3
	}
	if m.rand.IntN(25) == 0 {
		return w, []verdict{stopsBefore, stopsAfter, actsLate, actsLate}[m.rand.IntN(4)]
	}
	return w, acts
}

// order is by which turns are taken.
func (w *turn) order() float64 {
	if w.by == nil {
		return w.rank - 0.5
	}
	return w.by.rank
}

// do runs an operation, and notes what it was told.
func (m *migrationTrial) do(ctx context.Context, by *haulMigration, name, argument string) {
	if ctx.Err() != nil {
		return
	}
	h := &fixtures.Haul{ID: m.id, Truck: "t", Route: "r", Log: argument}
	o := &told{name: name, argument: argument, result: "ok"}
	m.mu.Lock()
	m.clock++
	o.from = m.clock
	m.mu.Unlock()
	var err error
	switch name {
	case "create":
		err = by.Create(ctx, h)
	case "upsert":
		err = by.Upsert(ctx, h)
	case "replace":
		err = by.Replace(ctx, h)
	case "update":
		err = by.Update(ctx, movedKey(h), func(h *fixtures.Haul) error { h.Log += "+" + argument; return nil })
	case "delete":
		err = by.Delete(ctx, movedKey(h))
	case "get":
		if h, err = by.Get(ctx, movedKey(h)); err == nil {
			o.result = h.Log
		}
	case "all":
		var all []*fixtures.Haul
		all, err = m.scan(by).WhereRaw("c.id = @id", azcosmos.QueryParameter{Name: "@id", Value: m.id}).Collect(ctx)
		switch {
		case err == nil && len(all) == 0:
			o.result = "missing"
		case err == nil:
			o.result = all[0].Log
		}
		if len(all) > 1 {
			m.Errorf("a query gave a document %d times", len(all))
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock++
	o.until = m.clock
	reads := name == "get" || name == "all"
	switch {
	case err == nil:
	case errors.Is(err, repository.ErrUnclear) || ctx.Err() != nil || errors.Is(err, repository.ErrPreconditionFailed):
		if reads {
			return
		}
		o.until, o.unclear = math.MaxInt, true
	case errors.Is(err, repository.ErrNotFound):
		o.result = "missing"
	case errors.Is(err, repository.ErrAlreadyExists):
		o.result = "exists"
	default:
		m.Errorf("%s: %v", name, err)
	}
	m.history = append(m.history, o)
}

// end moves what is left, and compares what is stored with what programs were told.
func (m *migrationTrial) end(ctx context.Context) {
	summary, err := admin.MoveAll(ctx, m.in(repository.PhaseNew), admin.Run{})
	if err != nil || !summary.Done {
		m.Errorf("the last MoveAll: %+v, %v", summary, err)
	}
	m.do(ctx, m.in(repository.PhaseDone), "get", "")
	old, fresh := m.stored(m)
	fresh = slices.DeleteFunc(fresh, func(s string) bool { return !strings.HasPrefix(s, m.id+" ") })
	if len(old) > 0 || len(fresh) > 1 || len(fresh) == 1 && strings.Count(fresh[0], " ") > 1 {
		m.Errorf("stored in the end: %q and %q", old, fresh)
	}
	if !explained(m.history, cmp.Or(m.first, "missing"), 0) {
		m.Errorf("no order explains this:")
		for _, o := range m.history {
			m.Log(o)
		}
	}
}

// explained reports whether operations can have happened one after the other, the first
// of them on a document with this log, or none.
func explained(history []*told, log string, done int) bool {
	first := math.MaxInt // the end of the operation that ends first
	left := false
	for i, o := range history {
		if done&(1<<i) == 0 {
			first, left = min(first, o.until), left || !o.unclear
		}
	}
	if !left {
		return true // the others have not happened
	}
	for i, o := range history {
		if done&(1<<i) != 0 || o.from > first {
			continue
		}
		if now, ok := o.on(log); ok && explained(history, now, done|1<<i) {
			return true
		}
	}
	return false
}

// on returns the content after the operation, and false if the operation would have had
// another result.
func (o *told) on(log string) (string, bool) {
	missing := log == "missing"
	now, result := log, "ok"
	switch {
	case o.name == "get" || o.name == "all":
		result = log
	case o.name == "create" && !missing:
		result = "exists"
	case o.name == "create" || o.name == "upsert":
		now = o.argument
	case missing:
		result = "missing"
	case o.name == "replace":
		now = o.argument
	case o.name == "update":
		now = log + "+" + o.argument
	case o.name == "delete":
		now = "missing"
	}
	return now, o.unclear || result == o.result
}
