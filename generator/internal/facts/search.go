package facts

import (
	"fmt"
	"go/types"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// Vector returns the policy of vectors that a tag gives to a property, without a path,
// nil for other tags. [Document.searchProperties] says what is wrong.
func (d *Document) Vector(p *Property) *templates.Vector {
	said := d.Said(p)
	if said.Dimensions == 0 {
		return nil
	}
	kind, _ := vectorElement(Dereference(p.Field().Type()))
	return &templates.Vector{DataType: kind, Metric: said.Metric, Index: said.Index, Dimensions: said.Dimensions}
}

// vectorElement returns the data type of a vector by its Go type, or why it cannot be one.
func vectorElement(t types.Type) (dataType, why string) {
	if OwnJSON(t) {
		return "", "its type writes JSON of its own; use a []float32, a []int8 or a [N]uint8"
	}
	var element types.Type
	array := false
	switch u := t.Underlying().(type) {
	case *types.Slice:
		element = u.Elem()
	case *types.Array:
		element, array = u.Elem(), true
	default:
		return "", "a vector is a list of numbers; use a []float32, a []float64, a []int8 or a [N]uint8"
	}
	basic, ok := element.Underlying().(*types.Basic)
	ok = ok && !OwnJSON(element)
	switch {
	case ok && (basic.Kind() == types.Float32 || basic.Kind() == types.Float64):
		return "float32", ""
	case ok && basic.Kind() == types.Int8:
		return "int8", ""
	case ok && basic.Kind() == types.Uint8 && array:
		return "uint8", ""
	case ok && basic.Kind() == types.Uint8:
		return "", "encoding/json writes a slice of bytes as text; use an array, [N]uint8"
	}
	return "", "its elements are not those of vectors; use float32, float64, int8, or an array of uint8"
}

// searchProperties checks the fields with vectors and full text.
func (d *Document) searchProperties() {
	for _, t := range d.Roles {
		word := "vector"
		if t.Dimensions == 0 {
			if word = "text"; t.Language == "" {
				continue
			}
		}
		pos, v := t.Word(word), t.Ref.Field()
		if t.Ref.Property == nil {
			d.Errorf(d.JSONPosition(t.Ref, pos), "field %s cannot have %q: %s", t.Ref.Selector, word, d.Unwritten(t.Ref))
			continue
		}
		elem, _ := Pointee(v.Type())
		if word == "text" {
			if !IsString(elem) || t.Ref.JSON.Quoted {
				d.Errorf(pos, "field %s is of type %s, and full text is a string: put \"text\" on a string, or remove it", t.Ref.Selector, d.TypeString(v.Type()))
			}
			continue
		}
		_, why := vectorElement(elem)
		if why == "" {
			if array, ok := elem.Underlying().(*types.Array); ok && array.Len() != int64(t.Dimensions) {
				why = fmt.Sprintf("the array has %d elements, and the tag says %d dimensions; write the same number", array.Len(), t.Dimensions)
			}
		}
		if why != "" {
			d.Errorf(pos, "field %s is of type %s, which cannot be a vector: %s", t.Ref.Selector, d.TypeString(v.Type()), why)
		}
	}
}
