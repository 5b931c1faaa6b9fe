package facts

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// aliases checks the names of properties in other releases.
func (d *Document) aliases() {
	names := make(map[string]*Tagged)
	for _, t := range d.Roles {
		all, word := t.Aliases(), t.AliasWord()
		if all == nil {
			continue
		}
		pos := t.At(t.ValueOffset(word))
		if !d.isProperty(t, pos, "have another name", fmt.Sprintf("put %q on the one that has another name", word)) {
			continue
		}
		if len(t.Ref.Property) > 1 {
			d.Errorf(pos, "field %s is within %q, and only a top-level property is read under two names: write %q on the whole, or copy it in the stored documents by a program", t.Ref.Selector, t.Ref.Property[0], word)
			continue
		}
		for _, name := range all {
			if other := names[t.Ref.Property[0]]; other != nil && name == other.Ref.Property[0] {
				continue // the conflict is reported there
			}
			if problem := d.alias(t, name, names); problem != "" {
				d.Errorf(pos, "field %s cannot be called %q in another release: %s", t.Ref.Selector, name, problem)
				names[name] = t
				break
			}
			names[name] = t
		}
	}
}

// isProperty reports whether a field is a property. If not, it reports at the position of a word
// that the field cannot have the word. Within is advice about the fields of an embedded struct, or
// "".
func (d *Document) isProperty(t *Tagged, pos token.Position, cannot, within string) bool {
	switch {
	case t.Ref.Property != nil:
		return true
	case within != "" && t.Ref.Field().Embedded():
		d.Errorf(pos, "field %s is embedded, and its fields are properties of the document: %s", t.Ref.Selector, within)
	default:
		d.Errorf(d.JSONPosition(t.Ref, pos), "field %s cannot %s: %s", t.Ref.Selector, cannot, d.Unwritten(t.Ref))
	}
	return false
}

// alias returns why a property cannot have a name in another release, or "". Names are the names
// checked before.
func (d *Document) alias(t *Tagged, name string, names map[string]*Tagged) string {
	if name == t.Ref.Property[0] {
		return fmt.Sprintf("this is its present name; write another one, or remove %q", t.AliasWord())
	}
	if slices.Contains(SystemProperties, name) || name[0] == '_' {
		return "this name belongs to the service or the run time, and every document has it; write the name of your own property"
	}
	if other := names[name]; other != nil {
		return "field " + other.Ref.Selector + " has this name as well, and a document has one value for both; remove it from one of them"
	}
	i := slices.IndexFunc(d.json, func(p Property) bool { return p.Name == name })
	if i < 0 {
		return ""
	}
	other := d.json[i]
	if slices.Contains(d.Said(&other).Aliases(), t.Ref.Property[0]) {
		return "field " + other.Field().Name() + " has this name now and is called \"" + t.Ref.Property[0] + "\" in another release, so documents cannot tell the two properties apart; give both new names"
	}
	return "field " + other.Field().Name() + " has this name now, so in documents the name belongs to that field; remove \"" + t.AliasWord() + "\", or give that field another name"
}

// AliasKey reports a component of the key, or of an order, that has several names in documents:
// keys and orders read only one.
func (d *Document) AliasKey(ref *FieldRef, what string) bool {
	for _, t := range d.Roles {
		if t.Aliases() != nil && len(t.Ref.Property) == 1 && len(ref.Property) > 0 && t.Ref.Property[0] == ref.Property[0] {
			d.Errorf(t.Word(t.AliasWord()), "field %s is in %s, which has one name for it: remove %q, and keep the name", ref.Selector, what, t.AliasWord())
			return true
		}
	}
	return false
}

// laterProperties checks the fields whose properties may be missing in stored documents.
func (d *Document) laterProperties() {
	for _, t := range d.Roles {
		if !t.Later {
			continue
		}
		pos, v := t.Word("later"), t.Ref.Field()
		if !d.isProperty(t, pos, "have come later", "put \"later\" on those that came later") {
			continue
		}
		if _, pointer := Pointee(v.Type()); pointer || types.IsInterface(v.Type()) {
			d.Errorf(pos, "field %s is nil if documents lack its property, and predicates cannot compare with nil: remove \"later\", and use IsDefined", t.Ref.Selector)
		}
	}
}

