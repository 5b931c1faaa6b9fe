// Package testgc is for tests that type-check much, here and in the go commands that they start,
// or have an emulator in their process: they take a fifth less time if garbage is collected less
// often.
package testgc

import (
	"os"
	"runtime/debug"
)

// Less has garbage collected when the heap has grown to five times what is in use, and
// not to twice, in this process and in those that it starts. The variable GOGC
// overrides it.
func Less() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		_ = os.Setenv("GOGC", "400")
	}
}
