package move

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/turn"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
)

// Step is the progress of a move.
type Step string

// The steps. The directory stores each step before its work begins.
const (
	Claimed  Step = "claimed"  // only the fences exist
	Marked   Step = "marked"   // the directory says that the tenant moves
	Copying  Step = "copying"  // all writers use the fence
	Closing  Step = "closing"  // no writes are accepted
	Decided  Step = "decided"  // as Switched, but no writes are accepted yet; with several regions only
	Switched Step = "switched" // the tenant lives at the destination
	Done     Step = "done"     // the old place is empty
)

// state is the state of a move in the directory's document.
type state struct {
	From    string `json:"from"` // ids of containers
	To      string `json:"to"`
	Step    Step   `json:"step"`
	Epoch   int64  `json:"epoch"` // of the owner
	Owner   string `json:"owner"` // empty if the last owner has ended normally
	Beat    int64  `json:"beat"`  // grows with each write
	Started string `json:"started"`
	// Position is the page of the change feed after which copying continues.
	Position  string `json:"position,omitempty"`
	Documents int64  `json:"documents,omitempty"`
}

// ends are the ids of the containers of a move.
type ends struct{ from, to string }

// record is the directory's document of the tenant that this process moves. It is safe for
// concurrent use.
type record struct {
	records *tenancy.Records
	rhythm  time.Duration
	sleep   func(context.Context, time.Duration) error
	owner   string
	resumed bool

	// beyond returns an epoch that the next epoch must exceed. It is nil for an account with
	// one region. After a failover has reset the directory, fences may still have epochs that
	// it has already assigned.
	beyond func(context.Context) (int64, error)

	mu       *turn.Turn
	document tenancy.Document
	state    *state // nil if the tenant does not move

	showed atomic.Pointer[time.Time] // when the last successful write began
}

// open reads the document of a tenant.
func open(ctx context.Context, records *tenancy.Records, shared, tenant string, rhythm time.Duration, sleep func(context.Context, time.Duration) error) (*record, error) {
	r := &record{records: records, rhythm: rhythm, sleep: sleep, owner: rand.Text(), mu: turn.New()}
	err := r.read(ctx, shared, tenant)
	return r, err
}

// read reads the document.
func (r *record) read(ctx context.Context, shared, tenant string) error {
	d, err := r.records.Read(ctx, shared, tenant)
	if err != nil {
		return err
	}
	var s *state
	if len(d.Move) > 0 && string(d.Move) != "null" {
		s = &state{}
		if err := json.Unmarshal(d.Move, s); err != nil {
			return fmt.Errorf("the directory's document %q has an unreadable move: %w", d.ID, err)
		}
	}
	if s == nil && d.State != tenancy.Settled {
		return fmt.Errorf("the directory's document %q says that the tenant moves, but not where to: correct it", d.ID)
	}
	r.document, r.state = d, s
	return nil
}

// lives returns the id of the container in which the tenant lives.
func (r *record) lives() string {
	if r.document.Container == "" {
		return r.document.Shared
	}
	return r.document.Container
}

// lease returns the time until which this process may write without a fence. Another process
// takes over only later. If that time is near, lease first writes a heartbeat.
func (r *record) lease(ctx context.Context) (time.Time, error) {
	const lasts = deadAfter - 1
	if showed := r.showed.Load(); time.Since(*showed) > lasts*r.rhythm/2 {
		if err := r.change(ctx, func(*tenancy.Document, *state) {}); err != nil {
			return time.Time{}, err
		}
	}
	return r.showed.Load().Add(lasts * r.rhythm), nil
}

func (r *record) epoch() int64 {
	defer r.mu.Hold()()
	if r.state == nil {
		return 0
	}
	return r.state.Epoch
}

func (r *record) step() Step {
	defer r.mu.Hold()()
	if r.state == nil {
		return Done
	}
	return r.state.Step
}

// own makes this process the owner of the move, sends heartbeats while do runs, and gives the
// move back when it ends.
func (r *record) own(ctx context.Context, between ends, do func(context.Context) error) error {
	if err := r.claim(ctx, between); err != nil {
		return err
	}
	err := r.beating(ctx, do)
	if s := r.state; err != nil && !errors.Is(err, ErrRunning) && s != nil && s.Owner == r.owner {
		ending, done := context.WithTimeout(context.WithoutCancel(ctx), leaving)
		defer done()
		_ = r.once(ending, func(_ *tenancy.Document, s *state) { s.Owner = "" }) // if this fails, other processes wait until the move is dead
	}
	return err
}

// beating sends heartbeats while do runs, and cancels do if they fail.
func (r *record) beating(ctx context.Context, do func(context.Context) error) error {
	working, cancel := context.WithCancelCause(ctx)
	var beats sync.WaitGroup
	defer beats.Wait()
	defer cancel(nil) // also if do panics
	beats.Go(func() {
		for backoff.Sleep(working, r.rhythm) == nil {
			if err := r.change(working, func(*tenancy.Document, *state) {}); err != nil {
				cancel(err)
			}
		}
	})
	err := do(working)
	if cause := context.Cause(working); err != nil && cause != nil && ctx.Err() == nil {
		err = cause
	}
	return err
}

// leaving is how long a process that was interrupted tries to give the move back.
const leaving = 2 * time.Second

// errOther is the error if the directory no longer has the move that was checked.
var errOther = errors.New("the move is another one by now")

