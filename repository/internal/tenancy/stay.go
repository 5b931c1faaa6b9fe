package tenancy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Tenants are the tenants of a type, whose documents are in several containers of a database.
// It is safe for concurrent use once its fields are set.
type Tenants struct {
	Directory Directory
	Type      string // of the documents, for errors
	Shared    string // the id of the container that tenants share
	Path      string // of the tenant's partition key property; empty if the tenant is not the whole partition key
	Ensure    string // the function that creates the shared container, for errors

	// Client returns the container of an id.
	Client func(id string) (*wire.Client, error)
}

// Tenant is one of the tenants.
type Tenant struct {
	*Tenants
	Name string
}

// Write calls try, which sends the requests of one write, with a context for the place of the
// tenant. It repeats try until the write counts: see the package. It may repeat try after a
// failure, but not after an unclear outcome.
func (t *Tenant) Write(ctx context.Context, op string, try func(context.Context) error) error {
	r, err := t.current(ctx)
	for attempt := 1; ; attempt++ {
		if err != nil {
			return t.failure(op, err)
		}
		if r.State == Closed {
			if err := wait(ctx); err != nil {
				return t.failure(op, fmt.Errorf("%w, and its writes wait: %w", errMoving, err))
			}
			r, err = t.refreshed(ctx)
			continue
		}
		ctxThere, done, failure := t.there(ctx, r, true)
		if failure != nil {
			return t.failure(op, failure)
		}
		err = try(ctxThere)
		ended := ctxThere.Err() != nil && ctx.Err() == nil // because the residence ended
		done()
		switch {
		case errors.Is(err, wire.ErrUnclear):
			return err
		case errors.Is(err, wire.ErrFenced):
			if attempt > 1 {
				if err := wait(ctx); err != nil {
					return t.failure(op, fmt.Errorf("%w, and its writes wait: %w", errMoving, err))
				}
			}
			r, err = t.refreshed(ctx)
			continue
		case err == nil && (r.inTime() || t.isFenced(r)):
			return nil
		case err == nil:
			return t.late(ctx, op, r)
		case r.State == Settled && r.inTime() && !wire.IsNoContainer(err):
			return err
		}
		// The failure may be about an old place, or about a container that has been deleted.
		now, lookUp := t.refreshed(ctx)
		if lookUp != nil {
			return err
		}
		if r.Stays(now) && !ended {
			return t.explained(err, r)
		}
		r, err = now, nil
	}
}

// Read calls try, which must not write, with a context for the place of the tenant. It repeats
// try until the result counts.
func (t *Tenant) Read(ctx context.Context, op string, try func(ctx context.Context, container string) error) error {
	r, err := t.fresh(ctx)
	for {
		if err != nil {
			return t.failure(op, err)
		}
		ctxThere, done, failure := t.there(ctx, r, false)
		if failure != nil {
			return t.failure(op, failure)
		}
		err = try(ctxThere, t.container(r))
		done()
		if r.inTime() && !wire.IsNoContainer(err) {
			return err
		}
		now, lookUp := t.refreshed(ctx)
		if lookUp != nil {
			return t.failure(op, lookUp)
		}
		if r.Stays(now) {
			return t.explained(err, r)
		}
		r, err = now, nil
	}
}

// errMoving is the reason why writes wait.
var errMoving = errors.New("the tenant is moving to another container")

// current returns where the tenant lives, if possible from memory.
func (t *Tenant) current(ctx context.Context) (Residence, error) {
	r, err := t.Directory.Residence(ctx, t.Shared, t.Name)
	if err != nil || !r.HasExpired() {
		return r, err
	}
	return t.refreshed(ctx)
}

// fresh returns a place where a read finds everything that was stored before the call. It
// answers from memory only if the tenant is not moving.
func (t *Tenant) fresh(ctx context.Context) (Residence, error) {
	r, err := t.current(ctx)
	if err == nil && r.State != Settled && r.Expires() {
		return t.refreshed(ctx)
	}
	return r, err
}

// refreshed returns where the tenant lives, by a lookup that begins now.
func (t *Tenant) refreshed(ctx context.Context) (Residence, error) {
	for attempt := 1; ; attempt++ {
		r, err := t.Directory.Refresh(ctx, t.Shared, t.Name)
		if err == nil && r.HasExpired() {
			if attempt < backoff.MaxAttempts && ctx.Err() == nil {
				continue
			}
			err = errors.New("the directory's answers expire before they arrive, or are valid until a time in the past")
		}
		return r, err
	}
}

// container returns the id of the container of a residence.
func (t *Tenant) container(r Residence) string {
	if r.Container == "" {
		return t.Shared
	}
	return r.Container
}

