package repository

import (
	"context"
	"reflect"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// GetByUnique returns the document with a value of the unique property with this JSON name: two
// point reads, 2 request units for 1 KB, whatever the number of physical partitions. Generated
// GetBy… methods call it. It returns ErrNotFound if no document has the value; the empty text
// is no value. If the document is marked as deleted, the error also matches ErrDeleted.
func GetByUnique[T any, K generated.Key](ctx context.Context, d *Documents[T, K], property string, value any) (*T, error) {
	raw, err := jsonvalue.Marshal(addressable(value))
	if err != nil {
		return nil, &documents.Error{Op: wire.OpGet, Type: d.untyped.Store.Type, Err: err}
	}
	if err := d.untyped.Store.JoinSession(ctx, wire.OpGet); err != nil {
		return nil, err
	}
	doc, err := d.untyped.Unique.Find(ctx, property, raw)
	own, _ := doc.(*T) // nil with an error
	return own, err
}

// addressable returns a pointer to a copy of v, so that encoding/json also calls its pointer
// methods, as it does for a document's fields.
func addressable(v any) any {
	of := reflect.ValueOf(v)
	if !of.IsValid() {
		return nil
	}
	p := reflect.New(of.Type())
	p.Elem().Set(of)
	return p.Interface()
}
