// Package model makes of the facts of a document what is rendered, and reports
// what does not go together.
//
// A document becomes the member of a container, among the other types there. Then
// its key is made of outlines, which tags and templates give alike, and the rest of
// the model after the key. Each step is a type that the next one takes.
//
// It does not load or write anything, and does not know what keys stored documents
// have; package keychange does.
package model
