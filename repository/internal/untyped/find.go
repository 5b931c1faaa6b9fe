package untyped

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Find is FindInBuckets.
func (d *Documents) Find(ctx context.Context, id string, keys generated.Keys) (doc any, err error) {
	const op = "find"
	keys, err = keys.Resolve(d.Store.Type, d.Store.Settings.MaxKeys)
	if err != nil {
		return nil, err
	}
	if err := d.Store.JoinSession(ctx, op); err != nil {
		return nil, err
	}
	ctx, end := d.Store.StartSpan(ctx, op)
	defer func() { end(err) }()
	found, err := query.FindByID(ctx, d.Store, op, id, keys)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(item []byte) bool { return !d.Store.Owns(item) || !query.Matches(item, keys.Filters()) })
	switch len(found) {
	case 0:
		return nil, &wire.OperationError{Op: op, Type: d.Store.Type, ID: id, Err: wire.ErrNotFound}
	case 1:
		doc, err := d.Store.Decode(found[0])
		if err != nil {
			return nil, &wire.OperationError{Op: op, Type: d.Store.Type, ID: id, Err: err}
		}
		return doc, nil
	}
	return nil, &wire.OperationError{Op: op, Type: d.Store.Type, ID: id, Kind: wire.ErrAmbiguous, Err: d.ambiguity(found)}
}

// ambiguity returns an error that names the partition keys of documents.
func (d *Documents) ambiguity(items [][]byte) error {
	names := make([]string, 0, len(items))
	for _, item := range items {
		doc, err := d.Store.Decode(item)
		if err != nil {
			return err
		}
		p, err := d.Types.Place(doc)
		if err != nil {
			return err
		}
		names = append(names, p.Name)
	}
	return fmt.Errorf("it is in %s: Get reads one of them", strings.Join(names, ", "))
}
