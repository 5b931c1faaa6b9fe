package suggest

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often, here and in the go commands that tests
// start: they type-check much, and take a fifth less time.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		_ = os.Setenv("GOGC", "400")
	}
	m.Run()
}
