package repository

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// FindInBuckets returns the document of this id under whichever suffix it has: keys are
// all that it may have. Generated methods of that name call it.
//
// It asks each physical partition that holds some of the keys once, and costs
// about 3 request units for each. Documents that the filters of keys exclude,
// because others' fields can make the same partition keys, are passed over. It
// returns ErrNotFound if no suffix holds the id, and ErrAmbiguous, naming the
// partition keys, if several do.
func FindInBuckets[T any, K generated.Key](ctx context.Context, d *Documents[T, K], id string, keys generated.Keys) (*T, error) {
	doc, err := findInBuckets(ctx, d, id, keys)
	return doc, exported(err)
}

// findInBuckets is FindInBuckets.
func findInBuckets[T any, K generated.Key](ctx context.Context, d *Documents[T, K], id string, keys generated.Keys) (doc *T, err error) {
	const op = "find"
	keys, err = keys.Resolve(d.store.Type, d.store.settings.maxKeys)
	if err != nil {
		return nil, err
	}
	if err := d.store.joinSession(ctx, op); err != nil {
		return nil, err
	}
	ctx, end := d.store.span(ctx, op)
	defer func() { end(err) }()
	found, err := everywhere(ctx, d.store, op, id, keys)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(item []byte) bool { return !d.store.mine(item) || !hasAll(item, keys.Filters()) })
	switch len(found) {
	case 0:
		return nil, &wire.OperationError{Op: op, Type: d.store.Type, ID: id, Err: ErrNotFound}
	case 1:
		doc, err := decodeAs[T](d.store, found[0])
		if err != nil {
			return nil, &wire.OperationError{Op: op, Type: d.store.Type, ID: id, Err: err}
		}
		return doc, nil
	}
	return nil, &wire.OperationError{Op: op, Type: d.store.Type, ID: id, Kind: ErrAmbiguous, Err: under(d, found)}
}

// under names the partition keys of documents.
func under[T any, K generated.Key](d *Documents[T, K], items [][]byte) error {
	names := make([]string, 0, len(items))
	for _, item := range items {
		doc, err := decodeAs[T](d.store, item)
		if err != nil {
			return err
		}
		names = append(names, place(d, d.model.Key(doc)).Name)
	}
	return fmt.Errorf("it stands under %s: Get reads one of them", strings.Join(names, ", "))
}

// hasAll reports whether a document has the properties that filters ask for, as
// the service does for the filters of a query. Those of a base ask for equality.
func hasAll(item []byte, filters []generated.Filter) bool {
	for _, f := range filters {
		want, err := json.Marshal(f.Value)
		if err != nil || !equal(text.ValueAt(item, text.Names(f.Property)), want, f.Fold) {
			return false
		}
	}
	return true
}

// equal reports whether two JSON values are equal, numbers as the doubles that
// the service takes them for, or are texts that differ in upper and lower case
// alone if fold is set.
func equal(a, b json.RawMessage, fold bool) bool {
	var left, right any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return false
	}
	text, isText := left.(string)
	other, areTexts := right.(string)
	if fold && isText && areTexts {
		return strings.EqualFold(text, other)
	}
	return reflect.DeepEqual(left, right)
}

// everywhere returns the documents of this id under keys, as a query does, and
// unlike the SDK's ReadManyItems also from a container that was made again.
func everywhere(ctx context.Context, s *store, op, id string, keys generated.Keys) ([][]byte, error) {
	name := text.OwnParameter + "ID"
	st := statement{
		conditions: []string{text.Property("/id") + " = " + name},
		parameters: []azcosmos.QueryParameter{{Name: name, Value: id}},
	}
	values := list(s, keys)
	var jobs []job
	m, version, _ := s.Physical(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, &wire.OperationError{Op: op, Type: s.Type, ID: id, Err: ctx.Err()}
	case m != nil:
		if err := locate(values); err != nil {
			return nil, err
		}
		jobs = scopedJobs(values, "", false, m, version)
	default: // a filter, which the gateway walks
		jobs = byGateway(values)
	}
	e := newExecution(s, st, func(raw []byte) (any, error) { return raw, nil })
	e.op = op
	return collect(typed[[]byte](e.each(ctx, jobs, e.read)))
}
