// Package document has two types of documents that programs in several languages
// write and read: they find each other's documents only if they make the same
// partition keys.
package document

//go:generate go run ../../../../cmd/pkgen
