package generated

import "encoding/json"

// Schema describes the stored number of a document's form, and the conversion of earlier forms
// to the present one. The run time overwrites the field.
type Schema[T any] struct {
	// Property is the JSON name of the property, a whole number. A document without it, or with
	// null or 0, has form 1.
	Property string

	// Number is the number of the present form, which each write stores.
	Number int

	// Upgrade converts a document of an earlier form to the present form. It gets the document
	// as encoding/json decoded it, with its aliases renamed, the number of its form, and the
	// stored document, which it may keep. It is nil if Number is 1.
	Upgrade func(doc *T, from int, stored json.RawMessage) error

	// Next is the number of the form that the next release writes: this release reads it, and
	// changes no document that has it. It is 0 if there is none.
	Next int

	// Downgrade converts a document of form Next to the present form, as Upgrade converts
	// earlier ones. It is nil if Next is 0.
	Downgrade func(doc *T, from int, stored json.RawMessage) error

	// SetNext sets the field of a document that was read to Next, and IsNext reports whether it
	// was set so. Both are nil if Next is 0.
	SetNext func(doc *T)
	IsNext  func(doc *T) bool

	// Keep sets the fields of doc that the run time sets, its stamps and the time of its
	// deletion, to those of stored, the unconverted document. It is nil if T has none, or there
	// is neither Upgrade nor Downgrade.
	Keep func(doc, stored *T)

	// Set sets the field of a document to Number.
	Set func(doc *T)
}
