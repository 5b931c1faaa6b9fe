// Package renewal stores the documents of earlier releases in the present form of their
// type, as reads return them: those of a lower schema number, those that have a property under
// an alias, and those that lack a property which an index needs. It knows how often a container is read, what a run has done, and what
// is left; package write knows how one document is stored.
package renewal
