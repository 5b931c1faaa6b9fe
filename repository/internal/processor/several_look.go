package processor

import (
	"context"
	"errors"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
)

// List implements lease.Store: the leases of all containers that are not closed, or that
// it is time to look at again. It has leases created in containers that are new. It costs
// a query of the lease container, and a request that lists the containers.
func (f *fleet) List(ctx context.Context) ([]lease.Lease, error) {
	found, err := f.all.Find(ctx) // before the containers: leases of others are of dropped ones
	if err != nil {
		return nil, err
	}
	listed, news, err := f.list(ctx)
	if err != nil {
		return nil, f.judged(err)
	}
	if news { // and nothing was found
		f.wake()
		return nil, nil
	}
	looks := cap(f.readers.slots) // at closed leases: the others are for the next time
	exists := make(map[string]bool, len(listed))
	var all []lease.Lease
	for _, m := range shuffled(listed) {
		exists[m.RID] = true
		w, err := f.of(m)
		if err != nil {
			return nil, f.judged(fatal{err})
		}
		some, err := f.leasesOf(ctx, w, found[m.RID], &looks)
		if err != nil {
			return nil, f.judged(err)
		}
		all = append(all, some...)
	}
	for rid, of := range found {
		if !exists[rid] {
			all = append(all, f.leftBy(rid, of)...)
		}
	}
	f.prune(func(rid string) bool { return exists[rid] || found[rid] != nil })
	return all, nil
}

// judged returns an error of a look, which ends the run if it cannot pass.
func (f *fleet) judged(err error) error {
	var wrong fatal
	if errors.As(err, &wrong) && f.stop != nil {
		f.stop(wrong)
	}
	return err
}

// leasesOf returns the leases of a container that are to be read. It has the container
// opened if it was not.
func (f *fleet) leasesOf(ctx context.Context, w *window, of *lease.Found, looks *int) ([]lease.Lease, error) {
	if of == nil {
		of = &lease.Found{}
	}
	if of.Wrong != nil {
		return nil, fatal{errors.Join(lease.ErrUnusable, of.Wrong)}
	}
	if !f.isOpen(w) {
		if !of.Created || len(of.Leases) == 0 || len(f.wanted(of.Leases, looks)) > 0 {
			f.later(w)
		}
		return nil, nil
	}
	ranged := make([]lease.Lease, len(of.Leases))
	for i, l := range of.Leases {
		var err error
		if ranged[i], err = w.leases.Ranged(ctx, l); err != nil {
			if errors.Is(err, lease.ErrUnusable) {
				return nil, fatal{err}
			}
			f.failed(ctx, err)
			return nil, nil
		}
	}
	if err := w.leases.Whole(ranged); err != nil {
		if w.gaps++; w.gaps == mostGaps {
			return nil, fatal{err}
		}
		return nil, nil
	}
	w.gaps = 0
	return f.wanted(ranged, looks), nil
}

// leftBy returns the leases of a container that is no more and was one of the type. Whoever
// has them handled removes them.
func (f *fleet) leftBy(rid string, of *lease.Found) (some []lease.Lease) {
	for _, l := range of.Leases {
		m := f.first
		if m.Container, m.RID = l.Window.Container, rid; m.Container == "" {
			continue
		}
		if _, ok := f.several[0].Ends(m.Container); !ok || !f.due(l) {
			continue
		}
		if _, err := f.of(m); err == nil {
			some = append(some, l)
		}
	}
	return some
}

// wanted returns the leases that are to be read: all but those that are closed. looks
// bounds how many closed ones are looked at again.
func (f *fleet) wanted(all []lease.Lease, looks *int) (some []lease.Lease) {
	for _, l := range all {
		if !f.due(l) {
			continue
		}
		if !l.Window.Closed.IsZero() && l.Owner == "" {
			if *looks <= 0 {
				continue
			}
			*looks--
		}
		some = append(some, l)
	}
	return some
}

// leases returns those of the container that the lease of this id is of.
func (f *fleet) leases(id string) (*lease.Container, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.windows[f.all.RID(id)]
	if w == nil {
		return nil, lease.ErrGone
	}
	return w.leases, nil
}

// Read implements lease.Store.
func (f *fleet) Read(ctx context.Context, id string) (lease.Lease, error) {
	c, err := f.leases(id)
	if err != nil {
		return lease.Lease{}, err
	}
	return c.Read(ctx, id)
}

// Replace implements lease.Store.
func (f *fleet) Replace(ctx context.Context, l lease.Lease) (lease.Lease, error) {
	c, err := f.leases(l.ID)
	if err != nil {
		return l, err
	}
	return c.Replace(ctx, l)
}

// Create implements lease.Store.
func (f *fleet) Create(ctx context.Context, l lease.Lease) error {
	c, err := f.leases(l.ID)
	if err != nil {
		return err
	}
	return c.Create(ctx, l)
}

// Delete implements lease.Store.
func (f *fleet) Delete(ctx context.Context, l lease.Lease) error {
	c, err := f.leases(l.ID)
	if err != nil {
		return err
	}
	return c.Delete(ctx, l)
}

// prune forgets windows of containers that are no more, and have no leases.
func (f *fleet) prune(needed func(rid string) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for rid, w := range f.windows {
		if !needed(rid) && !w.opening {
			delete(f.windows, rid)
			f.readers.put(rid, nil)
		}
	}
}

// shuffled returns all in a random order: processes that begin at once open different
// containers.
func shuffled[T any](all []T) []T {
	all = slices.Clone(all)
	chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// due reports whether a lease is to be read: it is not closed, or it is time to look at it
// again.
func (f *fleet) due(l lease.Lease) bool {
	closed := l.Window.Closed
	return closed.IsZero() || f.Quiet <= 0 || f.all.Now().Sub(closed).Abs() >= f.Quiet
}

// isOpen reports whether a window has been opened.
func (f *fleet) isOpen(w *window) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return w.open
}
