package partition

// The limits of Cosmos DB, from Microsoft's page on service quotas
// (https://learn.microsoft.com/azure/cosmos-db/concepts-limits).
const (
	// MaxKeyBytes is the length in UTF-8 bytes that a partition key value may
	// have in a container of version 2.
	MaxKeyBytes = 2048

	// MaxIDBytes is the length in UTF-8 bytes that an item id may have.
	MaxIDBytes = 1023
)

// KeyError is a key that Cosmos DB would refuse, or that azcosmos would send as
// another key. It is returned before a request is sent: the program still has the
// value, and to try again does not help.
type KeyError struct {
	// Type is the Go type of the document, or "" if it is not known.
	Type string
	// Field is the Go field path of the component, or "" if the key as a whole is
	// wrong.
	Field string
	// Reason says what is wrong and what to do, as the predicate of Field. It does
	// not contain the value.
	Reason string
}

// Error returns "Type.Field: reason", without the parts that are empty.
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

// Check returns the first problem of the components of one key as a
// [*KeyError], in the order of its arguments, or nil if there is no problem. typ
// is the name of the document's type, for the error.
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
