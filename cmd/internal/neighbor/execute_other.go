//go:build !unix

package neighbor

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// execute runs a program, and returns its exit code. The console sends an interrupt to both
// programs, and this one waits for the other to end.
func execute(path string, args, environment []string) (int, error) {
	signal.Ignore(os.Interrupt)
	defer signal.Reset(os.Interrupt)
	cmd := &exec.Cmd{Path: path, Args: args, Env: environment, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}
