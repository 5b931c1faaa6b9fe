// Package model makes the model of a document, from which code is rendered, from its facts. It
// reports facts that contradict each other.
//
// A document first becomes the member of a container, among the other types there. Then the package
// makes its key from outlines, which come from tags or a template, and then the rest of the model.
// Each step is a type that the next one takes.
//
// The package loads and writes nothing. Package property handles the properties of a document, and
// package keychange the keys of stored documents.
package model
