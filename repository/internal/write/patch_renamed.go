package write

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

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
