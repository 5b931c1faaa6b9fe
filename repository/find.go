package repository

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// FindInBuckets returns the document of this id under whichever suffix it has.
// The keys are those of all suffixes. Generated methods of that name call it.
//
// It asks each physical partition that holds some of the keys once, and costs
// about 3 request units for each. The fields of other documents can make the same
// partition keys; the filters of keys leave such documents out. The error is
// ErrNotFound if no suffix holds the id, and ErrAmbiguous, with the partition
// keys, if several do.
func FindInBuckets[T any, K generated.Key](ctx context.Context, d *Documents[T, K], id string, keys generated.Keys) (*T, error) {
	doc, err := d.untyped.find(ctx, id, keys)
	own, _ := doc.(*T) // nil with an error
	return own, exported(err)
}

// find is FindInBuckets.
func (d *documents) find(ctx context.Context, id string, keys generated.Keys) (doc any, err error) {
	const op = "find"
	keys, err = keys.Resolve(d.store.Type, d.store.Settings.MaxKeys)
	if err != nil {
		return nil, err
	}
	if err := d.store.JoinSession(ctx, op); err != nil {
		return nil, err
	}
	ctx, end := d.store.StartSpan(ctx, op)
	defer func() { end(err) }()
	found, err := query.FindByID(ctx, d.store, op, id, keys)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(item []byte) bool { return !d.store.Owns(item) || !query.Matches(item, keys.Filters()) })
	switch len(found) {
	case 0:
		return nil, &wire.OperationError{Op: op, Type: d.store.Type, ID: id, Err: ErrNotFound}
	case 1:
		doc, err := d.store.Decode(found[0])
		if err != nil {
			return nil, &wire.OperationError{Op: op, Type: d.store.Type, ID: id, Err: err}
		}
		return doc, nil
	}
	return nil, &wire.OperationError{Op: op, Type: d.store.Type, ID: id, Kind: ErrAmbiguous, Err: d.ambiguity(found)}
}

// ambiguity returns an error that names the partition keys of documents.
func (d *documents) ambiguity(items [][]byte) error {
	names := make([]string, 0, len(items))
	for _, item := range items {
		doc, err := d.store.Decode(item)
		if err != nil {
			return err
		}
		p, err := d.types.place(doc)
		if err != nil {
			return err
		}
		names = append(names, p.Name)
	}
	return fmt.Errorf("it is in %s: Get reads one of them", strings.Join(names, ", "))
}
