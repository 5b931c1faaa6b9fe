package jsontext

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Editor changes the value at one place in a JSON document.
type Editor struct {
	// Change is called with the old value, or nil if there is no value. It returns the
	// new value, or nil to remove the old one.
	Change func(old json.RawMessage) (json.RawMessage, error)
	// Inserts reports whether a new element is inserted before the element at its index.
	Inserts bool
	// Appends reports whether an element may be appended to an array.
	Appends bool
}

// Edit changes the value at a path of names and indexes in valid, canonical JSON. The objects
// and arrays along the path must exist.
func Edit(raw json.RawMessage, path []string, e Editor) (json.RawMessage, error) {
	switch raw[0] {
	case '{':
		return editObject(raw, path, e)
	case '[':
		return editArray(raw, path, e)
	}
	return nil, status.BadRequest("%s is neither in an object nor in an array", path[0])
}

func editObject(raw json.RawMessage, path []string, e Editor) (json.RawMessage, error) {
	list, err := Members(raw)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(p Member) bool { return p.Name == path[0] })
	var old json.RawMessage
	if i >= 0 {
		old = list[i].Raw
	}
	value, err := inner(old, path, e)
	switch {
	case err != nil:
		return nil, err
	case i < 0:
		list = append(list, Member{path[0], value})
	case value == nil:
		list = slices.Delete(list, i, i+1)
	default:
		list[i].Raw = value
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for _, p := range list {
		WriteMember(&b, p.Name, p.Raw)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func editArray(raw json.RawMessage, path []string, e Editor) (json.RawMessage, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, status.BadRequest("%v", err)
	}
	i, err := index(path, len(list), e)
	if err != nil {
		return nil, err
	}
	insert := i == len(list) || e.Inserts && len(path) == 1
	var old json.RawMessage
	if !insert {
		old = list[i]
	}
	value, err := inner(old, path, e)
	switch {
	case err != nil:
		return nil, err
	case insert:
		list = slices.Insert(list, i, value)
	case value == nil:
		list = slices.Delete(list, i, i+1)
	default:
		list[i] = value
	}
	return append(append(json.RawMessage{'['}, joined(list)...), ']'), nil
}

// inner returns the new value at the first step of path.
func inner(old json.RawMessage, path []string, e Editor) (json.RawMessage, error) {
	if len(path) == 1 {
		return e.Change(old)
	}
	if old == nil {
		return nil, status.BadRequest("the document has no %q on this path", path[0])
	}
	return Edit(old, path[1:], e)
}

// index reads the first step of path as an index of an array of n elements.
func index(path []string, n int, e Editor) (int, error) {
	appends := e.Appends && len(path) == 1
	if path[0] == "-" && appends {
		return n, nil
	}
	i, err := strconv.Atoi(path[0])
	if err != nil || strconv.Itoa(i) != path[0] || i < 0 {
		return 0, status.BadRequest("%q is not an index of an array", path[0])
	}
	if i > n || i == n && !appends {
		return 0, status.BadRequest("the index %d is beyond the end of the array, which has %d elements", i, n)
	}
	return i, nil
}

// joined writes values with commas between them.
func joined(list []json.RawMessage) []byte {
	var b []byte
	for i, raw := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, raw...)
	}
	return b
}
