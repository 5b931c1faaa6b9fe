package write

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Vectors are the properties of a type that have vectors. Cosmos DB takes a vector of
// another length, and does not index it, so that no search finds the document
// ("Vector search in Azure Cosmos DB for NoSQL").
type Vectors []Vector

// Vector is a property that has a vector.
type Vector struct {
	Property   string // its JSON pointer
	Dimensions int
}

// check returns an error for a vector of another length in the JSON of a document. A
// property that is null or absent has no vector.
func (all Vectors) check(body []byte) error {
	for _, v := range all {
		if err := v.judge(text.ValueAt(body, v.names())); err != nil {
			return err
		}
	}
	return nil
}

// checkOperation returns an error for an operation of a patch after which a vector has
// another length.
func (all Vectors) checkOperation(o PatchOperation) error {
	if len(all) == 0 {
		return nil
	}
	path := o.names() // of a removal there is no value, and nothing to judge
	for _, v := range all {
		names := v.names()
		common := min(len(path), len(names))
		if !slices.Equal(path[:common], names[:common]) {
			continue
		}
		if len(path) > len(names) && o.Op != PatchReplace && o.Op != PatchIncrement {
			return fmt.Errorf("it changes how many numbers the vector %s has: set the vector as a whole", v.Property)
		}
		if len(path) <= len(names) {
			if err := v.judge(text.ValueAt(o.Value, names[len(path):])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v Vector) names() []string { return PatchOperation{Path: v.Property}.names() }

// judge returns an error for a value that is not the vector.
func (v Vector) judge(value []byte) error {
	if len(value) == 0 || string(value) == "null" {
		return nil
	}
	n := text.Length(value)
	if n == v.Dimensions {
		return nil
	}
	is := fmt.Sprintf("has %d numbers", n)
	switch {
	case n < 0:
		is = "is not an array"
	case n == 1:
		is = "has one number"
	}
	return fmt.Errorf("property %q: the vector %s, and its tag says %d: Cosmos DB does not index such a vector, and no search finds the document. Store a vector of %[3]d numbers, or nil for none", v.Property, is, v.Dimensions)
}
