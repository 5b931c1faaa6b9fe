// Package work bounds the work of a query: it ends with its client, and at a time, and it
// takes turns with other queries.
package work
