package cosmossql

import "strings"

// Kind is the type of a value. The constants are in the service's sort order of types.
type Kind uint8

// The kinds of values. Undefined is the value of an absent property.
const (
	KindUndefined Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	return [...]string{"undefined", "null", "bool", "number", "string", "array", "object"}[k]
}

// Kinds is a set of kinds.
type Kinds uint8

// AnyKind has all kinds, except undefined.
const AnyKind = Kinds(1<<KindNull | 1<<KindBool | 1<<KindNumber | 1<<KindString | 1<<KindArray | 1<<KindObject)

// KindsOf returns the set of these kinds.
func KindsOf(kinds ...Kind) Kinds {
	var set Kinds
	for _, k := range kinds {
		set |= 1 << k
	}
	return set
}

// Has reports whether a kind is in the set.
func (s Kinds) Has(k Kind) bool { return s&(1<<k) != 0 }

// String lists the kinds, such as "number or string".
func (s Kinds) String() string {
	var names []string
	for k := range KindObject + 1 {
		if s.Has(k) {
			names = append(names, k.String())
		}
	}
	return strings.Join(names, " or ")
}
