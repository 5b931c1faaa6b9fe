package repository

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Change is a change of documents of type D. The fields of a patch make it, such
// as VehicleEventPatch.Speed.Set(120), and [Documents.Patch] runs it. A change of
// another document type does not compile there.
//
// A Change is an immutable value: it may be used in several patches and from
// several goroutines. What is wrong with it, such as a NaN to set, is kept in it
// and returned by whatever runs it. The zero Change changes nothing.
//
// # Fields
//
// Generated code declares the fields: [PatchValue], [PatchNumber], [PatchList] and
// [PatchMap]. A field is a string, the JSON pointer of the property (RFC 6901),
// such as "/speed" or "/meta/speed". There is none for what makes the key, which
// the service refuses to change or which would leave the document under a key
// that is no longer its own.
//
// # What has to be there
//
// Set and Add create the property if it is not there, Increment and Decrement
// too. What holds it has to be there: the service makes no objects and no lists
// on the way. A nil pointer, map or slice is null in the document, or nothing at
// all, so set that first, in the same patch or an earlier one. Replace and Remove
// need the property itself. Else the service changes nothing and answers with
// status 400, and the message says which change it was.
type Change[D any] struct {
	operations []patchOperation
	err        error
}

// patchOperation is one operation of a patch, as the service reads it.
type patchOperation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

// The operations of a patch, from "Supported operations" on Microsoft's page
// "Partial document update in Azure Cosmos DB".
const (
	patchAdd       = "add"
	patchSet       = "set"
	patchReplace   = "replace"
	patchRemove    = "remove"
	patchIncrement = "incr"
)

// String returns c as the JSON of a request has it, for people to read. For a
// change that cannot be run it says why.
func (c Change[D]) String() string {
	if c.err != nil {
		return "invalid: " + c.err.Error()
	}
	texts := make([]string, len(c.operations))
	for i, o := range c.operations {
		data, err := json.Marshal(o)
		if err != nil {
			return "invalid: " + err.Error()
		}
		texts[i] = string(data)
	}
	return strings.Join(texts, ",")
}

// changeTo returns the change that op makes with v of what stands at path. Method
// is for errors.
func changeTo[D, V any](op, path, method string, v V) Change[D] {
	data, err := jsonOf(v)
	return changeOf[D](patchOperation{op, path, data}, method, err)
}

// removal returns the change that removes what stands at path.
func removal[D any](path string) Change[D] {
	return changeOf[D](patchOperation{Op: patchRemove, Path: path}, "Remove", nil)
}

// toNull returns the change that sets what stands at path to null.
func toNull[D any](path string) Change[D] {
	return changeOf[D](patchOperation{patchSet, path, json.RawMessage("null")}, "SetNull", nil)
}

// changeOf returns the change of one operation, or the one that says why there
// is none.
func changeOf[D any](o patchOperation, method string, err error) Change[D] {
	if err == nil {
		err = checkPath(o.Path)
	}
	if err != nil {
		c := Change[D]{err: fmt.Errorf("change of %q: %s: %w", o.Path, method, err)}
		if errors.Is(err, errBeyond) && o.Op != patchIncrement {
			c.operations = []patchOperation{o} // whoever runs it knows whether the field may have it
		}
		return c
	}
	return Change[D]{operations: []patchOperation{o}}
}

// checkPath refuses what is no JSON pointer.
func checkPath(path string) error {
	switch {
	case !strings.HasPrefix(path, "/"):
		return fmt.Errorf("the path is not a JSON pointer: it begins with a slash, as %q does", "/speed")
	case !text.WellEscaped(path):
		return errors.New("the path is not a JSON pointer: write ~0 for ~ and ~1 for / in a name")
	}
	return nil
}
