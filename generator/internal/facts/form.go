package facts

import "go/types"

// Form is how encoding/json writes the values of a type.
type Form int

// The forms.
const (
	Other       Form = iota // what an interface or a pointer holds, or no JSON
	Time                    // a time.Time
	Instant                 // a repository.Time
	Number                  // a json.Number, whose Go type is a string
	Text                    // a text, by MarshalText
	TextAndCode             // by MarshalJSON, of a type that has MarshalText as well
	Code                    // by MarshalJSON
	Object                  // a struct
	Map
	Array
	List
	Bytes // a slice of bytes, as text
	String
	Bool
	Int
	Uint
	Float
	Address // an uintptr, as a number
)

// FormOf returns the form of a type.
func FormOf(t types.Type) Form {
	text, code := HasText(t), HasMethod(t, "MarshalJSON")
	switch {
	case IsTime(t):
		return Time
	case IsInstant(t):
		return Instant
	case IsNamed(t, "encoding/json", "Number"):
		return Number
	case text && code:
		return TextAndCode
	case code:
		return Code
	case text:
		return Text
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return Object
	case *types.Map:
		return Map
	case *types.Array:
		return Array
	case *types.Slice:
		if IsBytes(u) {
			return Bytes
		}
		return List
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return String
		case info&types.IsBoolean != 0:
			return Bool
		case u.Kind() == types.Uintptr:
			return Address
		case info&types.IsUnsigned != 0:
			return Uint
		case info&types.IsInteger != 0:
			return Int
		case info&types.IsFloat != 0:
			return Float
		}
	}
	return Other
}

// OwnJSON reports whether a method of a type decides what encoding/json writes.
func OwnJSON(t types.Type) bool { return HasMethod(t, "MarshalJSON") || HasText(t) }

// NumberType returns the Go type into which encoding/json reads the number that a type
// writes, with its size: "int64" for an int. It is "" if a type writes no number, for a
// json.Number, and if a method reads it.
func NumberType(t types.Type) string {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsString != 0 || JSONKind(t) != "number" || ReadsJSON(t) {
		return ""
	}
	switch basic.Kind() {
	case types.Int:
		return "int64"
	case types.Uint, types.Uintptr:
		return "uint64"
	}
	return types.Typ[basic.Kind()].Name() // uint8 for a byte
}

// JSONKind returns the JSON type that encoding/json writes for a type: "any" if code
// decides it.
func JSONKind(t types.Type) string {
	switch FormOf(t) {
	case Time, Instant, Text, Bytes, String:
		return "string"
	case Number, Int, Uint, Float, Address:
		return "number"
	case Object, Map:
		return "object"
	case Array, List:
		return "array"
	case Bool:
		return "boolean"
	}
	return "any"
}

// IsString reports whether t is a string or a named one whose JSON is the
// string itself, or a json.Number.
func IsString(t types.Type) bool {
	form := FormOf(t)
	return form == String || form == Number
}

// IsBytes reports whether encoding/json writes a slice as text.
func IsBytes(slice *types.Slice) bool {
	elem := types.Unalias(slice.Elem())
	basic, ok := elem.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uint8 && !OwnJSON(elem)
}
