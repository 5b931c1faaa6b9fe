package repository

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// maxOperations is how many operations a patch may have ("Frequently asked
// questions about partial document update in Azure Cosmos DB").
const maxOperations = 10

// patch is what a request for a patch says, checked. Its JSON is the body of the
// request.
type patch struct {
	Condition  string           `json:"condition,omitempty"`
	Operations []patchOperation `json:"operations"`

	// once says that twice is not the same as once, so that the request must not be
	// repeated unless it is known to have had no effect.
	once bool

	// asked is the caller's part of the condition without its values, for errors.
	// Empty if there is none.
	asked string
}

// patchOf returns the patch that makes changes of a document for which ofType,
// which is SQL, and condition hold. Either may be missing: empty, nil. Integers in
// what is set must be exact.
func patchOf[D any](operations []PatchOperation[D], ofType string, condition *Predicate[D], exact *integers) (patch, error) {
	var p patch
	for _, c := range operations {
		if c.err != nil && !exact.acknowledged(c.operations) {
			return patch{}, c.err
		}
		for _, o := range c.operations {
			if err := exact.check(o.Value, o.names()...); err != nil {
				return patch{}, fmt.Errorf("operation on %q: %w", o.Path, err)
			}
		}
		p.Operations = append(p.Operations, c.operations...)
	}
	if condition == nil {
		return p.on(ofType, nil)
	}
	return p.on(ofType, condition.known())
}

// on returns p with its conditions, and checks it.
func (p patch) on(ofType string, asked condition) (patch, error) {
	switch n := len(p.Operations); {
	case n == 0:
		return patch{}, errors.New("there are no operations: pass at least one")
	case n > maxOperations:
		return patch{}, fmt.Errorf("there are %d operations, more than the %d of one patch: "+
			"make several patches, or read the document and replace it", n, maxOperations)
	}
	p.once = !repeatable(p.Operations)
	conditions := make([]string, 0, 2)
	if ofType != "" {
		conditions = append(conditions, "("+ofType+")")
	}
	if asked != nil {
		text, err := literal(asked)
		if err != nil {
			return patch{}, err
		}
		conditions = append(conditions, "("+text+")")
		p.asked = valueless(asked)
	}
	if len(conditions) > 0 {
		p.Condition = "from c where " + strings.Join(conditions, " AND ")
	}
	return p, nil
}

// size returns the number of bytes of the patch in a request.
func (p patch) size() (int, error) {
	body, err := json.Marshal(p)
	return len(body), err
}

// literal returns c as SQL in which its values stand, since the condition of a
// patch has no parameters. JSON text of a value is SQL text of it: both have the
// same escapes ("Constants" in Microsoft's reference of the query language).
func literal(c condition) (string, error) {
	w := sqlWriter{parameter: func(v json.RawMessage) string { return string(v) }}
	c.write(&w, false)
	return w.text.String(), w.err
}

// valueless returns c as SQL that has a question mark for each value.
func valueless(c condition) string {
	w := sqlWriter{parameter: func(json.RawMessage) string { return "?" }}
	c.write(&w, false)
	return w.text.String()
}

// repeatable reports whether operations that have taken effect leave the document
// as it is when they do so again.
func repeatable(operations []patchOperation) bool {
	for i, o := range operations {
		switch o.Op {
		case patchSet, patchAdd:
			// The name may be the index of an element, before which another goes.
			if name := o.Path[strings.LastIndexByte(o.Path, '/')+1:]; name == "-" || strings.Trim(name, "0123456789") == "" {
				return false
			}
		case patchReplace:
		default:
			return false
		}
		// What is set within something that is set later may not be there again.
		for _, later := range operations[i+1:] {
			if rest, within := strings.CutPrefix(o.Path, later.Path); within && strings.HasPrefix(rest, "/") {
				return false
			}
		}
	}
	return true
}

// errFraction is why azcosmos cannot send a patch: its AppendIncrement takes an
// int64.
var errFraction = errors.New("an increment is a fraction, or beyond the range of int64")

// sdk returns p in the terms of azcosmos, or errFraction.
func (p patch) sdk() (azcosmos.PatchOperations, error) {
	var all azcosmos.PatchOperations
	if p.Condition != "" {
		// azcosmos writes it between quotes as it is (MarshalJSON in
		// cosmos_patch_operations.go).
		quoted, err := json.Marshal(p.Condition)
		if err != nil {
			return azcosmos.PatchOperations{}, err
		}
		all.SetCondition(string(quoted[1 : len(quoted)-1]))
	}
	for _, o := range p.Operations {
		switch o.Op {
		case patchAdd:
			all.AppendAdd(o.Path, o.Value)
		case patchSet:
			all.AppendSet(o.Path, o.Value)
		case patchReplace:
			all.AppendReplace(o.Path, o.Value)
		case patchRemove:
			all.AppendRemove(o.Path)
		case patchIncrement:
			by, err := strconv.ParseInt(string(o.Value), 10, 64)
			if err != nil {
				return azcosmos.PatchOperations{}, errFraction
			}
			all.AppendIncrement(o.Path, by)
		}
	}
	return all, nil
}
