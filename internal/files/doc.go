// Package files reads and replaces the files that pkgen works with. It says which
// of them are no files: a pipe or a device in the place of a source would be read
// for ever. It replaces several files at once, so that a run which fails leaves
// all of them as they were.
//
// It knows the operating system, and nothing of Go or of keys.
package files
