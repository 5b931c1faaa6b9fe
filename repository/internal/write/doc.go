// Package write stores, changes and removes documents: their stored JSON, resending after
// unclear outcomes, reads before writes, patches, moves, bulk operations and transactions.
package write
