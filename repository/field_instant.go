package repository

// Instant is a field of documents of type D that holds a [Time], or a pointer to
// one. The string is the property's JSON pointer, with a question mark before it
// if Go leaves the zero Time out; see [Predicate]. A field of type time.Time is
// [Opaque].
type Instant[D any] string

// Eq holds where the time is t.
func (f Instant[D]) Eq(t Time) Predicate[D] {
	return compareField[D](string(f), "Eq", "$ = @", t.IsZero(), t)
}

// Ne holds where there is a time other than t.
func (f Instant[D]) Ne(t Time) Predicate[D] { return different[D](string(f), t) }

// Lt holds where the time is before t.
func (f Instant[D]) Lt(t Time) Predicate[D] {
	return compareField[D](string(f), "Lt", "$ < @", Time{}.Compare(t) < 0, t)
}

// Le holds where the time is t or before it.
func (f Instant[D]) Le(t Time) Predicate[D] {
	return compareField[D](string(f), "Le", "$ <= @", Time{}.Compare(t) <= 0, t)
}

// Gt holds where the time is after t.
func (f Instant[D]) Gt(t Time) Predicate[D] {
	return compareField[D](string(f), "Gt", "$ > @", Time{}.Compare(t) > 0, t)
}

// Ge holds where the time is t or after it.
func (f Instant[D]) Ge(t Time) Predicate[D] {
	return compareField[D](string(f), "Ge", "$ >= @", Time{}.Compare(t) >= 0, t)
}

// Between holds where the time is from first to last, both included: nowhere if
// first is after last.
func (f Instant[D]) Between(first, last Time) Predicate[D] {
	zero := first.Compare(Time{}) <= 0 && Time{}.Compare(last) <= 0
	return compareField[D](string(f), "Between", "$ BETWEEN @ AND @", zero, first, last)
}

// In holds where the time is one of times, nowhere if there are none.
func (f Instant[D]) In(times ...Time) Predicate[D] { return among[D](string(f), times) }

// IsDefined holds where the property is present, even as null.
func (f Instant[D]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f Instant[D]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Asc sorts the earliest time first.
func (f Instant[D]) Asc() Order[D] { return Order[D]{field: string(f)} }

// Desc sorts the latest time first.
func (f Instant[D]) Desc() Order[D] { return Order[D]{field: string(f), descending: true} }
