// Package cursor writes positions as text that a program can keep: framed with a
// version and a checksum, and closed by a key if there is one. What a position says
// is up to the rooms that write it.
package cursor
