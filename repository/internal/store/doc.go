// Package store has a container and the documents of one type in it, without the Go types.
// Reads, writes, queries and change feeds share it. It decides whose a stored document is,
// decodes it, and reads it by its id and partition key.
package store
