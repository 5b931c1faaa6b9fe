// Package upgrade rewrites stored documents that have properties under aliases, and
// counts those of earlier forms of their type, which only the program that has the type can
// rewrite. It knows types by their entries in the lock.
package upgrade
