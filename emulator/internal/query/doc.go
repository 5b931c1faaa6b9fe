// Package query reads containers: pages of queries, of feeds, and of the change feed,
// with their continuation tokens.
//
// A [Reader] reads from the headers of a request which part of a container it covers and where
// a page begins, and whether the service's gateway serves the query. The caller charges the
// physical partition of the page, and then reads the page.
//
// It reads headers, but does not depend on a server. It changes nothing in the store.
package query
