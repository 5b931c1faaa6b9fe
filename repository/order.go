package repository

import "github.com/cosmos-pkgen/pkgen/repository/internal/text"

// Order says by which property of documents of type D to sort, and which way.
// The methods Asc and Desc of fields make it.
//
// Documents sort as Cosmos DB does it: those without the property first, then
// null, false, true, numbers, strings by their UTF-8 bytes, and Desc the other
// way round. A property that Go leaves out when it is zero is such an absent
// one: among negative numbers its documents do not stand where 0 would.
type Order[D any] struct {
	field      string
	descending bool
}

// String returns o as it would stand behind ORDER BY, for people to read. For an
// order that cannot be run it says why.
func (o Order[D]) String() string {
	p, err := text.ParseField(o.field)
	switch {
	case err != nil:
		return "invalid: " + err.Error()
	case o.descending:
		return p.Property + " DESC"
	default:
		return p.Property + " ASC"
	}
}
