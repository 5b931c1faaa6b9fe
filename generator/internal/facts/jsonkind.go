package facts

import "go/types"

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
