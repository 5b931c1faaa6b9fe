package untyped

import (
	"context"
	"sync"

	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Deleted is what write.Deleted says, and what clears the field of a document.
type Deleted struct {
	Property string
	Seconds  int32
	OwnTTL   bool
	Clear    func(doc any)
}

// showing is the documents with those that are marked as deleted. They are made when they
// are asked for, once, since they have a memory of containers of their own.
type showing struct {
	once sync.Once
	all  *Documents
}

// ShowingDeleted returns the documents as reads and queries have them that do not leave
// out those which are marked as deleted. Writes are those of d.
func (d *Documents) ShowingDeleted() *Documents {
	if d.Types.Deleted == nil || d.settings.ShowsDeleted {
		return d
	}
	d.shown.once.Do(func() {
		given := d.settings
		given.ShowsDeleted = true
		if d.several != nil {
			d.shown.all = NewIn(d.several.db, d.Types, given)
			d.shown.all.several.writes = d.several
			return
		}
		d.shown.all = New(d.Store.Client, d.Types, given)
		d.shown.all.Writer, d.shown.all.strategy = d.Writer, d.strategy
		if d.tiers != nil {
			d.shown.all.settle(d.tiers.given)
		}
		if d.Unique != nil {
			d.shown.all.Unique = d.Unique.Reading(d.shown.all.Store)
		}
	})
	return d.shown.all
}

// Restore is repository.Restore.
func (d *Documents) Restore(ctx context.Context, at Target) error {
	return write.Restore(ctx, d.Writer, at.Place, at.Means)
}

// Purge is repository.Purge. It is the one place where a document that is marked as deleted
// is removed, and the reservations of its unique values with it.
func (d *Documents) Purge(ctx context.Context, at Target) error { return d.strategy.purge(ctx, at) }
