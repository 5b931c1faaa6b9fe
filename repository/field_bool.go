package repository

// Bool is a field of documents of type D that holds a bool of type V, or a
// pointer to one. The string is the property's JSON pointer, with a question mark
// before it if Go leaves false out; see [Predicate].
type Bool[D any, V ~bool] string

// Eq holds where the value is v.
func (f Bool[D, V]) Eq(v V) Predicate[D] {
	return compareField[D](string(f), "Eq", "$ = @", !bool(v), v)
}

// Ne holds where there is a value other than v.
func (f Bool[D, V]) Ne(v V) Predicate[D] { return different[D](string(f), v) }

// IsDefined holds where the property is present, even as null.
func (f Bool[D, V]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f Bool[D, V]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Asc sorts false first.
func (f Bool[D, V]) Asc() Order[D] { return Order[D]{field: string(f)} }

// Desc sorts true first.
func (f Bool[D, V]) Desc() Order[D] { return Order[D]{field: string(f), descending: true} }
