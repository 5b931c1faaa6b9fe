// Package upgrade rewrites stored documents that have properties under former names, and
// counts those of earlier forms of their type, which only the program that has the type can
// rewrite. It knows types by their entries in the lock.
package upgrade
