package facts

import "go/types"

// NumberType returns the Go type into which encoding/json reads the number that a type
// writes, with its size: "int64" for an int. It is "" if a type writes no number, for a
// json.Number, and if a method reads it.
func NumberType(t types.Type) string {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || basic.Info()&(types.IsInteger|types.IsFloat) == 0 || JSONKind(t) != "number" || ReadsJSON(t) {
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
	switch {
	case IsTime(t) || IsNamed(t, RepositoryPath, "Time"):
		return "string"
	case IsNamed(t, "encoding/json", "Number"):
		return "number"
	case HasMethod(t, "MarshalJSON"):
		return "any"
	case HasText(t):
		return "string"
	}
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Map:
		return "object"
	case *types.Array:
		return "array"
	case *types.Slice:
		if IsBytes(u) {
			return "string"
		}
		return "array"
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return "string"
		case info&types.IsBoolean != 0:
			return "boolean"
		case info&(types.IsInteger|types.IsFloat) != 0:
			return "number"
		}
	}
	return "any"
}
