package repository

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// PatchValue is a patchable field of documents of type D with a value of type V, or a pointer
// to one. The string is the property's JSON pointer; see [PatchOperation].
type PatchValue[D, V any] string

// Set sets the property to v, and creates it if it is absent.
func (f PatchValue[D, V]) Set(v V) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", v)
}

// Replace sets the property to v. It must be present, even as null.
func (f PatchValue[D, V]) Replace(v V) PatchOperation[D] {
	return changeTo[D](write.PatchReplace, string(f), "Replace", v)
}

// Remove removes the property, which must be present.
func (f PatchValue[D, V]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull sets the property to null, like a nil pointer, and creates it if it is absent.
func (f PatchValue[D, V]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// PatchRenamed is a patchable field of documents of type D with a value of type V, or a pointer
// to one, that is stored under several names: its tag has was= or next=. A patch stores the
// name of the json tag and removes the others. The service cannot change a part of the value,
// or add to it, without knowing its name: use Update. The string is the property's path, with
// the other names before it; see [PatchOperation].
type PatchRenamed[D, V any] string

// Set sets the property to v, and creates it if it is absent.
func (f PatchRenamed[D, V]) Set(v V) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", v)
}

// Remove removes the property under every name.
func (f PatchRenamed[D, V]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull sets the property to null, like a nil pointer, and creates it if it is absent.
func (f PatchRenamed[D, V]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// PatchMap is a patchable field of documents of type D with a map of V, whose values are fields
// of kind F. The field of a map of int is a PatchMap[D, int, PatchNumber[D, int]]. The string
// is the property's JSON pointer; see [PatchOperation].
type PatchMap[D, V any, F ~string] string

// Key returns the field of the value under a key, as in Counters.Key("starts").Increment(1).
// The key is spelled as in JSON. The map must be present: a nil map is null or absent.
func (f PatchMap[D, V, F]) Key(key string) F {
	return F(string(f) + "/" + jsonpointer.Escape(key))
}

// Set stores the map m, in place of a stored one. A nil map is stored as null, in which no key
// can be set.
func (f PatchMap[D, V, F]) Set(m map[string]V) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", m)
}

// Replace stores the map m if the property is present, even as null.
func (f PatchMap[D, V, F]) Replace(m map[string]V) PatchOperation[D] {
	return changeTo[D](write.PatchReplace, string(f), "Replace", m)
}

// Remove removes the property, which must be present.
func (f PatchMap[D, V, F]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull sets the property to null, like a nil map.
func (f PatchMap[D, V, F]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// PatchOperation changes documents of type D. The fields of a patch make it, as in
// VehicleEventPatch.Speed.Set(120), and [Documents.Patch] runs it. An operation on another
// document type does not compile.
//
// A PatchOperation is an immutable value: several patches and goroutines may use it. If it is
// invalid, such as a NaN to set, the method that runs it returns the error. The zero
// PatchOperation changes nothing.
//
// # Fields
//
// Generated code declares the fields: [PatchValue], [PatchNumber], [PatchList], [PatchMap] and
// [PatchRenamed]. A field is a string, the JSON pointer of the property (RFC 6901), such as
// "/speed" or "/meta/speed". The properties of the key have no fields: the service refuses to
// change them, or the change would leave the document under an outdated key.
//
// # Properties that must be present
//
// Set, Add, Increment and Decrement create the property if it is absent. The object or list
// that contains it must be present, because the service does not create it. A nil pointer, map
// or slice is null in the document, or absent, so set that first, in the same patch or an
// earlier one. Replace and Remove need the property itself. Otherwise the service changes
// nothing and responds with status 400, and the error names the refused operation.
type PatchOperation[D any] struct{ change write.PatchOperations }

// String returns c as JSON, as in a request. For an invalid operation it returns the error's
// text.
func (c PatchOperation[D]) String() string {
	return c.change.String()
}

// changeTo returns the operation op with the value v at path. Errors name the method.
func changeTo[D, V any](op, path, method string, v V) PatchOperation[D] {
	data, err := jsonvalue.JSON(v)
	return PatchOperation[D]{write.NewPatchOperations(write.PatchOperation{Op: op, Path: path, Value: data}, method, err)}
}

// removal returns the operation that removes the value at path.
func removal[D any](path string) PatchOperation[D] {
	return PatchOperation[D]{write.NewPatchOperations(write.PatchOperation{Op: write.PatchRemove, Path: path}, "Remove", nil)}
}

// toNull returns the operation that sets the value at path to null.
func toNull[D any](path string) PatchOperation[D] {
	return PatchOperation[D]{write.NewPatchOperations(write.PatchOperation{Op: write.PatchSet, Path: path, Value: json.RawMessage("null")}, "SetNull", nil)}
}

// PatchNumber is a patchable field of documents of type D with a number of type V, or a pointer
// to one. The string is the property's JSON pointer; see [PatchOperation].
//
// JSON has no NaN and no infinities, and Cosmos DB stores numbers as float64, which cannot
// represent every integer beyond 2^53. A patch with a number that would change returns an
// error.
type PatchNumber[D any, V documents.Numeric] string

// Set sets the property to v, and creates it if it is absent.
func (f PatchNumber[D, V]) Set(v V) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", v)
}

// Replace sets the property to v. It must be present, even as null.
func (f PatchNumber[D, V]) Replace(v V) PatchOperation[D] {
	return changeTo[D](write.PatchReplace, string(f), "Replace", v)
}

// Remove removes the property, which must be present.
func (f PatchNumber[D, V]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull sets the property to null, like a nil pointer, and creates it if it is absent.
func (f PatchNumber[D, V]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// Increment adds by to the number. An absent property becomes by. If the property is null or
// not a number, the service responds with status 400. Concurrent increments all count.
//
// The service adds as float64, and does not check the range of V. A fraction, and an integral
// float64 beyond the range of int64, need a client made with [Configure], since azcosmos sends
// only increments by an int64 (PatchOperations.AppendIncrement).
func (f PatchNumber[D, V]) Increment(by V) PatchOperation[D] {
	return increment[D](string(f), "Increment", by, false)
}

// Decrement subtracts by from the number. In all else it is like Increment.
func (f PatchNumber[D, V]) Decrement(by V) PatchOperation[D] {
	return increment[D](string(f), "Decrement", by, true)
}

// increment returns the increment by a number, or by its negative. It refuses a type that does
// not marshal as a number.
func increment[D any, V documents.Numeric](path, method string, by V, negative bool) PatchOperation[D] {
	data, err := jsonvalue.JSON(by)
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

// PatchList is a patchable field of documents of type D with a slice or array of E. The string
// is the property's JSON pointer; see [PatchOperation]. A []byte is not a list: JSON writes it
// as text, and its field is a [PatchValue].
//
// Indexes count from 0, after the preceding operations of the same patch: after RemoveAt(0),
// the element that was at 1 is at 0. The service refuses an index beyond the end of the list
// with status 400. A nil slice is null or absent in the document, which is not a list: the
// service refuses Append with status 400, so store an empty list as []E{}.
type PatchList[D, E any] string

// Set stores the list elements, in place of a stored one. A nil slice is stored as null.
func (f PatchList[D, E]) Set(elements []E) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", elements)
}

// Replace stores the list elements if the property is present, even as null.
func (f PatchList[D, E]) Replace(elements []E) PatchOperation[D] {
	return changeTo[D](write.PatchReplace, string(f), "Replace", elements)
}

// Remove removes the property, which must be present.
func (f PatchList[D, E]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull sets the property to null, like a nil slice, and creates it if it is absent.
func (f PatchList[D, E]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// Append adds elements at the end of the list, in order. Each element is one of the ten
// operations that a patch may have. Without elements it changes nothing.
func (f PatchList[D, E]) Append(elements ...E) PatchOperation[D] {
	var all PatchOperation[D]
	for _, e := range elements {
		c := changeTo[D](write.PatchAdd, string(f)+"/-", "Append", e)
		if c.change.Err != nil {
			return c
		}
		all.change.Operations = append(all.change.Operations, c.change.Operations...)
	}
	return all
}

// Insert inserts e at index i, and shifts the element at i and all later ones up. If i is the
// length of the list, it appends e.
func (f PatchList[D, E]) Insert(i int, e E) PatchOperation[D] {
	return f.at(write.PatchAdd, i, "Insert", e)
}

// ReplaceAt replaces the element at index i with e.
func (f PatchList[D, E]) ReplaceAt(i int, e E) PatchOperation[D] {
	return f.at(write.PatchReplace, i, "ReplaceAt", e)
}

// RemoveAt removes the element at index i, and shifts later ones down.
func (f PatchList[D, E]) RemoveAt(i int) PatchOperation[D] {
	path, err := f.element(i)
	return PatchOperation[D]{write.NewPatchOperations(write.PatchOperation{Op: write.PatchRemove, Path: path}, "RemoveAt", err)}
}

// at returns the operation op with e on the element at index i.
func (f PatchList[D, E]) at(op string, i int, method string, e E) PatchOperation[D] {
	path, err := f.element(i)
	if err != nil {
		return PatchOperation[D]{write.NewPatchOperations(write.PatchOperation{Path: path}, method, err)}
	}
	return changeTo[D](op, path, method, e)
}

// element returns the path of the element at index i.
func (f PatchList[D, E]) element(i int) (string, error) {
	path := string(f) + "/" + strconv.Itoa(i)
	if i < 0 {
		return path, fmt.Errorf("the index %d is negative: indexes count from 0", i)
	}
	return path, nil
}
