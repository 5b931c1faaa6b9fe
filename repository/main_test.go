package repository_test

import (
	cmdline "flag"
	"os"
	"runtime/debug"
	"testing"
)

// TestMain runs more tests at once than there are processors, because parallel
// tests mostly wait for pauses between attempts. It also collects garbage less
// often: the emulators make much of it. The flag -parallel and the variable GOGC
// override both.
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
	m.Run()
}
