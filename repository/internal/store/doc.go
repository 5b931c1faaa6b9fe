// Package store is a container and the documents of one type in it, whatever that
// type is: what reading, writing, queries and change feeds share. It knows whose a
// stored document is, decodes it, and reads it by its id and partition key.
package store
