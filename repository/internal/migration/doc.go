// Package migration reads the documents of two containers while they move from one to
// the other, and moves them all. How one document moves is known by package write.
package migration
