package lease

import (
	"context"
	"time"
)

// patient is a Store whose requests may take a quarter of the time after which leases
// expire. A request that hangs is given up, so that there is time to send it again.
type patient struct {
	Store
	patience time.Duration
}

func newPatient(s Store, interval time.Duration) patient { return patient{s, interval / 4} }

func (p patient) List(ctx context.Context) ([]Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.Store.List(ctx)
}

func (p patient) Read(ctx context.Context, id string) (Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.Store.Read(ctx, id)
}

func (p patient) Replace(ctx context.Context, l Lease) (Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.Store.Replace(ctx, l)
}

func (p patient) Create(ctx context.Context, l Lease) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.Store.Create(ctx, l)
}

func (p patient) Delete(ctx context.Context, l Lease) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return p.Store.Delete(ctx, l)
}
