package store

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// maxPatch is the maximum number of operations of a patch ("Partial document update in Azure
// Cosmos DB: FAQ").
const maxPatch = 10

// Patch is the body of a patch request. Its operations take effect one after another,
// all of them or none.
type Patch struct {
	condition  condition // nil, or what the document must match
	operations []patchOperation
}

// patchOperation is one operation of a patch. Microsoft's page "Partial document
// update in Azure Cosmos DB" describes them.
type patchOperation struct {
	kind  string
	path  []string
	from  []string // of a move
	value json.RawMessage
}

// condition reports whether a document matches.
type condition func(*Document) (bool, error)

// ParsePatch reads the body of a patch. parseCondition reads its condition, a text such
// as "from c where c.n = 1".
//
// A patch without a condition may be the bare array of its operations.
func ParsePatch(body []byte, parseCondition func(text string) (func(*Document) (bool, error), error)) (*Patch, error) {
	if bare := bytes.TrimLeft(body, " \t\r\n"); len(bare) > 0 && bare[0] == '[' {
		body = slices.Concat([]byte(`{"operations":`), bare, []byte("}"))
	}
	if _, err := jsontext.ParseObject(body); err != nil { // UTF-8, depth, and the range of numbers
		return nil, err
	}
	var b struct {
		Condition  *string `json:"condition"`
		Operations []struct {
			Op    string          `json:"op"`
			Path  *string         `json:"path"`
			From  *string         `json:"from"`
			Value json.RawMessage `json:"value"`
		} `json:"operations"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return nil, status.BadRequest(`The patch is invalid: %v. It is an object such as {"operations":[{"op":"set","path":"/name","value":1}]}.`, err)
	}
	if len(b.Operations) == 0 {
		return nil, status.BadRequest("The patch has no operations.")
	}
	if len(b.Operations) > maxPatch {
		return nil, status.BadRequest("The number of patch operations, %d, exceeds the limit of %d.", len(b.Operations), maxPatch)
	}
	p := &Patch{}
	for i, o := range b.Operations {
		op := patchOperation{kind: strings.ToLower(o.Op)}
		var err error
		if op.path, err = pointer(o.Path, i, "path"); err != nil {
			return nil, err
		}
		switch op.kind {
		case "add", "set", "replace", "incr":
			if o.Value == nil {
				return nil, status.BadRequest("Patch operation %d (%s %s) has no value.", i+1, o.Op, *o.Path)
			}
			if op.value, err = jsontext.Canonical(o.Value); err != nil {
				return nil, err
			}
		case "remove":
		case "move":
			if op.from, err = pointer(o.From, i, "from"); err != nil {
				return nil, err
			}
			if len(op.path) > len(op.from) && slices.Equal(op.path[:len(op.from)], op.from) {
				return nil, status.BadRequest("Patch operation %d moves %s into itself.", i+1, *o.From)
			}
		default:
			return nil, status.BadRequest("Patch operation %d is %q: it must be add, set, replace, remove, incr or move.", i+1, o.Op)
		}
		p.operations = append(p.operations, op)
	}
	if b.Condition != nil {
		var err error
		if p.condition, err = parseCondition(*b.Condition); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// pointer returns the names in a JSON pointer.
func pointer(text *string, i int, name string) ([]string, error) {
	if text == nil || !strings.HasPrefix(*text, "/") || *text == "/" {
		return nil, status.BadRequest("The %s of patch operation %d is invalid: it is a slash and a property name, for each level.", name, i+1)
	}
	return jsonpointer.Names(*text), nil
}

// patched returns the result of a patch of a stored document.
func (c *Container) patched(old *Document, p *Patch) (*Incoming, error) {
	if p.condition != nil {
		ok, err := p.condition(old)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, status.ConditionFailed()
		}
	}
	raw := json.RawMessage(old.Raw)
	var err error
	for i, o := range p.operations {
		if err = c.mayPatch(o.path); err == nil && o.from != nil {
			err = c.mayPatch(o.from)
		}
		if err == nil {
			raw, err = o.apply(raw)
		}
		if err != nil {
			return nil, status.BadRequest("Patch operation %d (%s /%s): %v", i+1, o.kind, strings.Join(o.path, "/"), err)
		}
	}
	if raw, err = jsontext.Canonical(raw); err != nil { // operations may have nested it deeper
		return nil, err
	}
	list, err := jsontext.Members(raw)
	if err != nil {
		return nil, err
	}
	return c.checkDocument(list, old.Key)
}

// mayPatch refuses paths to the id, to the partition key, and to properties that the
// service sets.
func (c *Container) mayPatch(path []string) error {
	if path[0] == "id" || slices.Contains(systemProperties, path[0]) {
		return status.BadRequest("the property %s cannot be patched", path[0])
	}
	for i, key := range c.Paths {
		common := min(len(path), len(key))
		if slices.Equal(path[:common], key[:common]) {
			return status.BadRequest("the partition key %s cannot be patched", c.key.Paths[i])
		}
	}
	return nil
}

// apply runs one operation on a JSON document.
func (o patchOperation) apply(raw json.RawMessage) (json.RawMessage, error) {
	if o.kind != "move" {
		return jsontext.Edit(raw, o.path, o.editor())
	}
	var moved json.RawMessage
	take := func(old json.RawMessage) (json.RawMessage, error) {
		if old == nil {
			return nil, status.BadRequest("there is nothing at /%s", strings.Join(o.from, "/"))
		}
		moved = old
		return nil, nil
	}
	raw, err := jsontext.Edit(raw, o.from, jsontext.Editor{Change: take})
	if err != nil {
		return nil, err
	}
	return jsontext.Edit(raw, o.path, patchOperation{kind: "add", value: moved}.editor())
}

// editor returns the change that an operation makes to the value at its path.
func (o patchOperation) editor() jsontext.Editor {
	value := func(json.RawMessage) (json.RawMessage, error) { return o.value, nil }
	existing := func(change func(json.RawMessage) (json.RawMessage, error)) jsontext.Editor {
		return jsontext.Editor{Change: func(old json.RawMessage) (json.RawMessage, error) {
			if old == nil {
				return nil, status.BadRequest("there is nothing at this path")
			}
			return change(old)
		}}
	}
	switch o.kind {
	case "add":
		return jsontext.Editor{Change: value, Inserts: true, Appends: true}
	case "set":
		return jsontext.Editor{Change: value, Appends: true}
	case "replace":
		return existing(value)
	case "remove":
		return existing(func(json.RawMessage) (json.RawMessage, error) { return nil, nil })
	}
	return jsontext.Editor{Change: o.increment, Appends: true}
}

// increment adds the value of an operation to a number; a missing number is 0.
func (o patchOperation) increment(old json.RawMessage) (json.RawMessage, error) {
	sum, err := number(o.value)
	if err != nil {
		return nil, status.BadRequest("the value is not a number")
	}
	if old != nil {
		was, err := number(old)
		if err != nil {
			return nil, status.BadRequest("there is no number at this path")
		}
		sum += was
	}
	if math.IsInf(sum, 0) {
		return nil, status.BadRequest("the sum is out of the range of a 64-bit floating point number")
	}
	return jsontext.AppendNumber(nil, sum), nil
}

// number reads a JSON number.
func number(raw json.RawMessage) (float64, error) {
	if string(raw) == "null" { // Unmarshal would ignore it
		return 0, errNotScalar
	}
	var n float64
	err := json.Unmarshal(raw, &n)
	return n, err
}
