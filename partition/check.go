package partition

// The limits of Cosmos DB, from Microsoft's page on service quotas
// (https://learn.microsoft.com/azure/cosmos-db/concepts-limits).
const (
	// MaxKeyBytes is the most UTF-8 bytes of a partition key value in a container of version 2.
	MaxKeyBytes = 2048

	// MaxIDBytes is the most UTF-8 bytes of an item id.
	MaxIDBytes = 1023
)

// KeyError reports a key that Cosmos DB would refuse, or that azcosmos would send as another
// key. It is returned before a request is sent. Retrying does not help.
type KeyError struct {
	// Type is the Go type of the document, or "" if unknown.
	Type string
	// Field is the Go field path of the component, or "" if the whole key is wrong.
	Field string
	// Reason is the fault and the remedy, as the predicate of Field. It does not contain the
	// value.
	Reason string
}

// Error returns "Type.Field: reason", without empty parts.
func (e *KeyError) Error() string {
	name := e.Type
	if e.Type != "" && e.Field != "" {
		name += "."
	}
	name += e.Field
	if name == "" {
		return e.Reason
	}
	return name + ": " + e.Reason
}

// Check returns the first problem of the components of one key as a [*KeyError], in the order
// of its arguments, or nil. typ is the name of the document's type, for the error.
//
// It does not allocate for a correct key, and is safe for concurrent use.
func Check(typ string, components ...Component) error {
	for i := range components {
		if c := &components[i]; c.reason != "" {
			return &KeyError{Type: typ, Field: c.field, Reason: c.reason}
		}
	}
	return nil
}
