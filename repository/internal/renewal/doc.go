// Package renewal stores outdated documents in the present form of their type, as reads
// return them: documents of a lower schema number, with a property under an alias, or
// without a property that an index needs. It makes the passes over a container and their
// summary. Package write stores one document.
package renewal
