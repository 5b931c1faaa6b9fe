package repository

import (
	"fmt"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// PatchList is a field of documents of type D that a patch can change, and that
// holds a slice or array of E. The string is the property's JSON pointer; see
// [PatchOperation]. A []byte is not a list: JSON writes it as text, and its field
// is a [PatchValue].
//
// Indexes count from 0, after the operations before in the same patch: after
// RemoveAt(0), the element that was at 1 is at 0. The service answers an index
// beyond the end of the list with status 400. A nil slice is null or absent in
// the document, which is not a list: the service answers Append with status 400,
// so store an empty list as []E{}.
type PatchList[D, E any] string

// Set stores the list elements, in place of a stored one. A nil slice is stored
// as null.
func (f PatchList[D, E]) Set(elements []E) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", elements)
}

// Replace stores the list elements if the property is present, even as null.
func (f PatchList[D, E]) Replace(elements []E) PatchOperation[D] {
	return changeTo[D](write.PatchReplace, string(f), "Replace", elements)
}

// Add is Set; Append and Insert add elements.
func (f PatchList[D, E]) Add(elements []E) PatchOperation[D] {
	return changeTo[D](write.PatchAdd, string(f), "Add", elements)
}

// Remove removes the property, which must be present.
func (f PatchList[D, E]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull makes null the value, as for a nil slice, whether the property is
// present or not.
func (f PatchList[D, E]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// Append adds elements at the end of the list, in their order. Each element is
// one of the ten operations that a patch may have. Without elements it changes
// nothing.
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

// Insert puts e at index i. The element at i and all after it move up. If i is
// the length of the list, it appends e.
func (f PatchList[D, E]) Insert(i int, e E) PatchOperation[D] {
	return f.at(write.PatchAdd, i, "Insert", e)
}

// ReplaceAt makes e the element at index i.
func (f PatchList[D, E]) ReplaceAt(i int, e E) PatchOperation[D] {
	return f.at(write.PatchReplace, i, "ReplaceAt", e)
}

// RemoveAt removes the element at index i; those after it move down.
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
