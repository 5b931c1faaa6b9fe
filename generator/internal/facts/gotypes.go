package facts

import (
	"go/token"
	"go/types"
)

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

// HasMethod reports whether a variable of type t has a method of the name that
// takes nothing and returns bytes and an error, as the marshalers do.
func HasMethod(t types.Type, name string) bool { return marshals(t, true, name) }

// HasValueMethod reports whether a value of type t has such a method, not only its
// address.
func HasValueMethod(t types.Type, name string) bool { return marshals(t, false, name) }

// ReadsJSON reports whether a type has a method that reads its JSON.
func ReadsJSON(t types.Type) bool {
	object, _, _ := types.LookupFieldOrMethod(t, true, nil, "UnmarshalJSON")
	_, ok := object.(*types.Func)
	return ok
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

// EmptyZero reports whether the zero value of a type with a text form identifies
// nothing. It does for a struct or an array, such as a UUID. The zero value of an
// integer or a bool may be an ordinary value.
func EmptyZero(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// RepositoryPath is the package of the run time.
const RepositoryPath = "github.com/cosmos-pkgen/pkgen/repository"

// IsNamed reports whether t is the type of that name.
func IsNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}

// Pointee returns what a pointer points at, however many times, and any other
// type itself. An alias stays one.
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

// KeyedByText reports whether encoding/json writes maps with such keys.
func KeyedByText(key types.Type) bool {
	basic, ok := key.Underlying().(*types.Basic)
	return HasText(key) || ok && basic.Info()&(types.IsString|types.IsInteger) != 0
}

// Dereference returns what a pointer type without a name points at, and any
// other type itself.
func Dereference(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}

// maxDepth is how deep embedded structs are followed. Structs that embed each other
// by pointers have no end.
const maxDepth = 8
