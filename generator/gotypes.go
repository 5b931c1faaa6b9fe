package generator

import (
	"go/token"
	"go/types"
)

// isTime reports whether t is time.Time.
func isTime(t types.Type) bool {
	return isNamed(t, "time", "Time")
}

// isInstant reports whether t is repository.Time.
func isInstant(t types.Type) bool {
	return isNamed(t, repositoryPath, "Time")
}

// hasText reports whether a variable of type t is an encoding.TextMarshaler.
func hasText(t types.Type) bool { return hasMethod(t, "MarshalText") }

// hasMethod reports whether a variable of type t has a method of the name that
// takes nothing and returns bytes and an error, as the marshalers do.
func hasMethod(t types.Type, name string) bool { return marshals(t, true, name) }

// hasValueMethod reports whether a value of type t has it without its address.
func hasValueMethod(t types.Type, name string) bool { return marshals(t, false, name) }

// textUnmarshaler is encoding.TextUnmarshaler.
var textUnmarshaler = types.NewInterfaceType([]*types.Func{
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

// emptyZero reports whether the zero value of a type with a text form identifies
// nothing: that of a struct or an array, such as a UUID. That of an integer or a
// bool may be one of the values that there are.
func emptyZero(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// isString reports whether t is a string or a named one whose JSON is the
// string itself.
func isString(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0 && !hasText(t) && !hasMethod(t, "MarshalJSON")
}

// repositoryPath is the package of the run time.
const repositoryPath = "github.com/cosmos-pkgen/pkgen/repository"

// isNamed reports whether t is the type of that name.
func isNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}

// pointee returns what a pointer points at, however many times, and any other
// type itself. An alias stays one.
func pointee(t types.Type) (elem types.Type, pointer bool) {
	for range maxDepth { // a type may point at itself
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t, pointer = p.Elem(), true
	}
	return t, pointer
}

// origin returns the generic type of which t is an instance, and any other type
// itself.
func origin(t types.Type) types.Type {
	t = types.Unalias(t)
	if named, ok := t.(*types.Named); ok {
		return named.Origin()
	}
	return t
}

// keyedByText reports whether encoding/json writes maps with such keys.
func keyedByText(key types.Type) bool {
	basic, ok := key.Underlying().(*types.Basic)
	return hasText(key) || ok && basic.Info()&(types.IsString|types.IsInteger) != 0
}

// isBytes reports whether encoding/json writes a slice as text.
func isBytes(slice *types.Slice) bool {
	elem := types.Unalias(slice.Elem())
	basic, ok := elem.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uint8 && !hasMethod(elem, "MarshalJSON") && !hasText(elem)
}

// dereference returns what a pointer type without a name points at, and any
// other type itself.
func dereference(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}
