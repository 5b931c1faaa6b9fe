// Package write stores, changes and removes documents: it makes their JSON, resends writes
// of unclear outcome, reads before writes that need it, and has patches, moves, bulk
// operations and transactions.
package write
