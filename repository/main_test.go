package repository_test

import (
	cmdline "flag"
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

// idle are the goroutines that a test may leave: those of connections and of servers
// that others use.
var idle = []goleak.Option{
	goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"),
	goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"),
	goleak.IgnoreTopFunction("internal/poll.runtime_pollWait"),
	goleak.IgnoreAnyFunction("net/http.(*conn).serve"),
	goleak.IgnoreAnyFunction("net/http.(*Server).Serve"),
	goleak.IgnoreAnyFunction("testing.(*T).Run"),
}

// TestMain runs more tests at once than there are processors, because parallel
// tests mostly wait for pauses between attempts. It also collects garbage less
// often: the emulators make much of it. The flag -parallel and the variable GOGC
// override both. In the end it finds goroutines that tests left running: a
// parallel test cannot find its own.
//
// A process that tests start is a worker or ensures windows, and runs no tests.
func TestMain(m *testing.M) {
	if orders := os.Getenv(workerVariable); orders != "" {
		if err := runWorkerProcess(orders); err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			os.Exit(1)
		}
		return
	}
	if account := os.Getenv(windowsVariable); account != "" {
		if err := runWindowsProcess(account); err != nil {
			fmt.Fprintln(os.Stderr, "windows:", err)
			os.Exit(1)
		}
		return
	}
	cmdline.Parse()
	given := false
	cmdline.Visit(func(f *cmdline.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = cmdline.Set("test.parallel", "32")
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	goleak.VerifyTestMain(m, idle...)
}
