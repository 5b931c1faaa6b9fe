// Package keychange compares the types of a run with the locks of their folders and of the other
// packages of the module, because the keys of stored documents must not change. It decides the
// content of the new locks, and which types are drafts.
//
// Package lock reads and formats locks. This package writes nothing.
package keychange
