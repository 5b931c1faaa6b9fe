package cosmossql

// truth is the outcome of a condition: undefined, false or true.
type truth uint8

const (
	isUndefined truth = iota
	isFalse
	isTrue
)

func truthOf(b bool) truth {
	if b {
		return isTrue
	}
	return isFalse
}

func (t truth) value() Value {
	switch t {
	case isTrue:
		return trueValue
	case isFalse:
		return falseValue
	default:
		return Value{}
	}
}

// condition reads a value as a condition: all but booleans are undefined.
func (v Value) condition() truth {
	if v.kind != Bool {
		return isUndefined
	}
	return truthOf(v.num != 0)
}

// not swaps true and false.
func (t truth) not() truth {
	switch t {
	case isTrue:
		return isFalse
	case isFalse:
		return isTrue
	default:
		return isUndefined
	}
}

// and and or follow the tables of Microsoft's page "Logical operators".
func and(a, b truth) truth {
	switch {
	case a == isFalse || b == isFalse:
		return isFalse
	case a == isUndefined || b == isUndefined:
		return isUndefined
	default:
		return isTrue
	}
}

func or(a, b truth) truth { return and(a.not(), b.not()).not() }
