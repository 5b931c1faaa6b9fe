// Package migration reads the documents of two containers while they move from one to the
// other, and moves all of them. Package write moves one document.
package migration
