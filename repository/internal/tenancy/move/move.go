package move

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Op is the name of the operation in errors and events.
const Op = "move tenant"

// TypeOf returns the name of the tenants of a shared container in errors.
func TypeOf(shared string) string { return "of " + shared }

// Settings configure a move.
type Settings struct {
	Container func(id string) (*wire.Client, error)
	Records   *tenancy.Records

	Shared string // the id of the container in which tenants live by default
	Tenant string
	To     string // the id of a container

	Budget   float64       // request units per second, 0 for no limit; does not apply to the pause of the writers
	Queries  time.Duration // the maximum duration of a query of a reader
	Rhythm   time.Duration // between two heartbeats
	Patience time.Duration // how long to wait for a region that lags; 0 means DefaultPatience
	DryRun   bool          // write nothing
	Progress func(Summary) // called after each step and page, one call at a time; may be nil

	Sleep func(context.Context, time.Duration) error // for tests; nil means a real wait
}

// DefaultRhythm is the time between two heartbeats of a move. A move without a heartbeat for
// [deadAfter] times as long is dead.
const (
	DefaultRhythm = 2 * time.Second
	deadAfter     = 5
)

// DefaultPatience is how long a move waits for a region that lags while programs write and
// read. While programs cannot write, it waits for at most maxPausedLag.
const (
	DefaultPatience = 15 * time.Minute
	maxPausedLag    = 10 * time.Second
)

// DefaultQueries is the maximum time for which a query continues at the old place, if the
// program reads its pages without pauses.
const DefaultQueries = time.Minute

// Summary is the progress of a move.
type Summary struct {
	Step      Step
	From, To  string // ids of containers
	Total     int64  // documents of the tenant at the beginning
	Documents int64  // copied documents; a document may count several times
	Deleted   int64  // documents deleted at the destination, because they were deleted at the old place
	Removed   int64  // from the old place at the end
	Bytes     int64  // of the documents that were copied
	Mended    int64  // documents that the comparison found missing or superfluous
	Fenced    int64  // writes that were in one batch with the fence
	Resumed   bool   // whether the move was begun by an earlier run

	RequestUnits float64
	Duration     time.Duration
	Pause        time.Duration // how long writers could not write
}

// ErrRunning is the error if another process moves the tenant.
var ErrRunning = errors.New("another process moves this tenant: wait until it has ended, or begin again if it has crashed")

// errTaken is the error if another process has taken over the move.
var errTaken = fmt.Errorf("another process has taken over: %w", ErrRunning)

// Move is one run of a move.
type Move struct {
	Settings
	record   *record
	from, to *side
	meter    meter.Meter
	session  wire.Session
	replicas int // s.Changes when copying begins
	pace     pace
	began    time.Time
	paused   time.Time // when the pause began, zero before it
	wait     time.Duration

	mu      sync.Mutex
	summary Summary
}

// Run moves the tenant, or continues a move.
func Run(ctx context.Context, s Settings) (Summary, error) {
	if s.Sleep == nil {
		s.Sleep = backoff.Sleep
	}
	if s.Rhythm <= 0 {
		s.Rhythm = DefaultRhythm
	}
	if s.Patience <= 0 {
		s.Patience = DefaultPatience
	}
	m := &Move{Settings: s, began: time.Now()}
	m.pace.rate = s.Budget
	ctx = meter.With(wire.WithSession(ctx, &m.session), &m.meter)
	err := m.run(ctx)
	if err != nil {
		err = wire.NewError(Op, TypeOf(s.Shared), "", "", err)
	}
	return m.Summary(), err
}

// Summary returns the progress so far.
func (m *Move) Summary() Summary {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.summary.RequestUnits, m.summary.Duration = m.meter.RequestUnits(), time.Since(m.began)
	return m.summary
}

// note changes the summary, and reports it.
func (m *Move) note(change func(*Summary)) {
	m.mu.Lock()
	change(&m.summary)
	m.mu.Unlock()
	if m.Progress != nil {
		m.Progress(m.Summary())
	}
}

// run is Run with a session and a meter.
func (m *Move) run(ctx context.Context) error {
	if m.To == "" || m.Tenant == "" || m.Shared == "" {
		return errors.New("the tenant, the shared container and the destination have to be named")
	}
	times, err := m.Records.Times(ctx)
	if err != nil {
		return err
	}
	m.wait = times.Wait()
	for {
		if err := m.attempt(ctx); !errors.Is(err, errOther) {
			return err
		}
	}
}

