// Package rekey moves the documents of a type from the keys of earlier bucket counts to
// their present keys: in passes over stored documents, or from the change feed. Package
// write moves one document.
package rekey
