package tenancy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Tenants are the tenants of a type, whose documents are in the containers of a database.
// It is safe for concurrent use once its fields are set.
type Tenants struct {
	Directory Directory
	Type      string // of the documents, for errors
	Shared    string // the id of the container that tenants share
	Path      string // of the tenant's partition key property; empty if that is not the whole partition key
	Ensure    string // the function that makes the shared container, for errors

	// Client returns the container of an id.
	Client func(id string) (*azcosmos.ContainerClient, error)
}

// Tenant is one of them.
type Tenant struct {
	*Tenants
	Name string
}

// Write calls try, which sends the requests of one write, with a context that says where
// the tenant lives: until the write counts, see the package. Try may be called several
// times, also after it has failed, but not after its outcome was unclear.
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
		ended := ctxThere.Err() != nil && ctx.Err() == nil // by the end of the residence
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
		// The failure is one of what is stored at this place, or of a container that is gone.
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

// Read calls try, which reads and writes nothing, with a context that says where the
// tenant lives: until what it has read counts.
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

// errMoving says why writes wait.
var errMoving = errors.New("the tenant is moving to another container")

// current returns where the tenant lives, by what may be known from before.
func (t *Tenant) current(ctx context.Context) (Residence, error) {
	r, err := t.Directory.Residence(ctx, t.Shared, t.Name)
	if err != nil || !r.HasExpired() {
		return r, err
	}
	return t.refreshed(ctx)
}

// fresh returns where the tenant lives so that a read there finds all that was stored
// before the call: by what is known from before only if the tenant did not move then.
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
			err = errors.New("the directory takes longer to answer than its answers hold, or says that they held until a time in the past")
		}
		return r, err
	}
}

// container returns the id of the container in which a residence is.
func (t *Tenant) container(r Residence) string {
	if r.Container == "" {
		return t.Shared
	}
	return r.Container
}

// isFenced reports whether writes carry the fence.
func (t *Tenant) isFenced(r Residence) bool { return r.State == Moving && t.Path != "" }

// there returns the context of requests to where the tenant lives. Those of a write
// without a fence end when nobody counts on them any more. The function has to be called
// after the requests.
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

// late returns nil if a write that took effect counts although its answer came late: the
// directory has not changed since. Otherwise it was done where it may have been forgotten.
func (t *Tenant) late(ctx context.Context, op string, r Residence) error {
	err := backoff.Sleep(ctx, Lag)
	if err == nil {
		var now Residence
		if now, err = t.refreshed(ctx); err == nil && now.Version == r.Version {
			return nil
		}
	}
	reason := errors.New("the answer came so late that the tenant may have moved before the write took effect")
	return &wire.OperationError{Op: op, Type: t.Type, Err: errors.Join(reason, err), Unclear: true}
}

// wait waits a moment before the directory is asked again.
func wait(ctx context.Context) error {
	return backoff.Sleep(ctx, closedPause/2+chance.Below(closedPause))
}

// closedPause is about how long writes wait before they ask again whether their tenant
// has moved: a move closes its old place for some tenths of a second.
const closedPause = 50 * time.Millisecond

// failure returns the error of an operation that has sent nothing for the tenant.
func (t *Tenant) failure(op string, err error) error {
	var own *wire.OperationError
	if errors.As(err, &own) {
		return &wire.OperationError{Op: op, Type: t.Type, Err: fmt.Errorf("its tenant's residence: %w", err), Status: own.Status, Substatus: own.Substatus}
	}
	return &wire.OperationError{Op: op, Type: t.Type, Err: fmt.Errorf("its tenant's residence: %w", err)}
}

// noContainerError is the error of an operation of a tenant whose container does not
// exist. It is not the one of a document that is not found.
type noContainerError struct {
	id, advice string
	err        error
}

func (e *noContainerError) Error() string {
	return fmt.Sprintf("%v: %q, %s", wire.ErrNoContainer, e.id, e.advice)
}

func (e *noContainerError) Unwrap() []error { return []error{wire.ErrNoContainer, e.err} }

// explained returns the error of an operation where the tenant lives. If the container
// does not exist, it says what to do.
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

// inTime reports whether what was sent by a residence still counts when its answer comes
// now.
func (r Residence) inTime() bool { return !r.Expires() || !past(r.Until.Add(r.Grace)) }
