// Package work bounds the work of a query: it ends when its client leaves or its time is over,
// and it takes turns with other queries.
package work
