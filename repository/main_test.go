package repository_test

import (
	cmdline "flag"
	"os"
	"runtime/debug"
	"testing"
)

// TestMain runs more tests at once than there are processors, and collects
// garbage less often: most of the tests that run beside others wait most of the
// time, for pauses between attempts, and each makes emulators of its own. The
// flag -parallel and the variable GOGC go first.
func TestMain(m *testing.M) {
	cmdline.Parse()
	given := false
	cmdline.Visit(func(f *cmdline.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = cmdline.Set("test.parallel", "16")
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
