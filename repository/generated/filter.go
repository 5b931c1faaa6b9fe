package generated

import "time"

// Filter is a condition on a property of a query's documents.
type Filter struct {
	Property string // a JSON pointer, such as "/vin"
	Compare  string // the comparison with Value: "=", ">=" or "<"
	Value    any    // the property's value for encoding/json
	Fold     bool   // whether case is ignored

	// Time is the instant whose text is Value, in a filter of a range of time. An API that
	// stores times as times compares with it.
	Time time.Time
}

// Where restricts k to documents whose property has this value. The property is a JSON pointer.
// The logical partition may have other documents, such as those of every VIN in the same
// bucket.
func (k Keys) Where(property string, value any) Keys {
	return k.filter(Filter{Property: property, Compare: "=", Value: value})
}

// WhereFold is Where for a property that equals this text if case is ignored: the key has it in
// lower case, and the document as the program wrote it.
func (k Keys) WhereFold(property, text string) Keys {
	return k.filter(Filter{Property: property, Compare: "=", Value: text, Fold: true})
}

func (k Keys) filter(f Filter) Keys {
	k.filters = append(k.filters[:len(k.filters):len(k.filters)], f)
	return k
}

// Filters returns the filters of Where and WhereFold in order, and after Resolve also those of
// Within. The caller must not change them.
func (k Keys) Filters() []Filter { return k.filters }
