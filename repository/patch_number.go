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
// NaN and the infinities have no form in JSON, and integers beyond 2^53 may
// become their neighbours in Cosmos DB, which keeps numbers as float64. A change
// with one is refused by whatever runs it.
type PatchNumber[D any, V Numeric] string

// Set makes v the value, whether the property is there or not.
func (f PatchNumber[D, V]) Set(v V) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", v)
}

// Replace makes v the value if the property is there, be it null.
func (f PatchNumber[D, V]) Replace(v V) PatchOperation[D] {
	return changeTo[D](write.PatchReplace, string(f), "Replace", v)
}

// Add does to the property of an object what Set does; it adds no numbers, which
// Increment does.
func (f PatchNumber[D, V]) Add(v V) PatchOperation[D] {
	return changeTo[D](write.PatchAdd, string(f), "Add", v)
}

// Remove removes the property, which has to be there.
func (f PatchNumber[D, V]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull makes null the value, as it is for a nil pointer, whether the property
// is there or not.
func (f PatchNumber[D, V]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// Increment adds by to the number. A property that is not there becomes by, one
// that is null or anything else but a number is status 400. Increments of several
// writers all count.
//
// The service adds as float64, and knows nothing of the range of V. A fraction,
// and an integral float64 beyond the range of int64, need a client that was made
// with [Configure], since azcosmos sends increments by an int64 alone
// (PatchOperations.AppendIncrement).
func (f PatchNumber[D, V]) Increment(by V) PatchOperation[D] {
	return increment[D](string(f), "Increment", by, false)
}

// Decrement subtracts by from the number. In all else it is Increment.
func (f PatchNumber[D, V]) Decrement(by V) PatchOperation[D] {
	return increment[D](string(f), "Decrement", by, true)
}

// increment returns the change by a number, or by its negative. A type may
// marshal as something else, which cannot be added.
func increment[D any, V Numeric](path, method string, by V, negative bool) PatchOperation[D] {
	data, err := predicate.JSON(by)
	switch {
	case err != nil:
	case data[0] != '-' && (data[0] < '0' || data[0] > '9'):
		err = fmt.Errorf("%T is not a number in JSON, to which one could be added: use Set", by)
	case negative && data[0] == '-':
		data = data[1:]
	case negative:
		data = append(json.RawMessage{'-'}, data...)
	}
	return PatchOperation[D]{write.OperationOf(write.PatchOperation{Op: write.PatchIncrement, Path: path, Value: data}, method, err)}
}
