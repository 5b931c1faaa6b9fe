package value

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
)

// AppendIdentity appends bytes that are equal for two values if and only if the values are the
// same for DISTINCT, GROUP BY and the set functions. Undefined is a separate value there: it
// forms one group, as the .NET SDK's tests against the service expect
// (CosmosUndefinedQueryTests).
func (v Value) AppendIdentity(dst []byte) []byte {
	dst = append(dst, byte(v.kind))
	switch v.kind {
	case Bool, Number:
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(v.num+0))
	case String:
		return appendText(dst, v.str)
	case Array:
		dst = binary.AppendUvarint(dst, uint64(len(v.comp.items)))
		for _, item := range v.comp.items {
			dst = item.AppendIdentity(dst)
		}
		return dst
	case Object:
		fields := v.comp.fields
		if !slices.IsSortedFunc(fields, byName) {
			fields = slices.SortedFunc(slices.Values(fields), byName)
		}
		dst = binary.AppendUvarint(dst, uint64(len(fields)))
		for _, f := range fields {
			dst = f.value.AppendIdentity(appendText(dst, f.name))
		}
		return dst
	default:
		return dst
	}
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func byName(a, b field) int { return strings.Compare(a.name, b.name) }

// Set is a set of values. The zero Set is empty.
type Set struct {
	seen   map[string]bool
	buffer []byte
}

// Add adds v to the set, and reports whether it was new.
func (s *Set) Add(v Value) bool {
	s.buffer = v.AppendIdentity(s.buffer[:0])
	if s.seen[string(s.buffer)] {
		return false
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[string(s.buffer)] = true
	return true
}

// Has reports whether v is in the set.
func (s *Set) Has(v Value) bool {
	s.buffer = v.AppendIdentity(s.buffer[:0])
	return s.seen[string(s.buffer)]
}

// Equal reports whether two sets hold the same values.
func (s *Set) Equal(other *Set) bool {
	return maps.Equal(s.seen, other.seen)
}

// KeyBytes returns the size of the key of the last added value.
func (s *Set) KeyBytes() int { return len(s.buffer) }
