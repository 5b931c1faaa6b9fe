// Package older has the release before that of newer: it announces another form of documents,
// and another name of a property, reads both, and writes neither.
package older

//go:generate go run ../../compose older
//go:generate go run ../../../../cmd/pkgen
