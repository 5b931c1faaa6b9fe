package repository

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/parallel"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// GetMany returns the documents with these keys. The result has one element per key, in the
// order of keys, nil if there is no such document. A key given twice gives the same document
// twice. If partition keys can collide, a document with other fields is nil, too.
//
// It sends one query for each thousand documents, or part of a thousand, that a physical
// partition has, and a point read if it has only one: about 3 request units per query, and 1
// per KB. A client made without [Configure] uses ReadManyItems of the SDK, which sends about as
// many requests, and then a point read for each missing document.
//
// If a request fails for a temporary reason, such as throttling after the client's own retries,
// GetMany sends it again, at most twice. With an error, GetMany returns no documents. The error
// is a *partition.KeyError, before any request, for the first invalid key, and otherwise an
// [Error] that names the physical partition or the document.
func (d *scope[T, K]) GetMany(ctx context.Context, keys []K) ([]*T, error) {
	var docs []*T
	err := d.reading(ctx, wire.OpGetMany, d.allows(wire.OpGet, keys...), func(ctx context.Context, in *scope[T, K]) (err error) {
		docs, err = in.getAll(ctx, keys)
		return err
	})
	for _, doc := range docs {
		if err == nil {
			err = d.allowsDocument(wire.OpGet, doc)
		}
	}
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// getAll is GetMany in the container or containers of the tenant.
func (d *scope[T, K]) getAll(ctx context.Context, keys []K) ([]*T, error) {
	if d.untyped.IsSeveral() {
		return d.getManyIn(ctx, keys)
	}
	docs := make([]*T, len(keys))
	var moving []bool
	if d.model.Others != nil {
		moving = make([]bool, len(keys))
	}
	err := d.getMany(ctx, keys, docs, moving, func(key K) (wire.Place, bool, error) {
		p, err := placeOf(d.model, key)
		return p, true, err
	})
	if err == nil && d.model.Others != nil {
		err = d.getOthers(ctx, keys, docs, moving)
	}
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// getMany sets the documents of keys at the places that at returns. It skips keys whose
// documents are already set, and keys for which at returns false. In moving it marks the
// documents that are moving.
func (d *scope[T, K]) getMany(ctx context.Context, keys []K, docs []*T, moving []bool, at func(K) (wire.Place, bool, error)) error {
	wanted := make([]wire.Identity, len(keys))
	known := map[wire.Identity]bool{}
	var values []query.Target // each document once
	for i, key := range keys {
		if docs[i] != nil {
			continue
		}
		p, asked, err := at(key)
		if err == nil && !asked {
			continue
		}
		var v query.Target
		if err == nil {
			v, err = query.Locate(d.untyped.Store, p)
		}
		if err != nil {
			return &Error{Op: wire.OpGetMany, Type: d.untyped.Store.Type, Err: fmt.Errorf("key %d: %w", i, err)}
		}
		wanted[i] = wire.Identity{ID: p.ID, Partition: p.Name}
		if !known[wanted[i]] {
			known[wanted[i]] = true
			values = append(values, v)
		}
	}
	if len(values) == 0 && len(keys) > 0 {
		return nil // all are known
	}
	found, err := query.GetMany(ctx, d.untyped.Store, values)
	if err != nil {
		return err
	}
	for i, key := range keys {
		if docs[i] != nil {
			continue
		}
		if _, hidden := found[wanted[i]].(query.Moving); hidden {
			moving[i] = true
		}
		if doc, ok := found[wanted[i]].(*T); ok && hasKey(d.model, doc, key) {
			docs[i] = doc
		}
	}
	return nil
}

// getManyIn is GetMany from several containers in parallel.
func (d *scope[T, K]) getManyIn(ctx context.Context, keys []K) ([]*T, error) {
	type part struct {
		in      *untyped.Documents
		keys    []K
		indices []int // of keys
	}
	if err := d.untyped.Wrong(); err != nil {
		return nil, &Error{Op: wire.OpGetMany, Type: d.model.Type, Err: err}
	}
	var parts []*part
	byContainer := map[*untyped.Documents]*part{}
	for i, key := range keys {
		in, err := (*untyped.Documents)(nil), key.Validate()
		if err == nil {
			in, err = d.at(key)
		}
		if err != nil {
			return nil, &Error{Op: wire.OpGetMany, Type: d.model.Type, Err: fmt.Errorf("key %d: %w", i, err)}
		}
		p := byContainer[in]
		if p == nil {
			p = &part{in: in}
			byContainer[in] = p
			parts = append(parts, p)
		}
		p.keys, p.indices = append(p.keys, key), append(p.indices, i)
	}
	docs := make([]*T, len(keys))
	err := parallel.Each(ctx, len(parts), d.untyped.Store.Settings.Concurrency, func(ctx context.Context, i int) error {
		p := parts[i]
		found, err := (&scope[T, K]{untyped: p.in, model: d.model}).getAll(ctx, p.keys)
		for n, doc := range found {
			docs[p.indices[n]] = doc
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// getOthers sets the documents of keys that are not at their present places, with one more
// query for each thousand keys and each number of buckets, and point reads for each document
// that is moving.
func (d *scope[T, K]) getOthers(ctx context.Context, keys []K, docs []*T, moving []bool) error {
	tries := 1
	for turn := 0; turn < tries; turn++ {
		err := d.getMany(ctx, keys, docs, moving, func(key K) (wire.Place, bool, error) {
			places, err := placesOf(d.untyped.Writer, d.model, key)
			if err != nil {
				return wire.Place{}, false, err
			}
			others := places.Others()
			tries = max(tries, len(others))
			if turn >= len(others) {
				return wire.Place{}, false, nil
			}
			return others[turn].Place, true, nil
		})
		if err != nil {
			return err
		}
	}
	for i, key := range keys {
		if docs[i] != nil || !moving[i] {
			continue
		}
		doc, err := d.get(ctx, key)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		docs[i] = doc
	}
	return nil
}
