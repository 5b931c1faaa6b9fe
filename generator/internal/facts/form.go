package facts

import (
	"go/token"
	"go/types"
)

// Form is how encoding/json writes the values of a type.
type Form int

// The forms.
const (
	Other       Form = iota // the content of an interface or a pointer, or no JSON
	Time                    // a time.Time
	Instant                 // a repository.Time
	Number                  // a json.Number, whose Go type is a string
	Text                    // a text, by MarshalText
	TextAndCode             // by MarshalJSON, of a type that also has MarshalText
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

// OwnJSON reports whether a method of a type determines its JSON.
func OwnJSON(t types.Type) bool { return HasMethod(t, "MarshalJSON") || HasText(t) }

// NumberType returns the Go type into which encoding/json reads the number that a type writes, with
// its size: "int64" for an int. It is "" if the type writes no number, for a json.Number, and if a
// method reads the number.
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

// JSONKind returns the JSON type that encoding/json writes for a type: "any" if code determines it.
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

// IsString reports whether the JSON of t is the string itself, named or not, or t is a json.Number.
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

// IsTime reports whether t is time.Time.
func IsTime(t types.Type) bool {
	return IsNamed(t, "time", "Time")
}

// IsInstant reports whether t is repository.Time.
func IsInstant(t types.Type) bool {
	return IsNamed(t, RepositoryPath, "Time")
}

// HasText reports whether a variable of type t is an encoding.TextMarshaler.
func HasText(t types.Type) bool { return HasMethod(t, "MarshalText") }

// HasMethod reports whether a variable of type t has a method with the signature of marshalers: no
// parameters, and bytes and an error as results.
func HasMethod(t types.Type, name string) bool { return marshals(t, true, name) }

// HasValueMethod is HasMethod for a value of type t, whose address cannot be taken.
func HasValueMethod(t types.Type, name string) bool { return marshals(t, false, name) }

// ReadsJSON reports whether a type has a method that reads its JSON.
func ReadsJSON(t types.Type) bool {
	return hasOne(t, "UnmarshalJSON") != ""
}

// TextUnmarshaler is encoding.TextUnmarshaler.
var TextUnmarshaler = types.NewInterfaceType([]*types.Func{
	types.NewFunc(token.NoPos, nil, "UnmarshalText", types.NewSignatureType(nil, nil, nil,
		types.NewTuple(types.NewVar(token.NoPos, nil, "text", types.NewSlice(types.Typ[types.Byte]))),
		types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Universe.Lookup("error").Type())), false)),
}, nil).Complete()

func marshals(t types.Type, addressable bool, name string) bool {
	object, _, _ := types.LookupFieldOrMethod(t, addressable, nil, name)
	method, ok := object.(*types.Func)
	if !ok {
		return false
	}
	signature := method.Signature()
	if signature.Params().Len() != 0 || signature.Results().Len() != 2 {
		return false
	}
	bytes, ok := signature.Results().At(0).Type().Underlying().(*types.Slice)
	return ok && types.Identical(bytes.Elem(), types.Typ[types.Byte]) &&
		types.Identical(signature.Results().At(1).Type(), types.Universe.Lookup("error").Type())
}

// EmptyZero reports whether the zero value of a type with a text form identifies nothing. This
// holds for structs and arrays, such as UUIDs. The zero value of an integer or a bool may be an
// ordinary value.
func EmptyZero(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// RepositoryPath is the package of the run time.
const RepositoryPath = "github.com/cosmos-pkgen/pkgen/repository"

// IsNamed reports whether t is the named type of a package.
func IsNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}

// Pointee returns the type that a pointer leads to, through any number of pointers, and any other
// type itself. Aliases are kept.
func Pointee(t types.Type) (elem types.Type, pointer bool) {
	for range maxDepth { // a type may point at itself
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t, pointer = p.Elem(), true
	}
	return t, pointer
}

// Origin returns the generic type of an instance, and any other type itself.
func Origin(t types.Type) types.Type {
	t = types.Unalias(t)
	if named, ok := t.(*types.Named); ok {
		return named.Origin()
	}
	return t
}

// KeyedByText reports whether encoding/json writes maps with these keys.
func KeyedByText(key types.Type) bool {
	basic, ok := key.Underlying().(*types.Basic)
	return HasText(key) || ok && basic.Info()&(types.IsString|types.IsInteger) != 0
}

// Dereference returns the element of an unnamed pointer type, and any other type itself.
func Dereference(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}

// maxDepth limits the depth of embedded structs, which may embed each other by pointers.
const maxDepth = 8