// isFenced reports whether writes include the fence.
func (t *Tenant) isFenced(r Residence) bool { return r.State == Moving && t.Path != "" }

// there returns the context of requests to the place of the tenant. Unfenced writes get a
// deadline: Until + Grace. The caller must call the returned function after the requests.
func (t *Tenant) there(ctx context.Context, r Residence, writes bool) (context.Context, func(), error) {
	client, err := t.Client(t.container(r))
	if err != nil {
		return nil, nil, err
	}
	stay := &wire.Stay{Client: client}
	done := func() {}
	switch {
	case writes && t.isFenced(r):
		stay.Fence = &wire.Fence{
			Patch: wire.Operation{Op: wire.OpPatch, ID: FenceID, Patch: FencePatch()},
			Tombstone: func(id string) wire.Operation {
				return wire.Operation{Op: wire.OpUpsert, ID: TombstoneID(id), Body: NewTombstone(t.Path, t.Name, id)}
			},
		}
	case writes && r.Expires():
		ctx, done = context.WithDeadline(ctx, r.Until.Add(r.Grace))
	}
	return wire.WithStay(ctx, stay), done, nil
}

// late handles an answer that arrived after Until + Grace. The write counts if the directory's
// document is unchanged; otherwise its outcome is unclear.
func (t *Tenant) late(ctx context.Context, op string, r Residence) error {
	err := backoff.Sleep(ctx, Lag)
	if err == nil {
		var now Residence
		if now, err = t.refreshed(ctx); err == nil && now.Version == r.Version {
			return nil
		}
	}
	reason := errors.New("the answer came so late that the tenant may have moved before the write took effect")
	return &documents.Error{Op: op, Type: t.Type, Err: errors.Join(reason, err), Unclear: true}
}

// wait pauses before the next lookup.
func wait(ctx context.Context) error {
	return backoff.Sleep(ctx, closedPause/2+chance.Below(closedPause))
}

// closedPause is the average pause of writes between two lookups of a closed tenant: a move
// closes its old place for some tenths of a second.
const closedPause = 50 * time.Millisecond

// failure returns the error of an operation that has sent nothing for the tenant.
func (t *Tenant) failure(op string, err error) error {
	var own *documents.Error
	if errors.As(err, &own) {
		return &documents.Error{Op: op, Type: t.Type, Err: fmt.Errorf("its tenant's residence: %w", err), Status: own.Status, Substatus: own.Substatus}
	}
	return &documents.Error{Op: op, Type: t.Type, Err: fmt.Errorf("its tenant's residence: %w", err)}
}

// noContainerError is the error of an operation of a tenant whose container does not exist. It
// does not match ErrNotFound.
type noContainerError struct {
	id, advice string
	err        error
}

func (e *noContainerError) Error() string {
	return fmt.Sprintf("%v: %q, %s", wire.ErrNoContainer, e.id, e.advice)
}

func (e *noContainerError) Unwrap() []error { return []error{wire.ErrNoContainer, e.err} }

// explained returns the error of an operation at the place of the tenant. If the container
// does not exist, it adds the remedy.
func (t *Tenant) explained(err error, r Residence) error {
	if !wire.IsNoContainer(err) {
		return err
	}
	advice := "where the directory says that the tenant lives: restore it, or correct the directory's document " + DocumentID(t.Shared, t.Name)
	if r.Container == "" {
		advice = "which the tenants share: create it by " + t.Ensure
	}
	return &noContainerError{t.container(r), advice, err}
}

// inTime reports whether a request by this residence still counts if its answer arrives now.
func (r Residence) inTime() bool { return !r.Expires() || !past(r.Until.Add(r.Grace)) }

// Visit is a run of a query of one tenant, in the container where the tenant lived when it
// began. It is safe for concurrent use.
type Visit struct {
	tenant *Tenant

	mu    sync.Mutex
	r     Residence // the latest lookup
	moved bool      // whether the tenant has moved to another container since
}

// Begin begins a query.
func (t *Tenant) Begin(ctx context.Context, op string) (*Visit, error) {
	r, err := t.fresh(ctx)
	if err != nil {
		return nil, t.failure(op, err)
	}
	return &Visit{tenant: t, r: r}, nil
}

// Container returns the id of the container that the query reads.
func (v *Visit) Container() string { return v.tenant.container(v.r) }

// Context returns a context under which the pages of the query are checked.
func (v *Visit) Context(ctx context.Context) context.Context { return wire.CheckPages(ctx, v) }

// Explained returns the error of the query. If the container does not exist, it adds the
// remedy.
func (v *Visit) Explained(err error) error { return v.tenant.explained(err, v.r) }

