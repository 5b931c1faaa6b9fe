package serve

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// The growth of the emulator's heap before a collection. A small heap grows by a fixed size, so
// that few requests pay for a collection. A large one grows by less than the usual 100 percent,
// since its memory matters more: it is mostly the texts of documents, which a collection does not
// scan.
const (
	growth        = 48 << 20 // bytes
	growthPercent = 25       // of a large heap
)

// adaptGC adapts GOGC to the size of the heap after every collection, unless the environment sets
// it. It runs until the process ends.
func adaptGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	type sentinel struct{ _ *byte }
	var again func(*sentinel)
	again = func(s *sentinel) {
		metrics.Read(live)
		debug.SetGCPercent(gcPercentOf(live[0].Value.Uint64()))
		runtime.SetFinalizer(s, again)
	}
	again(&sentinel{})
}

// gcPercentOf returns GOGC for a live heap of a size in bytes.
func gcPercentOf(live uint64) int {
	return int(max(growthPercent, min(cli.GCPercent, growth*100/max(live, 1))))
}
