package write

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// A global secondary index has its partition key in one property of the source's documents.
// If that key has several components, the run time writes the property: in each write of a
// whole document, and in a patch that gives all components, alone or with the document's key.
// Unlike the partition key of the document itself, the property may change.

// Indexed are the properties of a type that the run time writes for indexes.
type Indexed []IndexProperty

// IndexProperty is a property made of others, for an index.
type IndexProperty struct {
	Index      string   // its name, for errors
	Property   string   // at the top level of the document
	Components []string // the JSON pointers of its components

	Set  func(doc any) error  // sets the field; the error is a *partition.KeyError
	Text func(doc any) string // returns the value of the field

	Fresh func() any        // returns a pointer to a new document
	Known func(key any) any // returns a document with the fields that the key gives
}

func (x *IndexProperty) path() string { return "/" + jsonpointer.Escape(x.Property) }

// Set sets the fields of doc for all indexes.
func (all Indexed) Set(doc any) error {
	for i := range all {
		if err := all[i].Set(doc); err != nil {
			return err
		}
	}
	return nil
}

// Named returns the property of an index, or nil.
func (all Indexed) Named(index string) *IndexProperty {
	for i := range all {
		if all[i].Index == index {
			return &all[i]
		}
	}
	return nil
}

// Missing returns the condition in SQL, on c, that a document lacks the property, so that
// the index does not have it.
func (x *IndexProperty) Missing() string {
	p := text.Property(x.path())
	return "NOT IS_DEFINED(" + p + ") OR IS_NULL(" + p + ")"
}

func (all Indexed) lacks(raw []byte) bool {
	return slices.ContainsFunc(all, func(x IndexProperty) bool {
		return isNull(text.Member(raw, x.Property))
	})
}

// Complete adds to p the operations that set the properties whose components it changes.
// Key is the key of the document, or nil if the patch may meet a document of another type;
// then no component may change. The error says why a patch cannot make the change, or is a
// *partition.KeyError.
func (all Indexed) Complete(p *Patch, key any, unmarshal func([]byte, any) error) error {
	own := p.Operations // the caller's operations
	for i := range all {
		x := &all[i]
		for _, o := range own {
			if o.Within(x.Property) {
				return fmt.Errorf("operation on %q: the property is written by the run time for the index %s: change what it is made of, %s, or use Update",
					o.Path, x.Index, strings.Join(x.Components, " and "))
			}
		}
		if !slices.ContainsFunc(own, x.touched) {
			continue
		}
		value, err := x.after(own, key, unmarshal)
		if err != nil {
			return err
		}
		p.Operations = append(p.Operations[:len(p.Operations):len(p.Operations)], PatchOperation{Op: PatchSet, Path: x.path(), Value: value})
		p.completed++
	}
	return nil
}

func (x *IndexProperty) touched(o PatchOperation) bool {
	return slices.ContainsFunc(x.Components, o.touches)
}

// touches reports whether the operation may change the value at a path.
func (o PatchOperation) touches(path string) bool {
	return jsonpointer.Contains(o.Path, path) || jsonpointer.Contains(path, o.Path)
}

// after returns the JSON of the property after operations on the document with this key.
func (x *IndexProperty) after(operations []PatchOperation, key any, unmarshal func([]byte, any) error) (json.RawMessage, error) {
	components := []byte("{}")
	known := x.known(key)
	for _, component := range x.Components {
		names := jsonpointer.Names(component)
		value, changed := setTo(operations, component)
		if !changed {
			value = text.ValueAt(known, names)
		}
		if key == nil || isNull(value) {
			return nil, x.untold(operations, component)
		}
		var err error
		if components, err = text.SetProperty(components, names, value); err != nil {
			return nil, err
		}
	}
	doc := x.Fresh()
	if err := unmarshal(components, doc); err != nil {
		return nil, fmt.Errorf("the properties of the index %s do not decode: %w", x.Index, err)
	}
	if err := x.Set(doc); err != nil {
		return nil, err
	}
	return json.Marshal(x.Text(doc))
}

// untold is the error for a component whose value is unknown.
func (x *IndexProperty) untold(operations []PatchOperation, component string) error {
	path := ""
	for _, o := range operations {
		if x.touched(o) {
			path = o.Path
		}
	}
	return fmt.Errorf("operation on %q: the property %s, which the run time writes for the index %s, is made of it, and the patch does not give %s: set all of %s in one patch, or use Update",
		path, x.Property, x.Index, component, strings.Join(x.Components, " and "))
}

// setTo returns the value that operations set at a path, or nil if it is unknown. Changed
// is false if they do not touch the path.
func setTo(operations []PatchOperation, path string) (value []byte, changed bool) {
	for _, o := range operations {
		if !o.touches(path) {
			continue
		}
		value, changed = nil, true
		if sets := o.Op == PatchSet || o.Op == PatchAdd || o.Op == PatchReplace; sets && jsonpointer.Contains(o.Path, path) {
			value = text.ValueAt(o.Value, jsonpointer.Names(path)[len(o.names()):])
		}
	}
	return value, changed
}

// known returns the JSON of the components that a key gives. A field with its zero value
// counts as not given.
func (x *IndexProperty) known(key any) []byte {
	if key == nil {
		return nil
	}
	told, err := jsonvalue.Marshal(x.Known(key))
	zero, failed := jsonvalue.Marshal(x.Fresh())
	if errors.Join(err, failed) != nil {
		return nil
	}
	known := []byte("{}")
	for _, component := range x.Components {
		names := jsonpointer.Names(component)
		value := text.ValueAt(told, names)
		if isNull(value) || string(value) == string(text.ValueAt(zero, names)) {
			continue
		}
		if known, err = text.SetProperty(known, names, value); err != nil {
			return nil
		}
	}
	return known
}

func isNull(value []byte) bool { return len(value) == 0 || string(value) == "null" }
