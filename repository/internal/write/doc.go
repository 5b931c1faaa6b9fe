// Package write stores, changes and removes documents: the JSON that is stored,
// writes that are sent again after unclear outcomes, looks at what is stored before a
// write, patches, moves, bulk operations and transactions.
package write
