// Package jsontext reads, rewrites and edits JSON texts without decoding them into Go
// values, so that members keep their order, and binary JSON as text.
package jsontext
