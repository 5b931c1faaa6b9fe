// Package testgc reduces garbage collection in tests that type-check much, in this process or in go
// commands, or that run an emulator in this process. They take a fifth less time.
package testgc

import (
	"os"
	"runtime/debug"
)

// Less lets the heap grow to five times the live heap before a collection, instead of twice, in
// this process and its children. The variable GOGC overrides it.
func Less() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		_ = os.Setenv("GOGC", "400")
	}
}
