//go:build unix

package neighbor

import (
	"fmt"
	"syscall"
)

// execute replaces this process by a program, which inherits its terminal and signals. It returns
// only on failure.
func execute(path string, args, environment []string) (int, error) {
	return 0, fmt.Errorf("%s: %w", path, syscall.Exec(path, args, environment)) //nolint:gosec // it is a program of this module
}
