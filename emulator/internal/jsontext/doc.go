// Package jsontext reads, rewrites and edits JSON texts without decoding them into Go
// values, so that members keep their order.
package jsontext
