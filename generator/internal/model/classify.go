package model

import (
	"go/types"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// unresolved is the reason for an undeclared type.
const unresolved = "its type cannot be resolved; correct it, or the import that it comes from"

// ValueOf returns the kind of a type whose value is the whole key. It returns String for a type
// that cannot be a key.
func ValueOf(t types.Type) pk.Value {
	value, _ := classify(t, natural)
	return value
}

// classify returns the kind of a type in a use, or why the type does not fit the use.
func classify(t types.Type, u use) (pk.Value, string) {
	t = types.Unalias(t)
	form := facts.FormOf(t)
	if form == facts.Time || form == facts.Instant {
		return pk.Time, ""
	}
	if reason := container(t); reason != "" {
		return 0, reason
	}
	switch form {
	case facts.Code:
		return 0, "its type has a MarshalJSON method, so the property in the document may differ from the key; use a type without one, or keep the key in a field of its own"
	case facts.Text, facts.TextAndCode:
		if !types.Comparable(t) {
			return 0, "its type has a text, but values cannot be compared, as keys are; use a comparable type, such as a string"
		}
		return textOf(t), ""
	case facts.String, facts.Number:
		return pk.String, ""
	case facts.Bool:
		return pk.Bool, ""
	case facts.Uint:
		return pk.Uint, ""
	case facts.Int:
		return pk.Int, ""
	case facts.Float:
		return classifyFloat(t, u)
	}
	switch basic, ok := t.Underlying().(*types.Basic); {
	case !ok:
		return 0, "it is a struct or an array without a MarshalText method; tag the fields of it that make the key, or give the type that method"
	case form == facts.Address || basic.Kind() == types.UnsafePointer:
		return 0, "it is an address; use an integer or a string"
	}
	return 0, "it is a complex number, which JSON does not have; use a string"
}

// textOf returns Text or TextPtr for a type with MarshalText.
func textOf(t types.Type) pk.Value {
	if facts.HasValueMethod(t, "MarshalText") {
		return pk.Text
	}
	return pk.TextPtr
}

// classifyFloat is classify for a float.
func classifyFloat(t types.Type, u use) (pk.Value, string) {
	switch {
	case u == natural && t.Underlying().(*types.Basic).Kind() == types.Float32:
		return 0, "it is a float32, which JSON writes with fewer digits than a request names the key by, such as 0.1 and 0.10000000149011612; use a float64"
	case u == natural:
		return pk.Float, ""
	case u == hashed:
		return 0, "it is a float, whose text differs between programs; hash an integer or a string"
	case u == placing:
		return 0, "it is a float, whose text differs between programs; use an integer or a string"
	}
	return 0, "it is a float, whose text differs between programs; use an integer or a string, or make it the natural key by \"pk\" alone"
}

// container returns why a type that contains or points to other types cannot be in a key.
func container(t types.Type) string {
	if _, ok := t.(*types.TypeParam); ok {
		return "its type is a type parameter; use a concrete type"
	}
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return "it is a pointer, and a nil has no text; use the type that it points at, where an empty value is refused before a request"
	case *types.Slice:
		return "it is a slice, which has no one text and cannot be compared; use a string"
	case *types.Map:
		return "it is a map, which has no one text and cannot be compared; use the fields that matter"
	case *types.Interface:
		return "it is an interface, whose text depends on what it holds; use a concrete type"
	case *types.Chan:
		return "it is a channel, which has no text; use a string"
	case *types.Signature:
		return "it is a function, which has no text; use a string"
	case *types.Tuple:
		return "it has no text"
	case *types.Basic:
		if t.Kind() == types.Invalid {
			return unresolved
		}
	}
	return ""
}
