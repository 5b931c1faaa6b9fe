package rekey

import (
	"context"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// at returns the places of a stored document, and the index of the one where it is; -1 if
// it is at none of them, or if its fields make no key, which pkgen-data verify finds.
func (r *Rekey) at(raw []byte) (places write.Places, item *write.BulkItem, index int, err error) {
	p, err := store.PlaceOf(r.Store, raw)
	if err != nil {
		return places, nil, -1, err
	}
	doc, err := r.Decode(raw)
	if err != nil {
		return places, nil, -1, &wire.OperationError{Op: Op, Type: r.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
	}
	places, keyed := r.places(doc)
	if !keyed {
		return places, nil, -1, nil
	}
	item = &write.BulkItem{}
	item.Place = p
	for i, site := range places.All {
		if site.Name == p.Name {
			return places, item, i, nil
		}
	}
	return places, item, -1, nil
}

// places returns the places of a document, and false if its fields make no key.
func (r *Rekey) places(doc any) (write.Places, bool) {
	places, err := r.keyed(doc)
	return places, err == nil
}

// relocation moves a document that is stored under an earlier number of buckets. It is nil
// for a document at its present key, which costs nothing.
func (r *Rekey) relocation(raw []byte) (*write.BulkItem, error) {
	places, item, index, err := r.at(raw)
	if err != nil || index < 0 || index >= places.Present {
		return nil, err
	}
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		return "", r.relocate(ctx, places, places.All[index])
	}
	return item, nil
}

// relocate moves the document from a site to its present one, if it is there.
func (r *Rekey) relocate(ctx context.Context, places write.Places, from write.Site) error {
	moved, err := places.Relocate(ctx, Op, from, places.Home(), r.ttl)
	if moved {
		r.mu.Lock()
		r.summary.Moved++
		r.mu.Unlock()
	}
	return err
}

// left is relocation, and counts the documents that a pass finds under earlier keys, also
// those whose key is not known.
func (r *Rekey) left(raw []byte) (*write.BulkItem, error) {
	item, err := r.relocation(raw)
	if item != nil || err != nil {
		r.mu.Lock()
		r.summary.Left++
		r.mu.Unlock()
	}
	return item, err
}

// Changed moves those of the documents that have changed, as they are stored, which are
// under an earlier number of buckets. A document that does not decode is left to Run.
func (r *Rekey) Changed(ctx context.Context, stored iter.Seq[[]byte]) error {
	return r.do(r.changes.Without(ctx), func(yield func(*write.BulkItem) bool) {
		for raw := range stored {
			if item, err := r.relocation(raw); err == nil && item != nil && !yield(item) {
				return
			}
		}
	})
}
