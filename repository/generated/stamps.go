package generated

import "time"

// Stamps are the JSON names of the properties that the run time sets with each write; a name is
// empty if the type lacks the stamp. The run time overwrites the fields.
type Stamps[T any] struct {
	// Created is the time of the document's creation, and Updated that of its last write, in
	// the form of a repository.Time.
	Created, Updated string

	// Version is a number that is 1 in a new document, and grows by 1 with each write.
	Version string

	// Set sets the fields of a document to the stored values.
	Set func(doc *T, stamp Stamp)
}

// Stamp has the stamps of a stored document, zero if it lacks one.
type Stamp struct {
	Created, Updated time.Time
	Version          int64
}
