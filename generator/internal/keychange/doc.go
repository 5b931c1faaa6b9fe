// Package keychange compares the types of a run with the locks of their folders, and
// with those of the other packages of the module: a key that stored documents have
// may not change. It says what the locks are to hold, and which types are drafts.
//
// How a lock is read and written is known to package lock; nothing is written here.
package keychange
