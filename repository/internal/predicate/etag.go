package predicate

import (
	"encoding/json"
	"slices"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// WithETag returns c for a document whose ETag before has become after: where c compares the
// ETag with the one before, it compares it with the one after.
func WithETag(c Condition, before, after string) Condition {
	switch c := c.(type) {
	case *Negation:
		return &Negation{WithETag(c.Term, before, after)}
	case *Junction:
		j := &Junction{Operator: c.Operator, Terms: make([]Condition, len(c.Terms))}
		for i, term := range c.Terms {
			j.Terms[i] = WithETag(term, before, after)
		}
		return j
	case *Comparison:
		if p, err := text.ParseField(c.Field); err != nil || p.Property != etagProperty {
			return c
		}
		other := *c
		other.Values = slices.Clone(c.Values)
		for i, value := range other.Values {
			other.Values[i] = withETag(value, before, after)
		}
		return &other
	}
	return c
}

var etagProperty = text.Property("/_etag")

// withETag returns a value, which is an ETag or a list of them.
func withETag(value json.RawMessage, before, after string) json.RawMessage {
	var list []json.RawMessage
	if len(value) > 0 && value[0] == '[' && json.Unmarshal(value, &list) == nil {
		for i := range list {
			list[i] = withETag(list[i], before, after)
		}
		all, err := json.Marshal(list)
		if err != nil {
			return value
		}
		return all
	}
	var tag string
	if json.Unmarshal(value, &tag) != nil || tag != before {
		return value
	}
	return json.RawMessage(text.Quote(after))
}
