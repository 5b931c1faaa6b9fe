package processors

import (
	"fmt"
	"os"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// TestMain runs the tests, unless a test started this process as a worker.
func TestMain(m *testing.M) {
	if orders := os.Getenv(workerVariable); orders != "" {
		if err := runWorkerProcess(orders); err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			os.Exit(1)
		}
		return
	}
	harness.Run(m)
}
