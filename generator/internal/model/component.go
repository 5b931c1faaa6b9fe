package model

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/gotypes"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// component checks that a field may be in the key, and returns the component with the format and
// case of its tag. It returns false after an error.
func (d *subject) component(o operand, u use, format string, lower bool) (pk.Component, bool) {
	ref, pos, field := o.ref, o.pos, o.ref.Field()
	refuse := func(at token.Position, format string, args ...any) (pk.Component, bool) {
		d.Errorf(at, "field %s cannot be %s: %s", ref.Selector, u, fmt.Sprintf(format, args...))
		return pk.Component{}, false
	}
	if d.LaterKey(ref) || d.AliasKey(ref, "the key") || d.ComputedKey(ref, "the key") {
		return pk.Component{}, false
	}
	if !field.Exported() {
		return refuse(pos, "it is unexported, so encoding/json does not write it; export it and keep its JSON name")
	}
	value, reason := classify(field.Type(), u)
	if reason != "" {
		if _, syntax := d.Unit.SyntaxOf(field); syntax != nil && reason == unresolved {
			reason += d.Unit.Because(syntax.Type, "")
		}
		return refuse(pos, "%s", reason)
	}
	if reason := d.jsonProblem(ref, value, u); reason != "" {
		return refuse(d.JSONPosition(ref, pos), "%s", reason)
	}
	if reason := d.unasked(ref, u); reason != "" {
		return refuse(pos, "%s", reason)
	}
	if !annotations.CanName(ref.PropertyPath()) || u != natural && strings.Contains(ref.JSON.Name, ".") {
		return refuse(d.JSONPosition(ref, pos), "a layout cannot name its property %q; choose a JSON name of letters and digits", ref.PropertyPath())
	}
	if len(ref.Property) == 1 && slices.Contains(facts.SystemProperties, ref.JSON.Name) && ref.JSON.Name != facts.IDProperty {
		return refuse(pos, "its property %q belongs to the service, which changes it, and a key may never change; use another field", ref.JSON.Name)
	}
	nonZero := u == natural && value.Marshaled() && facts.EmptyZero(field.Type())
	if len(ref.Pointers) > 0 && value != pk.String && value != pk.Time && !nonZero {
		return refuse(pos, "the pointer %s leads to it, and if that is nil, its zero value would be used as a key; embed the struct by value, or use a string", ref.Pointers[0])
	}
	if at, reason := d.formatProblem(o, value, u, format, lower); reason != "" {
		return refuse(at, "%s", reason)
	}
	if reason := d.fineFormat(format); reason != "" {
		return refuse(o.formatPos, "%s", reason)
	}
	if reason := d.foldedHash(); lower && u == hashed && reason != "" {
		return refuse(o.lowerPos, "%s", reason)
	}
	if value == pk.Time && format != "" && !timelayout.FixedWidth(format) {
		d.Note(annotations.NoteUnpadded, o.formatPos, "the time "+ref.Selector+" has no zero padding, so keys do not sort by time, and no query over a range is generated: if no documents are stored yet, write 01, 02, 04 and 05")
	}
	rendered, ok := d.field(ref, value, pos)
	return pk.Component{Field: rendered, Layout: format, Lower: lower, NonZero: nonZero}, ok
}

// formatProblem returns why a component lacks a format, or why its type takes none, and where. The
// reason is "" if there is no problem.
func (d *subject) formatProblem(o operand, value pk.Value, u use, format string, lower bool) (at token.Position, reason string) {
	typ := o.ref.Field().Type()
	switch {
	case value == pk.Time && format == "" && u == placing:
		return o.pos, fmt.Sprintf("%s; write {%s|2006-01}, or year, day, or a Go layout", manyTexts(typ), o.ref.Selector)
	case value != pk.Time && format != "" && u == placing:
		return o.formatPos, fmt.Sprintf("it is of type %s, which has neither a zone nor periods, and %q is the format of a time; declare it as a time.Time or a repository.Time, or remove the format", d.TypeString(typ), format)
	case value == pk.Time && format == "" && u == rows:
		return o.pos, fmt.Sprintf("%s; write {%s|newest}, or {%[2]s|instant}, day, or a Go layout", manyTexts(typ), o.ref.Selector)
	case value == pk.Time && format == "" && d.Options.Offset("key") >= 0:
		notation := "{" + o.ref.Selector + "|day}"
		if u == hashed {
			notation = "{" + o.ref.Selector + "|day%400}"
		}
		return o.pos, fmt.Sprintf("%s; write %s, or year, month, hour, or a Go layout", manyTexts(typ), notation)
	case value == pk.Time && u == hashed && format == "":
		return o.pos, fmt.Sprintf("it is a %s, and \"hashsuffix\" has no format to write it by; hash a field that is its text, or write the key as a template, such as `_ struct{}` with `cosmos:\"key={…}.{%s|day%%400}\"`",
			timeName(typ), o.ref.Selector)
	case value == pk.Time && format == "":
		return o.pos, manyTexts(typ) + "; write \"format=day\" after it, or year, month, hour, or a Go layout"
	case value != pk.Time && format != "":
		return o.formatPos, fmt.Sprintf("it is of type %s, and \"format\" is for time.Time and repository.Time; remove it", d.TypeString(typ))
	case lower && value != pk.String:
		return o.lowerPos, fmt.Sprintf("it is of type %s, and \"lower\" is for strings; remove it", d.TypeString(typ))
	}
	return token.Position{}, ""
}

