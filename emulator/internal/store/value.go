package store

import "github.com/cosmos-pkgen/pkgen/emulator/internal/cosmossql/value"

// DecodeValue reads JSON for queries. It keeps raw.
func DecodeValue(raw []byte) (value.Value, error) { return value.Decode(raw) }

// valueAt follows a path of property names.
func valueAt(v value.Value, path []string) value.Value {
	for _, name := range path {
		v = v.Get(name)
	}
	return v
}

// sameAt reports whether two documents have equal values at all of the paths.
func sameAt(a, b value.Value, paths [][]string) bool {
	for _, path := range paths {
		if !value.Equal(valueAt(a, path), valueAt(b, path)) {
			return false
		}
	}
	return true
}
