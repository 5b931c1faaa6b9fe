package provision

import (
	"fmt"
	"os"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// TestMain runs the tests, unless a test started this process as a program that ensures windows.
func TestMain(m *testing.M) {
	if orders := os.Getenv(windowsVariable); orders != "" {
		if err := runWindowsProcess(orders); err != nil {
			fmt.Fprintln(os.Stderr, "windows:", err)
			os.Exit(1)
		}
		return
	}
	harness.Run(m)
}
