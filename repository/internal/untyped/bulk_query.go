package untyped

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// errOtherQuery is the error of a deletion by a query of another repository.
var errOtherQuery = errors.New("the query is of another repository: call DeleteAllOf of the repository that made it")

// DeletionsOf returns the deletions of the documents that q finds.
func (d *Documents) DeletionsOf(ctx context.Context, b *write.Bulk, q query.Selection) iter.Seq[*write.BulkItem] {
	d.strategy.bulk(b)
	b.Looks = false // each deletion has the ETag that the query has read
	return func(yield func(*write.BulkItem) bool) {
		if q.Store != nil && q.Store != d.Store {
			yield(b.FailedItem(errOtherQuery))
			return
		}
		if d.several != nil {
			q = q.Decoding(func(st *store.Store) func([]byte) (any, error) {
				in, err := d.In(st.Client.ID())
				return func(raw []byte) (any, error) {
					if err != nil {
						return nil, err
					}
					item, err := in.deletionOf(raw)
					if err == nil {
						item.In = in.Writer
					}
					return item, err
				}
			})
		}
		var m wire.Meter
		counted := 0.0
		q.Run(wire.WithMeter(ctx, &m), q.Statement(), query.Untyped(d.deletionOf), q.Limit, func(found any, err error) bool {
			units := m.RequestUnits()
			b.Budget.Spend(units - counted)
			counted = units
			if err != nil {
				return yield(b.FailedItem(err))
			}
			return yield(found.(*write.BulkItem))
		})
	}
}

// deletionOf returns the deletion of a stored document on condition that it does
// not change.
func (d *Documents) deletionOf(raw []byte) (*write.BulkItem, error) {
	doc, err := d.Store.Decode(raw)
	if err != nil {
		return nil, err
	}
	item := d.Types.Deletion(doc)
	if err := json.Unmarshal(text.ValueAt(raw, wire.ETagPath), &item.Unchanged); err != nil {
		return nil, err
	}
	var at Target
	if item.Place, item.Err = store.PlaceOf(d.Store, raw); item.Err == nil {
		at, item.Err = d.strategy.target(wire.OpDelete, doc, Target{Place: item.Place})
	}
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		return "", d.strategy.removeUnchanged(ctx, at, item.Unchanged, repeated)
	}
	return item, nil
}