// timeName returns the type of a time: time.Time or repository.Time.
func timeName(t types.Type) string {
	if facts.IsInstant(t) {
		return "repository.Time"
	}
	return "time.Time"
}

// manyTexts returns why a time needs a format.
func manyTexts(t types.Type) string {
	if facts.IsInstant(t) {
		return "it is a repository.Time, whose text tells every instant apart"
	}
	return "it is a time.Time, which has many texts"
}

// field returns the rendered form of a field, and false after an error.
func (d *subject) field(ref *facts.FieldRef, value pk.Value, pos token.Position) (pk.Field, bool) {
	typ, reason := gotypes.Of(ref.Field().Type(), d.Unit.Types)
	if reason = cmp.Or(reason, d.Unnameable(ref)); reason != "" {
		d.Errorf(pos, "field %s cannot be named by generated code: %s; use a type that this package can import", ref.Selector, reason)
		return pk.Field{}, false
	}
	if d.API() == annotations.Mongo && facts.HasBSON(ref.Field().Type()) {
		d.Errorf(pos, "field %s is of type %s, which BSON has its own type for, but keys and ids are compared as texts: declare it as a string, or as a type with MarshalText and without MarshalBSONValue", ref.Selector, d.TypeString(ref.Field().Type()))
		return pk.Field{}, false
	}
	pointer := d.Pointer(ref)
	if pointer == "" && ref.Property != nil {
		d.Errorf(pos, "field %s is left out by the MongoDB driver, because of its bson tag or that of an enclosing struct: give it a name there", ref.Selector)
		return pk.Field{}, false
	}
	return pk.Field{
		Selector: ref.Selector,
		Pointers: ref.Pointers,
		Name:     ref.Name(),
		Property: ref.PropertyPath(),
		Pointer:  pointer,
		Hiding:   d.Hiding(ref),
		Type:     typ,
		Value:    value,
		Instant:  facts.IsInstant(ref.Field().Type()),
	}, true
}

// jsonProblem returns why the JSON of a key's field is unsuitable, or "".
func (d *subject) jsonProblem(ref *facts.FieldRef, value pk.Value, u use) string {
	switch {
	case ref.Property == nil:
		return d.Unwritten(ref)
	case slices.ContainsFunc(ref.Path[:len(ref.Path)-1], hiddenPointer):
		return "it is promoted from a pointer to an unexported struct, which encoding/json cannot fill; embed the struct by value"
	case ref.JSON.Quoted:
		return "the option \"string\" of its json tag writes it in quotes, so that property and key differ; remove the option, or declare the field as a string"
	}
	written := ref.JSON
	if d.API() == annotations.Mongo {
		written.OmitEmpty, written.OmitZero = d.OmitsBSON(ref), false
	}
	if !written.OmitEmpty && !written.OmitZero {
		return ""
	}
	basic, _ := ref.Field().Type().Underlying().(*types.Basic)
	empties := basic != nil && basic.Info()&(types.IsNumeric|types.IsBoolean) != 0
	switch {
	case value == pk.Time || value == pk.String, u == natural && value.Marshaled() && facts.EmptyZero(ref.Field().Type()):
		return "" // an empty value is refused before the request
	case written.OmitEmpty && empties, written.OmitZero && basic != nil && empties:
		return fmt.Sprintf("its zero value is a legal key, but %s would then leave the property out; remove the option", omission(written))
	case written.OmitZero:
		return "its zero value may be a legal key, but omitzero would then leave the property out; remove the option"
	}
	return ""
}

// hiddenPointer reports whether a field embeds an unexported type by pointer.
func hiddenPointer(v *types.Var) bool {
	_, ok := types.Unalias(v.Type()).(*types.Pointer)
	return ok && v.Embedded() && !v.Exported()
}

// omission returns the option that omits a property.
func omission(p facts.Property) string {
	if p.OmitEmpty {
		return "omitempty"
	}
	return "omitzero"
}

// unasked returns why a field whose property may be missing cannot be the key, or be hashed, or "":
// the service needs the property of a key, and queries need the property of a hashed field. A part
// of a key is allowed, since the run time writes that key.
func (d *subject) unasked(ref *facts.FieldRef, u use) string {
	by := d.Hiding(ref)
	if u == part || u == rows || by == "" {
		return ""
	}
	if u == placing {
		return fmt.Sprintf("%s writes its own JSON, so documents lack this property, which selects their container; keep it in a field of the document", by)
	}
	return fmt.Sprintf("%s writes its own JSON, so documents lack this property, which queries need; keep it in a field of the document", by)
}
