package repository

import (
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// PatchValue is a field of documents of type D that a patch can change, and that
// holds a value of type V, or a pointer to one. The string is the property's JSON
// pointer; see [PatchOperation].
type PatchValue[D, V any] string

// Set makes v the value, whether the property is present or not.
func (f PatchValue[D, V]) Set(v V) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", v)
}

// Replace makes v the value of a property that is present, even as null.
func (f PatchValue[D, V]) Replace(v V) PatchOperation[D] {
	return changeTo[D](write.PatchReplace, string(f), "Replace", v)
}

// Add is Set. Only for the elements of a list does the service tell them apart.
func (f PatchValue[D, V]) Add(v V) PatchOperation[D] {
	return changeTo[D](write.PatchAdd, string(f), "Add", v)
}

// Remove removes the property, which must be present.
func (f PatchValue[D, V]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull makes null the value, as for a nil pointer, whether the property is
// present or not.
func (f PatchValue[D, V]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// PatchMap is a field of documents of type D that a patch can change, and that
// holds a map of V, whose values are fields of kind F. The field of a map of int
// is a PatchMap[D, int, PatchNumber[D, int]]. The string is the property's JSON
// pointer; see [PatchOperation].
type PatchMap[D, V any, F ~string] string

// Key returns the field of the value under a key, such as
// Counters.Key("starts").Increment(1). The key is spelled as in JSON. The map
// must be present: a nil map is null or absent.
func (f PatchMap[D, V, F]) Key(key string) F {
	return F(string(f) + "/" + text.Escape(key))
}

// Set stores the map m, in place of a stored one. A nil map is stored as null, in
// which no key can be set.
func (f PatchMap[D, V, F]) Set(m map[string]V) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", m)
}

// Replace stores the map m if the property is present, even as null.
func (f PatchMap[D, V, F]) Replace(m map[string]V) PatchOperation[D] {
	return changeTo[D](write.PatchReplace, string(f), "Replace", m)
}

// Add is Set.
func (f PatchMap[D, V, F]) Add(m map[string]V) PatchOperation[D] {
	return changeTo[D](write.PatchAdd, string(f), "Add", m)
}

// Remove removes the property, which must be present.
func (f PatchMap[D, V, F]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull makes null the value, as for a nil map.
func (f PatchMap[D, V, F]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// PatchOperation changes documents of type D. The fields of a patch make it, such
// as VehicleEventPatch.Speed.Set(120), and [Documents.Patch] runs it. An
// operation on another document type does not compile.
//
// A PatchOperation is an immutable value: several patches and goroutines may use it.
// It keeps what is wrong with it, such as a NaN to set, and the method that runs it
// returns that error. The zero PatchOperation changes nothing.
//
// # Fields
//
// Generated code declares the fields: [PatchValue], [PatchNumber], [PatchList]
// and [PatchMap]. A field is a string, the JSON pointer of the property (RFC
// 6901), such as "/speed" or "/meta/speed". The properties of the key have no
// fields: the service refuses to change them, or the change would leave the
// document under a key that is no longer its own.
//
// # Properties that must be present
//
// Set, Add, Increment and Decrement create the property if it is absent. The
// object or list that holds it must be present, because the service does not
// create it. A nil pointer, map or slice is null in the document, or absent, so
// set that first, in the same patch or an earlier one. Replace and Remove need
// the property itself. Otherwise the service changes nothing and answers with
// status 400, and the error says which operation it refused.
type PatchOperation[D any] struct{ change write.PatchOperations }

// String returns c as JSON, as a request has it, for people to read. For an
// invalid operation it says what is wrong.
func (c PatchOperation[D]) String() string {
	return c.change.String()
}

// changeTo returns the operation op with the value v at path. Method is for
// errors.
func changeTo[D, V any](op, path, method string, v V) PatchOperation[D] {
	data, err := predicate.JSON(v)
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
