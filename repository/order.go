package repository

import "github.com/cosmos-pkgen/pkgen/repository/internal/text"

// Order names a property of documents of type D to sort by, and the direction.
// The methods Asc and Desc of fields make it.
//
// Documents sort as Cosmos DB sorts them: first those without the property, then
// null, false, true, numbers, and strings by their UTF-8 bytes. Desc is the
// reverse. A zero that Go leaves out sorts as an absent property, and so before
// negative numbers.
type Order[D any] struct {
	field      string
	descending bool
}

// String returns o as SQL has it after ORDER BY, for people to read. For an
// invalid order it says what is wrong.
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