// LaterKey reports a component of the key that may be missing in stored documents.
func (d *Document) LaterKey(ref *FieldRef) bool {
	for _, t := range d.Roles {
		if t.Later && t.Ref.Same(ref) {
			d.Errorf(t.Word("later"), "field %s is in the key, and no document lacks a part of its key: remove \"later\"", ref.Selector)
			return true
		}
	}
	return false
}

// listProperties checks that lists tagged for conditions on elements are properties. Package
// property checks their types, and fields within structs.
func (d *Document) listProperties() {
	for _, t := range d.Roles {
		if t.Elements {
			d.isProperty(t, t.Word("elements"), "have \"elements\"", "put \"elements\" on the lists among them")
		}
	}
}

// Vector returns the vector policy of a property, without a path, or nil. It reports nothing;
// [Document.searchProperties] does.
func (d *Document) Vector(p *Property) *templates.Vector {
	said := d.Said(p)
	if said.Dimensions == 0 {
		return nil
	}
	kind, _ := vectorElement(Dereference(p.Field().Type()))
	if said.Float16 && kind == float32Type {
		kind = Float16Type
	}
	return &templates.Vector{
		DataType: kind, Metric: said.Metric, Index: said.Index, Dimensions: said.Dimensions,
		Quantizer: said.Quantizer, QuantizationBytes: said.QuantizationBytes, SearchList: said.SearchList,
	}
}

// ShardKey returns the shard key of the vector index of a struct's property, as names of a property
// in that struct, and whether there is one. Without names, the partition key is the shard key.
func (d *Document) ShardKey(in types.Type, p *Property) (names []string, sharded bool) {
	said := d.Said(p)
	strct, ok := in.Underlying().(*types.Struct)
	if said.ShardKey != "" && ok {
		if path, _, _ := FollowFrom(in, d.Unit.Types, strings.Split(said.ShardKey, ".")); path != nil {
			names, _ = jsonPath(JSONFields(strct), path)
		}
	}
	return names, said.Sharded
}

// Data types of vectors in policies.
const (
	float32Type = "float32"
	Float16Type = "float16"
)

// vectorElement returns the data type of a vector from its Go type, or why the type is not a
// vector.
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
		return float32Type, ""
	case ok && basic.Kind() == types.Int8:
		return "int8", ""
	case ok && basic.Kind() == types.Uint8 && array:
		return "uint8", ""
	case ok && basic.Kind() == types.Uint8:
		return "", "encoding/json writes a slice of bytes as text; use an array, [N]uint8"
	}
	return "", "its elements are not numbers of a vector; use float32, float64, int8, or an array of uint8"
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
		if !d.isProperty(t, pos, "have "+strconv.Quote(word), "") {
			continue
		}
		elem, _ := Pointee(v.Type())
		if word == "text" {
			if !IsString(elem) || t.Ref.JSON.Quoted {
				d.Errorf(pos, "field %s is of type %s, and full text is a string: put \"text\" on a string, or remove it", t.Ref.Selector, d.TypeString(v.Type()))
			}
			continue
		}
		kind, why := vectorElement(elem)
		if t.Float16 && why == "" && kind != float32Type {
			d.Errorf(t.Word("float16"), "field %s is of type %s, whose numbers have 8 bits already: use a []float32, or remove \"float16\"", t.Ref.Selector, d.TypeString(v.Type()))
		}
		d.shardKey(t)
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

// shardKey checks the field that divides the index of a vector.
func (d *Document) shardKey(t *Tagged) {
	if t.ShardKey == "" {
		return
	}
	pos := t.At(t.ValueOffset("shardkey"))
	ref := d.NamedField("shardkey", t.ShardKey, pos)
	if ref == nil {
		return
	}
	elem, _ := Pointee(ref.Field().Type())
	switch kind := JSONKind(elem); {
	case ref.Property == nil:
		d.Errorf(pos, "field %s is not in the document, so it cannot divide an index: name another field", ref.Selector)
	case kind == "object" || kind == "array" || kind == "any":
		d.Errorf(pos, "field %s is of type %s, and an index is divided by the values of a text, a number or a bool: name another field", ref.Selector, d.TypeString(ref.Field().Type()))
	case ref.Pointer() == "/"+IDProperty:
		d.Errorf(pos, "field %s is the id, so each document would have its own index: name a field that many documents share", ref.Selector)
	}
}
