package write

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// PatchOperations is operations that one call has made, and why they cannot be run.
type PatchOperations struct {
	Operations []PatchOperation
	Err        error
}

// PatchOperation is one operation of a patch, as the service reads it.
type PatchOperation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`

	// tidies says that the operation only removes a property after it was set, which
	// leaves the document as it is when done again.
	tidies bool
}

// The operations of a patch, from "Supported operations" on Microsoft's page
// "Partial document update in Azure Cosmos DB".
const (
	PatchAdd       = "add"
	PatchSet       = "set"
	PatchReplace   = "replace"
	PatchRemove    = "remove"
	PatchIncrement = "incr"
)

// Within reports whether the operation may change the property of a name.
func (o PatchOperation) Within(name string) bool {
	names := text.Names(o.Path)
	return len(names) > 0 && names[0] == name
}

// String returns c as PatchOperation.String does.
func (c PatchOperations) String() string {
	if c.Err != nil {
		return "invalid: " + c.Err.Error()
	}
	texts := make([]string, len(c.Operations))
	for i, o := range c.Operations {
		data, err := json.Marshal(o)
		if err != nil {
			return "invalid: " + err.Error()
		}
		texts[i] = string(data)
	}
	return strings.Join(texts, ",")
}

// NewPatchOperations returns the operation, or one that keeps the reason why there is no
// such operation.
func NewPatchOperations(o PatchOperation, method string, err error) PatchOperations {
	path, former := text.Renamed(o.Path)
	o.Path = path
	if err == nil {
		err = checkPath(o.Path)
	}
	all := []PatchOperation{o}
	if former != nil && (err == nil || errors.Is(err, predicate.ErrBeyondExact)) {
		var refused error
		if all, refused = renamed(o, former); refused != nil {
			err = refused
		}
	}
	if err == nil {
		return PatchOperations{Operations: all}
	}
	c := PatchOperations{Err: fmt.Errorf("operation on %q: %s: %w", o.Path, method, err)}
	if errors.Is(err, predicate.ErrBeyondExact) && o.Op != PatchIncrement {
		c.Operations = all // whoever runs it knows whether the field may have it
	}
	return c
}

// checkPath refuses what is no JSON pointer.
func checkPath(path string) error {
	switch {
	case !strings.HasPrefix(path, "/"):
		return fmt.Errorf("the path is not a JSON pointer: it begins with a slash, as %q does", "/speed")
	case !text.WellEscaped(path):
		return errors.New("the path is not a JSON pointer: write ~0 for ~ and ~1 for / in a name")
	case !utf8.ValidString(path):
		return errors.New("the path is not valid UTF-8, and names of properties are: correct the key of the map")
	}
	return nil
}

// A property that old documents have under another name is written under its own, and
// its former names are removed, so that no document has it twice. The service refuses to
// remove a property that is not there. So each former name is set and then removed, which the
// service does one after the other, in one step ("Partial document update in Azure Cosmos
// DB: supported operations"), and which needs no read.

// renamed returns the operations of o on such a property.
func renamed(o PatchOperation, former []string) ([]PatchOperation, error) {
	var all []PatchOperation
	switch {
	case strings.Count(o.Path, "/") > 1:
		return nil, errors.New("old documents have what holds this under another name, where a patch does not find it: set the whole property, or use Update")
	case o.Op == PatchSet || o.Op == PatchAdd:
		all = append(all, o)
	case o.Op == PatchRemove:
		all = append(all, removed(o.Path)...)
	default:
		return nil, errors.New("old documents have the property under another name, which a patch does not read: use Set or Update")
	}
	for _, name := range former {
		all = append(all, removed("/"+text.Escape(name))...)
	}
	return all, nil
}

// removed returns the operations that remove a property, whether it is there or not.
func removed(path string) []PatchOperation {
	return []PatchOperation{
		{Op: PatchSet, Path: path, Value: json.RawMessage("null")},
		{Op: PatchRemove, Path: path, tidies: true},
	}
}
