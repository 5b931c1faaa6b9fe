// Package cursor writes positions as text that a program can keep: with a version and a checksum,
// and encrypted if there is a key. It does not interpret positions.
package cursor
