package generated

// Filter is a property that the documents of a query have to have.
type Filter struct {
	Property string // JSON pointer, such as "/vin"
	Compare  string // how it compares with Value: "=", ">=" or "<"
	Value    any    // what encoding/json writes as the property's value
	Fold     bool   // whether upper and lower case are the same
}

// Where returns k for the documents alone whose property, given as a JSON
// pointer, has this value. A logical partition may hold others: those of every
// VIN that has the same bucket.
func (k Keys) Where(property string, value any) Keys {
	return k.filter(Filter{Property: property, Compare: "=", Value: value})
}

// WhereFold is Where for a property that is this text but for upper and lower
// case: one that is in lower case in the key and as it was in the document.
func (k Keys) WhereFold(property, text string) Keys {
	return k.filter(Filter{Property: property, Compare: "=", Value: text, Fold: true})
}

func (k Keys) filter(f Filter) Keys {
	k.filters = append(k.filters[:len(k.filters):len(k.filters)], f)
	return k
}

// Filters returns what Where and WhereFold have added, in order, and after
// Resolve what Within has. The caller does not change it.
func (k Keys) Filters() []Filter { return k.filters }
