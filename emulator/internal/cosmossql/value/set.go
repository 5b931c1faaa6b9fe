package cosmossql

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
)

// appendIdentity appends bytes that are equal for two values exactly if the values
// are the same for DISTINCT, GROUP BY and the set functions. Undefined is a value
// of its own there: it is one group, as the .NET SDK's tests against the service
// expect (CosmosUndefinedQueryTests).
func (v Value) appendIdentity(dst []byte) []byte {
	dst = append(dst, byte(v.kind))
	switch v.kind {
	case Bool, Number:
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(v.num+0))
	case String:
		return appendText(dst, v.str)
	case Array:
		dst = binary.AppendUvarint(dst, uint64(len(v.comp.items)))
		for _, item := range v.comp.items {
			dst = item.appendIdentity(dst)
		}
		return dst
	case Object:
		fields := v.comp.fields
		if !slices.IsSortedFunc(fields, byName) {
			fields = slices.SortedFunc(slices.Values(fields), byName)
		}
		dst = binary.AppendUvarint(dst, uint64(len(fields)))
		for _, f := range fields {
			dst = f.value.appendIdentity(appendText(dst, f.name))
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

// valueSet is a set of values. The zero valueSet is empty.
type valueSet struct {
	seen   map[string]bool
	buffer []byte
}

// add puts v into the set, and reports whether it is new there.
func (s *valueSet) add(v Value) bool {
	s.buffer = v.appendIdentity(s.buffer[:0])
	if s.seen[string(s.buffer)] {
		return false
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[string(s.buffer)] = true
	return true
}

// has reports whether v is in the set.
func (s *valueSet) has(v Value) bool {
	s.buffer = v.appendIdentity(s.buffer[:0])
	return s.seen[string(s.buffer)]
}

// equal reports whether two sets hold the same values.
func (s *valueSet) equal(other *valueSet) bool {
	return maps.Equal(s.seen, other.seen)
}

// keyBytes is the size of the key of the value that was added last.
func (s *valueSet) keyBytes() int { return len(s.buffer) }
