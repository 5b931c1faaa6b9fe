package mongo

import (
	"errors"
	"reflect"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// refused returns the error of a document that cannot be written as BSON, with the field at
// fault. The driver does not name it, so each field is written separately.
func (c *codec[T]) refused(doc *T, err error) error {
	field, reason := failure.FieldAt(doc, isHidden, func(v reflect.Value) (bool, error) {
		err := unwritable(v)
		return err != nil, err
	})
	e := &documents.FieldError{Type: c.typ, Field: field, Reason: "its value cannot be written as BSON", Err: err}
	if reason == nil {
		reason = err
	}
	for _, known := range []error{errFraction, errFar, errUTF8, errNaN, errNothing, errRange, errName} {
		if errors.Is(reason, known) {
			e.Reason = known.Error()
		}
	}
	return shown(e)
}

// isHidden reports whether a field is left out.
func isHidden(f reflect.StructField) bool {
	return f.Tag.Get("bson") == "-" || f.Tag.Get("json") == "-"
}

// unwritable returns why a value cannot be written, nil if it can.
func unwritable(v reflect.Value) error {
	if v.CanAddr() {
		v = v.Addr() // so that methods of pointers count
	}
	e := bson.NewEncoder(bson.NewDocumentWriter(discard{}))
	e.SetRegistry(registry)
	e.UseJSONStructTags()
	return e.Encode(bson.D{{Key: "v", Value: v.Interface()}})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
