package repository

import (
	"encoding/json"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// PatchNumber is a field of documents of type D that a patch can change, and that
// holds a number of type V, or a pointer to one. The string is the property's
// JSON pointer; see [PatchOperation].
//
// JSON has no NaN and no infinities, and Cosmos DB keeps numbers as float64, in
// which integers beyond 2^53 may become their neighbours. A patch with such a
// number returns an error.
type PatchNumber[D any, V Numeric] string

// Set makes v the value, whether the property is present or not.
func (f PatchNumber[D, V]) Set(v V) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", v)
}

// Replace makes v the value of a property that is present, even as null.
func (f PatchNumber[D, V]) Replace(v V) PatchOperation[D] {
	return changeTo[D](write.PatchReplace, string(f), "Replace", v)
}

// Add is Set. To add numbers, use Increment.
func (f PatchNumber[D, V]) Add(v V) PatchOperation[D] {
	return changeTo[D](write.PatchAdd, string(f), "Add", v)
}

// Remove removes the property, which must be present.
func (f PatchNumber[D, V]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull makes null the value, as for a nil pointer, whether the property is
// present or not.
func (f PatchNumber[D, V]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// Increment adds by to the number. An absent property becomes by. If the property
// is null or anything else than a number, the service answers with status 400.
// Increments of several writers all count.
//
// The service adds as float64, and does not know the range of V. A fraction, and
// an integral float64 beyond the range of int64, need a client made with
// [Configure], since azcosmos sends only increments by an int64
// (PatchOperations.AppendIncrement).
func (f PatchNumber[D, V]) Increment(by V) PatchOperation[D] {
	return increment[D](string(f), "Increment", by, false)
}

// Decrement subtracts by from the number. Otherwise it is as Increment.
func (f PatchNumber[D, V]) Decrement(by V) PatchOperation[D] {
	return increment[D](string(f), "Decrement", by, true)
}

// increment returns the increment by a number, or by its negative. It refuses a
// type that marshals as something else than a number.
func increment[D any, V Numeric](path, method string, by V, negative bool) PatchOperation[D] {
	data, err := predicate.JSON(by)
	switch {
	case err != nil:
	case data[0] != '-' && (data[0] < '0' || data[0] > '9'):
		err = fmt.Errorf("%T is not a number in JSON, so the service cannot add it: use Set", by)
	case negative && data[0] == '-':
		data = data[1:]
	case negative:
		data = append(json.RawMessage{'-'}, data...)
	}
	return PatchOperation[D]{write.NewPatchOperations(write.PatchOperation{Op: write.PatchIncrement, Path: path, Value: data}, method, err)}
}
