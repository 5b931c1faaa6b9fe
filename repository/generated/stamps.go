package generated

import "time"

// Stamps are the properties of documents that the run time sets with each write, by their
// JSON names; a name is empty if the type lacks the stamp. What a program puts into the
// fields is overwritten.
type Stamps[T any] struct {
	// Created is the time when the document was created, and Updated that of its last
	// write, as a repository.Time has them.
	Created, Updated string

	// Version is a number that is 1 in a new document, and grows by 1 with each write.
	Version string

	// Set sets the fields of a document to what is stored.
	Set func(doc *T, stamp Stamp)
}

// Stamp is what the stamps of a stored document are: zero where it lacks one.
type Stamp struct {
	Created, Updated time.Time
	Version          int64
}
