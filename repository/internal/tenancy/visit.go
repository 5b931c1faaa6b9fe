package tenancy

import (
	"context"
	"sync"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Visit is a run of a query of one tenant, in the container where the tenant lived when it
// began. It is safe for concurrent use.
type Visit struct {
	tenant *Tenant

	mu    sync.Mutex
	r     Residence // as it was looked up last
	moved bool      // to another container since
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

// Explained returns the error of the query, which says what to do if the container does
// not exist.
func (v *Visit) Explained(err error) error { return v.tenant.explained(err, v.r) }

// BeforePage implements wire.PageChecks. After the tenant has moved, the query goes on
// where it is, for as long as nothing is removed there.
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

// lookUp looks up whether the tenant still lives where it did.
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
