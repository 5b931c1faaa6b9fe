package value

// Truth is the outcome of a condition: undefined, false or true.
type Truth uint8

// The truth values. Unknown is undefined.
const (
	Unknown Truth = iota
	False
	True
)

// TruthOf returns True or False.
func TruthOf(b bool) Truth {
	if b {
		return True
	}
	return False
}

// Value returns a truth value as true, false or undefined.
func (t Truth) Value() Value {
	switch t {
	case True:
		return trueValue
	case False:
		return falseValue
	default:
		return Value{}
	}
}

// Condition converts a value to a condition: all values but booleans are undefined.
func (v Value) Condition() Truth {
	if v.kind != Bool {
		return Unknown
	}
	return TruthOf(v.num != 0)
}

// Not swaps true and false.
func (t Truth) Not() Truth {
	switch t {
	case True:
		return False
	case False:
		return True
	default:
		return Unknown
	}
}

// And follows the tables of Microsoft's page "Logical operators".
func And(a, b Truth) Truth {
	switch {
	case a == False || b == False:
		return False
	case a == Unknown || b == Unknown:
		return Unknown
	default:
		return True
	}
}

// Or is true if one operand is.
func Or(a, b Truth) Truth { return And(a.Not(), b.Not()).Not() }
