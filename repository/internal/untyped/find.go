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

// OpFind is FindInBuckets, for errors.
const OpFind = "find"

// Find is FindInBuckets.
func (d *Documents) Find(ctx context.Context, id string, keys generated.Keys) (doc any, err error) {
	const op = OpFind
	given := keys
	keys, err = keys.Resolve(d.Store.Type, d.Store.Settings.MaxKeys)
	if err != nil {
		return nil, err
	}
	if err := d.Wrong(); err != nil {
		return nil, &wire.OperationError{Op: op, Type: d.Store.Type, Err: err}
	}
	ctx, end := d.Store.StartSpan(ctx, op)
	defer func() { end(err) }()
	parts := []query.Part{{Store: d.Store, Keys: keys}}
	if d.several != nil {
		if parts, err = d.several.parts(ctx, given, keys); err != nil {
			return nil, err
		}
	}
	found, err := findIn(ctx, op, id, parts)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(item []byte) bool {
		return !d.Store.Shows(item) || !query.Matches(item, keys.Filters())
	})
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

// findIn returns what is stored under an id in containers.
func findIn(ctx context.Context, op, id string, parts []query.Part) ([][]byte, error) {
	found := make([][][]byte, len(parts))
	err := query.Together(ctx, len(parts), maxContainersAtOnce, func(ctx context.Context, i int) (err error) {
		if err = parts[i].Store.JoinSession(ctx, op); err == nil {
			found[i], err = query.FindByID(ctx, parts[i].Store, op, id, parts[i].Keys)
		}
		return err
	})
	return slices.Concat(found...), err
}

// maxContainersAtOnce is how many containers are asked for an id at once.
const maxContainersAtOnce = 8

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
