// Package upgrade rewrites stored documents that have properties under aliases, and counts those of
// earlier forms, which only a program with the type can rewrite. It knows types by their entries in
// the lock.
package upgrade