// attempt is one attempt to move. It returns errOther if another process began or ended a move
// during its checks: their results are then invalid.
func (m *Move) attempt(ctx context.Context) (err error) {
	if m.record, err = open(ctx, m.Records, m.Shared, m.Tenant, m.Rhythm, m.Sleep); err != nil {
		return err
	}
	state, lives := m.record.state, m.record.lives()
	switch {
	case state != nil && state.To != m.To:
		return fmt.Errorf("a move of the tenant to container %q has not ended: end it first, by the same call with that container", state.To)
	case state == nil && lives == m.To:
		m.note(func(s *Summary) { s.Step, s.From, s.To = Done, lives, lives })
		return nil
	case state != nil:
		lives = state.From
	}
	if err := m.sides(ctx, lives, state == nil); err != nil {
		if m.record.isOther(ctx) {
			return errOther
		}
		return err
	}
	if m.DryRun {
		return nil
	}
	if m.hasRegions() {
		m.from.position, m.record.beyond = "", m.lastEpoch
	}
	return m.record.own(ctx, ends{m.from.id, m.To}, m.steps)
}

// steps executes the remaining steps.
func (m *Move) steps(ctx context.Context) error {
	epoch := m.record.epoch()
	m.from.epoch, m.to.epoch = epoch, epoch
	step := m.record.step()
	m.note(func(s *Summary) { s.Step, s.Resumed = step, m.record.resumed })
	if err := m.arm(ctx, step); err != nil {
		return err
	}
	if step == Closing && m.record.resumed && m.hasRegions() { // all documents are copied again
		if err := m.reopen(ctx); err != nil {
			return err
		}
	}
	for _, next := range []struct {
		at Step
		do func(context.Context) error
	}{
		{Claimed, m.mark}, {Marked, m.waited}, {Copying, m.copying}, {Closing, m.closing}, {Decided, m.decided}, {Switched, m.tidy},
	} {
		if m.record.step() != next.at {
			continue
		}
		if err := next.do(ctx); err != nil {
			return err
		}
		m.note(func(s *Summary) { s.Step = m.record.step() })
	}
	return nil
}

// arm stores the epoch in both fences. From then on, requests of an earlier process of this
// move have no effect.
func (m *Move) arm(ctx context.Context, step Step) error {
	if err := m.to.arm(ctx, false, step != Decided && step != Switched); err != nil {
		return err
	}
	return m.from.arm(ctx, step == Claimed || step == Marked || step == Copying, false)
}

// mark makes all writers include the fence in their batches.
func (m *Move) mark(ctx context.Context) error {
	return m.record.advance(ctx, Marked, func(d *tenancy.Document) { d.State = tenancy.Moving })
}

// waited waits until no writer writes without the fence: until all caches that may lack the
// mark have expired, and their requests have ended.
func (m *Move) waited(ctx context.Context) error {
	if err := m.Sleep(ctx, m.wait); err != nil {
		return err
	}
	if err := m.everywhere(ctx, m.Patience, m.record.written()); err != nil {
		return err
	}
	return m.record.advance(ctx, Copying, nil)
}

// tidy removes the documents at the old place, once no reader needs them.
func (m *Move) tidy(ctx context.Context) error {
	if err := m.Sleep(ctx, m.wait+m.Queries); err != nil {
		return err
	}
	if err := m.everywhere(ctx, m.Patience, m.record.written()); err != nil {
		return err
	}
	if err := m.remove(ctx); err != nil {
		return err
	}
	if err := m.everywhere(ctx, m.Patience, m.isRemoved); err != nil {
		return err
	}
	return m.record.done(ctx)
}

// pace limits the request units of a move to a budget.
type pace struct {
	rate  float64 // request units per second, 0 for no limit
	began time.Time
	free  float64 // units that were spent before began
}

// pay starts counting. Units that were not spent during a wait are not saved.
func (m *Move) pay() { m.pace.began, m.pace.free = time.Now(), m.meter.RequestUnits() }

// spend waits until the budget allows the next request. It does not wait during the pause of
// the writers.
func (m *Move) spend(ctx context.Context) error {
	if m.pace.rate <= 0 || !m.paused.IsZero() {
		return ctx.Err()
	}
	due := time.Duration((m.meter.RequestUnits() - m.pace.free) / m.pace.rate * float64(time.Second))
	if late := due - time.Since(m.pace.began); late > 0 {
		return m.Sleep(ctx, late)
	}
	return ctx.Err()
}
