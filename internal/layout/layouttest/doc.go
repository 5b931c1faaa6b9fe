// Package layouttest has types of every sort of layout, with the code that pkgen
// writes for them. Tests compare the keys of that code with keys that are made from
// the documents' JSON.
package layouttest

//go:generate go run ../../../cmd/pkgen
