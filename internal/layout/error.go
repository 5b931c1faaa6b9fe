package layout

// Problem is a class of reasons why a document has no key.
type Problem int

// The problems.
const (
	// NotObject means that the text is not one JSON object.
	NotObject Problem = iota + 1
	// Missing means that the document lacks a property.
	Missing
	// OtherType means that a property has another JSON type than the layout needs.
	OtherType
	// Refused means that generated code refuses the value before a request: an empty text, a control
	// character, an id of "..", a key that is too long.
	Refused
	// OnlyInGo means that a method of a Go type makes the text, and the document does not contain it.
	OnlyInGo
	// NoSuffix means that the document has no random suffix, which cannot be computed.
	NoSuffix
)

// String returns the problem as one word: "missing".
func (p Problem) String() string {
	return [...]string{"none", "not-object", "missing", "other-type", "refused", "only-in-go", "no-suffix"}[p]
}

// Error says why a document has no key. It contains no value of the document, except for single
// characters that a key cannot contain.
type Error struct {
	// Type is the Go name of the type, or "" for a candidate without one.
	Type string
	// Property is the name of the property in layouts, or "" if the problem is the key or the
	// document as a whole.
	Property string
	Problem  Problem
	// Reason is the predicate of Property, or a sentence without one, with advice.
	Reason string
}

// Error returns "type T: property p is …", without empty parts.
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
