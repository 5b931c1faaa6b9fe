package repository

import "github.com/cosmos-pkgen/pkgen/repository/internal/text"

// PatchValue is a field of documents of type D that a patch can change, and that
// holds a value of type V, or a pointer to one. The string is the property's JSON
// pointer; see [PatchOperation].
type PatchValue[D, V any] string

// Set makes v the value, whether the property is there or not.
func (f PatchValue[D, V]) Set(v V) PatchOperation[D] {
	return changeTo[D](patchSet, string(f), "Set", v)
}

// Replace makes v the value if the property is there, be it null.
func (f PatchValue[D, V]) Replace(v V) PatchOperation[D] {
	return changeTo[D](patchReplace, string(f), "Replace", v)
}

// Add does to the property of an object what Set does. The service tells them
// apart for the elements of a list alone.
func (f PatchValue[D, V]) Add(v V) PatchOperation[D] {
	return changeTo[D](patchAdd, string(f), "Add", v)
}

// Remove removes the property, which has to be there.
func (f PatchValue[D, V]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull makes null the value, as it is for a nil pointer, whether the property
// is there or not.
func (f PatchValue[D, V]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// PatchMap is a field of documents of type D that a patch can change, and that
// holds a map of V, whose values are fields of kind F: of a map of int it is
// PatchMap[D, int, PatchNumber[D, int]]. The string is the property's JSON
// pointer; see [PatchOperation].
type PatchMap[D, V any, F ~string] string

// Key returns the field of the value under a key, given as JSON writes it:
// Counters.Key("starts").Increment(1). The map has to be there: a nil one is null
// or nothing.
func (f PatchMap[D, V, F]) Key(key string) F {
	return F(string(f) + "/" + text.Escape(key))
}

// Set stores the map m in place of the one that is there, if any. A nil one is
// stored as null, in which no key can be set.
func (f PatchMap[D, V, F]) Set(m map[string]V) PatchOperation[D] {
	return changeTo[D](patchSet, string(f), "Set", m)
}

// Replace stores the map m if the property is there, be it null.
func (f PatchMap[D, V, F]) Replace(m map[string]V) PatchOperation[D] {
	return changeTo[D](patchReplace, string(f), "Replace", m)
}

// Add does what Set does.
func (f PatchMap[D, V, F]) Add(m map[string]V) PatchOperation[D] {
	return changeTo[D](patchAdd, string(f), "Add", m)
}

// Remove removes the property, which has to be there.
func (f PatchMap[D, V, F]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull makes null the value, as it is for a nil map.
func (f PatchMap[D, V, F]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }
