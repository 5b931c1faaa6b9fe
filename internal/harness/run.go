package harness

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

// idle are goroutines that a test may leave: connections, servers that other tests use, and
// azcosmos's refreshes of physical partitions, which outlive the call that caused them (runRefresh
// in cosmos_partition_key_range_cache.go, v1.5.0).
var idle = []goleak.Option{
	goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"),
	goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"),
	goleak.IgnoreTopFunction("internal/poll.runtime_pollWait"),
	goleak.IgnoreAnyFunction("net/http.(*conn).serve"),
	goleak.IgnoreAnyFunction("net/http.(*Server).Serve"),
	goleak.IgnoreAnyFunction("testing.(*T).Run"),
	goleak.IgnoreAnyFunction("github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos.(*partitionKeyRangeCache).runRefresh"),
}

// Run runs the tests of a package, for TestMain. It runs more tests at once than there are
// processors, because parallel tests mostly wait for pauses between attempts, and collects garbage
// less often, because emulators make much of it. The flag -parallel and the variable GOGC override
// both. In the end it reports goroutines that tests left running: a parallel test cannot find its
// own.
func Run(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", "32")
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	Verify(m)
}

// Verify runs the tests of a package, for TestMain, and reports goroutines that they left running.
// It keeps the usual number of parallel tests, for tests with short deadlines.
func Verify(m *testing.M) { goleak.VerifyTestMain(m, idle...) }

// Bubble runs a parallel subtest in a bubble of testing/synctest, where a wait takes no time.
func Bubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, test)
	})
}

// Settled fails the test if it left goroutines other than idle ones. Options may exclude more, such
// as goleak.IgnoreCurrent().
func Settled(t *testing.T, options ...goleak.Option) {
	t.Helper()
	goleak.VerifyNone(t, append(options, idle...)...)
}

// Unraced skips a test under the race detector. It is for tests that use one goroutine at a time,
// measure times and counts, or run other processes.
func Unraced(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("the race detector has nothing to watch in it")
	}
}
