package layout

// Problem is a sort of reason why a document has no key.
type Problem int

// The problems.
const (
	// NotObject is a text that is not one JSON object.
	NotObject Problem = iota + 1
	// Missing is a property that the document lacks.
	Missing
	// OtherType is a property of another JSON type than the layout needs.
	OtherType
	// Refused is a value that no key may have, and that generated code refuses before
	// a request: an empty text, a control character, an id of "..", a key that is too
	// long.
	Refused
	// OnlyInGo is a value whose text is made by a method of its Go type, and that the
	// document does not have as text.
	OnlyInGo
	// NoSuffix is a document without a random suffix, which cannot be computed.
	NoSuffix
)

// String returns the problem as one word: "missing".
func (p Problem) String() string {
	return [...]string{"none", "not-object", "missing", "other-type", "refused", "only-in-go", "no-suffix"}[p]
}

// Error says why a document has no key. It holds no value of the document, except for
// single characters that a key cannot hold.
type Error struct {
	// Type is the Go name of the type, or "" of a candidate without one.
	Type string
	// Property is the name of the property, as layouts name it, or "" if the key or the
	// document as a whole is wrong.
	Property string
	Problem  Problem
	// Reason is the predicate of Property, or a sentence without one, and says what to
	// do.
	Reason string
}

// Error returns "type T: property p is …", without what is empty.
func (e *Error) Error() string {
	text := e.Reason
	if e.Property != "" {
		text = "property " + e.Property + " " + text
	}
	if e.Type != "" {
		text = "type " + e.Type + ": " + text
	}
	return text
}
