// Package keychange compares the types of a run with the locks of their folders and
// of the other packages of the module, since a key that stored documents have must
// not change. It decides what the new locks say, and which types are drafts.
//
// Package lock knows how a lock is read and written. This package writes nothing.
package keychange
