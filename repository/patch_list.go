package repository

import (
	"fmt"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// PatchList is a field of documents of type D that a patch can change, and that
// holds a slice or array of E. The string is the property's JSON pointer; see
// [PatchOperation]. A []byte is no list: JSON has it as text, and its field is a
// [PatchValue].
//
// Indexes count from 0 and are those at the time of the change: after RemoveAt(0)
// in the same patch, the element that was at 1 is at 0. One beyond the end of the
// list is status 400. A nil slice is null in the document, or nothing, and neither
// is a list: Append to it is status 400, so store empty ones as []E{}.
type PatchList[D, E any] string

// Set stores the list elements in place of the one that is there, if any. A nil
// one is stored as null.
func (f PatchList[D, E]) Set(elements []E) PatchOperation[D] {
	return changeTo[D](write.PatchSet, string(f), "Set", elements)
}

// Replace stores the list elements if the property is there, be it null.
func (f PatchList[D, E]) Replace(elements []E) PatchOperation[D] {
	return changeTo[D](write.PatchReplace, string(f), "Replace", elements)
}

// Add does what Set does; Append and Insert add elements.
func (f PatchList[D, E]) Add(elements []E) PatchOperation[D] {
	return changeTo[D](write.PatchAdd, string(f), "Add", elements)
}

// Remove removes the property, which has to be there.
func (f PatchList[D, E]) Remove() PatchOperation[D] { return removal[D](string(f)) }

// SetNull makes null the value, as it is for a nil slice, whether the property is
// there or not.
func (f PatchList[D, E]) SetNull() PatchOperation[D] { return toNull[D](string(f)) }

// Append adds elements at the end of the list, in their order. Each is one of the
// operations of which a patch may have ten; none change nothing.
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

// Insert puts e at index i, before the element that is there and moves up with
// all behind it. At the length of the list it appends.
func (f PatchList[D, E]) Insert(i int, e E) PatchOperation[D] {
	return f.at(write.PatchAdd, i, "Insert", e)
}

// ReplaceAt makes e the element at index i.
func (f PatchList[D, E]) ReplaceAt(i int, e E) PatchOperation[D] {
	return f.at(write.PatchReplace, i, "ReplaceAt", e)
}

// RemoveAt removes the element at index i; those behind it move down.
func (f PatchList[D, E]) RemoveAt(i int) PatchOperation[D] {
	path, err := f.element(i)
	return PatchOperation[D]{write.OperationOf(write.PatchOperation{Op: write.PatchRemove, Path: path}, "RemoveAt", err)}
}

// at returns the change that op makes with e of the element at index i.
func (f PatchList[D, E]) at(op string, i int, method string, e E) PatchOperation[D] {
	path, err := f.element(i)
	if err != nil {
		return PatchOperation[D]{write.OperationOf(write.PatchOperation{Path: path}, method, err)}
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
