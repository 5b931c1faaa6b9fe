package cli

import (
	"os"
	"runtime/debug"
)

// GCPercent is the value of GOGC, the growth of the heap before a collection, in percent of the
// live heap. With 400 the first collection is at 16 MiB, so most runs have none, and a run over 500
// types takes a sixth less time. The emulator runs for long, and uses adaptGC.
const GCPercent = 400

// SetGCPercent sets GOGC to percent, unless the environment sets it.
func SetGCPercent(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
