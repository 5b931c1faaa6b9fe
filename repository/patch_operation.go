package repository

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// PatchOperation changes documents of type D. The fields of a patch make it, such
// as VehicleEventPatch.Speed.Set(120), and [Documents.Patch] runs it. An operation
// on another document type does not compile there.
//
// A PatchOperation is an immutable value: several patches and goroutines may use it.
// It keeps what is wrong with it, such as a NaN to set, and the method that runs it
// returns that error. The zero PatchOperation changes nothing.
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
// status 400, and the message says which operation it was.
type PatchOperation[D any] struct {
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

// String returns c as the JSON of a request has it, for people to read. For an
// operation that cannot be run it says why.
func (c PatchOperation[D]) String() string {
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
func changeTo[D, V any](op, path, method string, v V) PatchOperation[D] {
	data, err := jsonOf(v)
	return operationOf[D](patchOperation{op, path, data}, method, err)
}

// removal returns the change that removes what stands at path.
func removal[D any](path string) PatchOperation[D] {
	return operationOf[D](patchOperation{Op: patchRemove, Path: path}, "Remove", nil)
}

// toNull returns the operation that sets the value at path to null.
func toNull[D any](path string) PatchOperation[D] {
	return operationOf[D](patchOperation{patchSet, path, json.RawMessage("null")}, "SetNull", nil)
}

// operationOf returns the operation, or one that keeps the reason why there is no
// such operation.
func operationOf[D any](o patchOperation, method string, err error) PatchOperation[D] {
	if err == nil {
		err = checkPath(o.Path)
	}
	if err != nil {
		c := PatchOperation[D]{err: fmt.Errorf("operation on %q: %s: %w", o.Path, method, err)}
		if errors.Is(err, errBeyond) && o.Op != patchIncrement {
			c.operations = []patchOperation{o} // whoever runs it knows whether the field may have it
		}
		return c
	}
	return PatchOperation[D]{operations: []patchOperation{o}}
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
