// Package query reads containers: pages of queries, of feeds, and of the change feed,
// with their continuation tokens.
//
// A [Reader] finds out from the headers of a request which part of a container it
// concerns, where a page begins, and whether the service's gateway serves such a query.
// The caller lets the physical partition of the page pay, and then reads the page.
//
// It knows headers but no server, and changes nothing in the store.
package query