// which identifies the move in the document or, without a move, the place of the tenant.
func (r *record) which() string {
	if s := r.state; s != nil {
		return fmt.Sprintf("%d from %q to %q since %s", r.document.Switches, s.From, s.To, s.Started)
	}
	return fmt.Sprintf("%d none, lives in %q", r.document.Switches, r.lives())
}

// claim makes this process the owner of the move. If it has another owner, claim waits for
// that owner's heartbeats. It returns errOther if the document no longer has the move that it
// had when it was opened: the checks apply to that move only, and a move that has ended
// meanwhile has emptied the place from which to move.
func (r *record) claim(ctx context.Context, between ends) error {
	checked := r.which()
	for {
		if s := r.state; s != nil && s.Owner != "" {
			if err := r.watch(ctx); err != nil {
				return err
			}
		}
		if r.which() != checked {
			return errOther
		}
		r.resumed = r.state != nil
		if !r.resumed {
			r.state = &state{From: between.from, To: between.to, Step: Claimed, Started: time.Now().UTC().Format(time.RFC3339Nano)}
		}
		least := int64(0)
		if r.beyond != nil {
			last, err := r.beyond(ctx)
			if err != nil {
				return err
			}
			least = last + 1
		}
		began := time.Now()
		err := r.once(ctx, func(d *tenancy.Document, s *state) {
			d.Version++
			s.Epoch, s.Owner = max(d.Version, least), r.owner
		})
		if err == nil {
			return nil
		}
		if reread := r.read(ctx, r.document.Shared, r.document.Tenant); reread != nil {
			return errors.Join(err, reread)
		}
		switch s := r.state; {
		case s != nil && s.Owner == r.owner: // the answer was lost
			r.showed.Store(&began)
			return nil
		case !errors.Is(err, tenancy.ErrChanged):
			return err
		}
	}
}

// isOther reads the document again, and reports whether its move is another one than before.
func (r *record) isOther(ctx context.Context) bool {
	before := r.which()
	return r.read(ctx, r.document.Shared, r.document.Tenant) == nil && r.which() != before
}

// watch returns nil when the owner of the move has sent no heartbeat for so long that it is
// dead. It returns ErrRunning after two heartbeats: one may be a late request of a process
// that has crashed.
func (r *record) watch(ctx context.Context) error {
	seen, changes := r.document.ETag, 0
	for since := time.Now(); time.Since(since) < deadAfter*r.rhythm; {
		if err := r.sleep(ctx, r.rhythm/2); err != nil {
			return err
		}
		if err := r.read(ctx, r.document.Shared, r.document.Tenant); err != nil {
			return err
		}
		if r.state == nil || r.state.Owner == "" {
			return nil
		}
		if r.document.ETag != seen {
			seen, since = r.document.ETag, time.Now()
			if changes++; changes == 2 {
				return ErrRunning
			}
		}
	}
	return nil
}

// reclaim returns from a pause to copying, with a later epoch.
func (r *record) reclaim(ctx context.Context) error {
	return r.change(ctx, func(d *tenancy.Document, s *state) {
		d.State = tenancy.Moving
		d.Version++
		s.Step, s.Epoch = Copying, max(d.Version, s.Epoch+1)
	})
}

// advance goes to a step.
func (r *record) advance(ctx context.Context, to Step, also func(*tenancy.Document)) error {
	return r.change(ctx, func(d *tenancy.Document, s *state) {
		if s.Step = to; also != nil {
			also(d)
			d.Version++
		}
	})
}

// done ends the move.
func (r *record) done(ctx context.Context) error {
	return r.change(ctx, func(_ *tenancy.Document, s *state) { s.Step = Done })
}

// errWentBack is the error if a failover has lost writes of the directory.
var errWentBack = errors.New("a failover has taken the directory's document of the tenant back to an earlier state: run the move again")

// maxAttempts is the maximum number of attempts of a request with an unclear outcome.
const maxAttempts = 6

// change writes a new version of the document. It returns errTaken if another process has
// written it, and errWentBack if the stored document is older than before: a step is
// meaningless without the steps before it.
func (r *record) change(ctx context.Context, change func(*tenancy.Document, *state)) error {
	defer r.mu.Hold()()
	for attempt := 1; ; attempt++ {
		if r.state == nil {
			return errTaken
		}
		version, before, wanted := r.document.Version, r.state.Beat, *r.state
		change(&tenancy.Document{}, &wanted)
		err := r.once(ctx, change)
		if err == nil || attempt == maxAttempts || ctx.Err() != nil {
			return err
		}
		if err := r.read(ctx, r.document.Shared, r.document.Tenant); err != nil {
			return err
		}
		switch s := r.state; {
		case r.document.Version < version || s != nil && s.Beat < before:
			return errWentBack
		case s == nil && wanted.Step == Done:
			return nil
		case s == nil || s.Owner != r.owner:
			return errTaken
		case s.Beat > before: // the answer was lost
			return nil
		}
		if err := backoff.Pause(ctx, attempt+4); err != nil {
			return err
		}
	}
}

// once writes a new version of the document if it has not changed, with one request.
func (r *record) once(ctx context.Context, change func(*tenancy.Document, *state)) error {
	d, s := r.document, *r.state
	change(&d, &s)
	s.Beat++
	d.Move = nil
	if s.Step != Done {
		raw, err := json.Marshal(s)
		if err != nil {
			return err
		}
		d.Move = raw
	}
	began := time.Now()
	d, err := r.records.Write(ctx, d)
	if err != nil {
		return err
	}
	r.showed.Store(&began)
	r.document, r.state = d, &s
	if s.Step == Done {
		r.state = nil
	}
	return nil
}
