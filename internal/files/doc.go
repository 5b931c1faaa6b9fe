// Package files reads the files that pkgen works with, and says which of them are
// no files: a pipe or a device in the place of a source would be read for ever.
//
// It knows the operating system, and nothing of Go or of keys.
package files
