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

// Step is how far a move is.
type Step string

// The steps. Each is noted in the directory before what belongs to it begins.
const (
	Claimed  Step = "claimed"  // nothing but the fences is there
	Marked   Step = "marked"   // the directory says that the tenant moves
	Copying  Step = "copying"  // all writers carry the fence
	Closing  Step = "closing"  // no write is taken
	Decided  Step = "decided"  // as Switched, but no write is taken yet; in several regions only
	Switched Step = "switched" // the tenant lives at the destination
	Done     Step = "done"     // the old place is empty
)

// state is what a move notes in the directory's document.
type state struct {
	From    string `json:"from"` // ids of containers
	To      string `json:"to"`
	Step    Step   `json:"step"`
	Epoch   int64  `json:"epoch"` // of the owner
	Owner   string `json:"owner"` // empty if the last one has ended in order
	Beat    int64  `json:"beat"`  // grows with each write
	Started string `json:"started"`
	// Position is after which page of the change feed copying goes on.
	Position  string `json:"position,omitempty"`
	Documents int64  `json:"documents,omitempty"`
}

// ends are the ids of the containers of a move.
type ends struct{ from, to string }

// record is the directory's document of a tenant that this process moves. It is safe for
// concurrent use.
type record struct {
	records *tenancy.Records
	rhythm  time.Duration
	sleep   func(context.Context, time.Duration) error
	owner   string
	resumed bool

	// beyond returns an epoch that the next one has to be beyond; nil for an account with one
	// region. Where a failover has taken the directory back, the epochs that it has given may
	// still be those of fences.
	beyond func(context.Context) (int64, error)

	mu       *turn.Turn
	document tenancy.Document
	state    *state // nil if the tenant does not move

	showed atomic.Pointer[time.Time] // when the last write began that others see
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

// lease returns until when this process may write without a fence: another one takes over
// later than that. If that is soon, it shows first that it is at work.
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

// own makes the move this process's own, shows that it is at work, and gives it back in
// the end.
func (r *record) own(ctx context.Context, between ends, do func(context.Context) error) error {
	if err := r.claim(ctx, between); err != nil {
		return err
	}
	err := r.beating(ctx, do)
	if s := r.state; err != nil && !errors.Is(err, ErrRunning) && s != nil && s.Owner == r.owner {
		ending, done := context.WithTimeout(context.WithoutCancel(ctx), leaving)
		defer done()
		_ = r.once(ending, func(_ *tenancy.Document, s *state) { s.Owner = "" }) // else others find out
	}
	return err
}

// beating shows that the move is at work as long as do runs, and ends do if it cannot.
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

// leaving is how long a process that was interrupted takes to say so.
const leaving = 2 * time.Second

// errOther says that the directory has another move than the one that was checked, or none.
var errOther = errors.New("the move is another one by now")

// which says which move the document has, and which place of the tenant if it has none.
func (r *record) which() string {
	if s := r.state; s != nil {
		return fmt.Sprintf("%d from %q to %q since %s", r.document.Switches, s.From, s.To, s.Started)
	}
	return fmt.Sprintf("%d none, lives in %q", r.document.Switches, r.lives())
}

// claim notes that this process moves the tenant. If another one does, claim watches
// whether it shows that it is at work. It returns errOther if the document does not have
// the move any more that it had when it was opened: what has been checked holds of that
// move alone, and one that has ended meanwhile has emptied the place to move from.
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

// isOther reads the document again, and reports whether it has another move than before.
func (r *record) isOther(ctx context.Context) bool {
	before := r.which()
	return r.read(ctx, r.document.Shared, r.document.Tenant) == nil && r.which() != before
}

// watch returns when the process that has the move has shown nothing for so long that it
// is dead, or ErrRunning once it has shown something twice: a request of one that has
// crashed may still arrive.
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

// reclaim goes back from a pause to copying, with a later epoch.
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

// errWentBack says that a failover has lost writes of the directory.
var errWentBack = errors.New("a failover has taken the directory's document of the tenant back to an earlier state: run the move again")

// maxAttempts bounds how often a request is sent whose outcome is unclear.
const maxAttempts = 6

// change writes the document anew. It returns errTaken if another process has, and errWentBack
// if the document is older than it was: a step means nothing without the steps before it.
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

// once writes the document anew, if nobody else has: one request.
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
