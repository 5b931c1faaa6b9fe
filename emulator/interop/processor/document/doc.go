// Package document has the documents whose changes processors of two languages share.
package document

//go:generate go run ../../../../cmd/pkgen
