package generated

import "encoding/json"

// Schema is the property of documents that says by which form of T they were stored, and
// what makes documents of earlier forms those of the present one. What a program puts into
// the field is overwritten.
type Schema[T any] struct {
	// Property is the JSON name of the property, whose value is a whole number. A document
	// without it, or with null or 0 there, is of form 1.
	Property string

	// Number is that of the present form. Each write stores it.
	Number int

	// Upgrade makes a document of an earlier form one of the present form: it gets what
	// encoding/json has made of the stored document, with its aliases renamed, the
	// number of its form, and the stored document, which it may keep. It is nil if Number
	// is 1.
	Upgrade func(doc *T, from int, stored json.RawMessage) error

	// Next is the number of the form that the next release writes: this one reads it, and
	// writes no document that has it. It is 0 if there is none.
	Next int

	// Downgrade makes a document of form Next one of the present form, as Upgrade does with
	// those of earlier forms. It is nil if Next is 0.
	Downgrade func(doc *T, from int, stored json.RawMessage) error

	// SetNext sets the field of a document that was read to Next, and IsNext reports whether
	// it has been set so. Both are nil if Next is 0.
	SetNext func(doc *T)
	IsNext  func(doc *T) bool

	// Keep sets the fields of doc that the run time sets, its stamps and the time of its
	// deletion, to those of stored, which is the document as it was before. It is
	// nil if T has none, or there is neither Upgrade nor Downgrade.
	Keep func(doc, stored *T)

	// Set sets the field of a document to Number.
	Set func(doc *T)
}
