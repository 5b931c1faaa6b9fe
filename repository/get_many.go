package repository

import (
	"context"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// GetMany returns the documents that keys identify, in the order of keys. The
// result has one element for each key, nil if there is no such document. A key
// given twice gives the same document twice. If partition keys can collide, a
// document of other fields is nil, too.
//
// It sends one query for each thousand documents, or part of a thousand, that a
// physical partition holds, and a point read if it holds only one: about 3
// request units a query, and 1 for each KB. A client made without [Configure]
// uses ReadManyItems of the SDK, which sends about as many requests, and then a
// point read for each missing document.
//
// If a request fails for a reason that may pass, such as a throttled physical
// partition after the client's own retries, GetMany sends this request again,
// twice at most. An error comes without documents. It is a *partition.KeyError,
// before any request, for the first invalid key, and otherwise an [Error] that
// names the physical partition or the document.
func (d *Documents[T, K]) GetMany(ctx context.Context, keys []K) ([]*T, error) {
	wanted := make([]wire.Identity, len(keys))
	known := map[wire.Identity]bool{}
	var values []query.Target // each document once
	for i, key := range keys {
		p, err := placeOf(d.model, key)
		var v query.Target
		if err == nil {
			v, err = query.Locate(d.untyped.store, p)
		}
		if err != nil {
			return nil, &Error{Op: query.OpGetMany, Type: d.untyped.store.Type, Err: fmt.Errorf("key %d: %w", i, err)}
		}
		wanted[i] = wire.Identity{ID: p.ID, Partition: p.Name}
		if !known[wanted[i]] {
			known[wanted[i]] = true
			values = append(values, v)
		}
	}
	found, err := query.GetMany(ctx, d.untyped.store, values)
	if err != nil {
		return nil, exported(err)
	}
	docs := make([]*T, len(keys))
	for i, key := range keys {
		if doc, ok := found[wanted[i]].(*T); ok && hasKey(d.model, doc, key) {
			docs[i] = doc
		}
	}
	return docs, nil
}