// BeforePage implements wire.PageChecks. After the tenant has moved, the query continues at
// the old place as long as nothing is removed there.
func (v *Visit) BeforePage(ctx context.Context) error {
	v.mu.Lock()
	r, moved := v.r, v.moved
	v.mu.Unlock()
	if moved && r.inTime() || !moved && !r.HasExpired() {
		return nil
	}
	return v.lookUp(ctx, r)
}

// AfterPage implements wire.PageChecks.
func (v *Visit) AfterPage(ctx context.Context) error {
	v.mu.Lock()
	r := v.r
	v.mu.Unlock()
	if r.inTime() {
		return nil
	}
	return v.lookUp(ctx, r)
}

// lookUp checks whether the tenant still lives at the place of the query.
func (v *Visit) lookUp(ctx context.Context, r Residence) error {
	now, err := v.tenant.refreshed(ctx)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if r.Stays(now) {
		if now.Until.After(v.r.Until) {
			v.r = now
		}
		return nil
	}
	if v.moved = true; r.inTime() {
		return nil
	}
	return wire.ErrMoved
}

// State is what requests may do at the place where a tenant lives.
type State string

// The states, as stored in the directory's documents.
const (
	// Settled is the state of a tenant that does not move.
	Settled State = "settled"

	// Moving is the state while the tenant's documents are copied, and their changes followed.
	// Writes include the fence.
	Moving State = "moving"

	// Closed is the state in which no writes are accepted, until the tenant has moved, or
	// stays.
	Closed State = "closed"
)

// Residence is the place where a tenant lives.
type Residence struct {
	Container string // the id of the container; empty means the shared one
	State     State
	Version   int64 // grows with each change of the directory's document
	Switches  int64 // grows each time the tenant has moved

	// Until is when the residence must be looked up again; zero means never. It includes a
	// reading of the monotonic clock.
	Until time.Time

	// Grace is how long a write that was sent before Until may still run.
	Grace time.Duration
}

// Expires reports whether the residence must be looked up again at some time.
func (r Residence) Expires() bool { return !r.Until.IsZero() }

// HasExpired reports whether the residence must be looked up again now.
func (r Residence) HasExpired() bool { return r.Expires() && past(r.Until) }

// past reports whether a time has come by the monotonic clock or by the wall clock: the first
// one stops while a machine sleeps, and the second one may be set back.
func past(t time.Time) bool {
	now := time.Now()
	return !now.Before(t) || !now.Round(0).Before(t.Round(0))
}

// Stays reports whether a tenant has not moved between the lookups r and now.
func (r Residence) Stays(now Residence) bool {
	return r.Container == now.Container && r.Switches == now.Switches
}

// Directory returns where tenants live. Residence may answer from memory until
// Residence.Until; Refresh must read the directory after the call.
type Directory interface {
	Residence(ctx context.Context, shared, tenant string) (Residence, error)
	Refresh(ctx context.Context, shared, tenant string) (Residence, error)
}

// The times of a directory. All processes that use a directory must use the same times, so
// they are stored in one of its documents: see [Times].
const (
	// DefaultTTL is how long a process uses a residence after it began to look it up. A
	// process looks up each tenant that it serves 8 times a minute, at 1 request unit each. A
	// move waits as long before it copies anything, and again before it removes the old
	// documents.
	DefaultTTL = 10 * time.Second

	// DefaultGrace is how long after Until a write may still be in progress that was sent
	// before. azcosmos repeats a throttled request for at most 30 seconds
	// (defaultResourceThrottleRetryPolicyMaxWaitInSeconds of the SDKs), a write whose
	// connection breaks is sent again within a second, and an operation that reads before it
	// writes takes one more round trip.
	DefaultGrace = 35 * time.Second

	// Lag is how long after a change was acknowledged an answer of the directory may still
	// lack it: accounts with session consistency read from a replica of the region, which lags
	// by milliseconds. A process whose answer was late waits as long before it checks whether
	// the tenant has moved.
	Lag = time.Second

	// MaxTTL is the maximum time to live of a directory: a move waits for it twice.
	MaxTTL = time.Hour
)

// Times are the times of a directory.
type Times struct {
	TTL   time.Duration // of a residence in a cache
	Grace time.Duration // of writes that were sent before the residence ended
}

// DefaultTimes are the times of a directory that stores no others.
func DefaultTimes() Times { return Times{DefaultTTL, DefaultGrace} }

// Wait is how long after an acknowledged change of the directory a process may still act on
// the earlier document. Requests by the earlier residence that are sent later are not
// acknowledged.
func (t Times) Wait() time.Duration { return t.TTL + t.Grace + Lag }
