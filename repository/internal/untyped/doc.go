// Package untyped reads and writes the documents of one type without the types of
// documents and keys, so that a program has this code once, and not for each document
// type. A document is passed as any, which holds a pointer to the document type.
package untyped
