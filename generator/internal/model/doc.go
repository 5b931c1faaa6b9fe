// Package model makes the model of a document from its facts: what is rendered. It
// reports facts that do not fit together.
//
// A document first becomes the member of a container, among the other types there.
// Then the package makes its key from outlines, whether tags or a template give
// these, and then the rest of the model. Each step is a type that the next one
// takes.
//
// The package loads and writes nothing. Package property knows the properties of a
// document, and package keychange the keys of stored documents.
package model
