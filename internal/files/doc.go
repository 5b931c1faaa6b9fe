// Package files reads and replaces the files that pkgen works with. It rejects pipes and devices,
// which would block a read for ever. It replaces several files at once, so that a failed run
// changes none of them.
//
// It depends on the operating system, and not on Go or on keys.
package files
