// Package untyped reads and writes the documents of one type without the Go types of
// documents and keys, so that a program contains this code once, not once for each document
// type. A document is an any that holds a pointer to the document type.
package untyped
