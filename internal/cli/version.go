package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
)

func versionCommand(p *Program) Command {
	return Command{
		Name:     "version",
		Help:     "print the version",
		About:    "Prints the version of " + p.Name + " and of the Go that it was built with. Generated code needs the repository package of the same version: use the version in go.mod.",
		Examples: [][2]string{{p.Name + " version", ""}},
		Bind: func(*flag.FlagSet) Action {
			return func(_ context.Context, args []string, stdout, stderr io.Writer) int {
				if err := TakesNone("version", args); err != nil {
					return Fail(stderr, err)
				}
				fmt.Fprintf(stdout, "%s %s (%s)\n", p.Name, Version(), runtime.Version())
				return Done
			}
		},
	}
}

// Version returns the version of the module or, in a build from a clone, the revision that the go
// command recorded.
func Version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

// callerVariable has the version of the calling program.
const callerVariable = "PKGEN_CALLER"

// Calling returns the environment for a program that this one runs. The program refuses to run if
// its version differs.
func Calling() []string { return append(os.Environ(), callerVariable+"="+Version()) }

// temporaryVariable has the folder of a program that was built for one run.
const temporaryVariable = "PKGEN_TEMPORARY"

// Temporary returns the environment for a program that was built from the same source into a folder
// of its own. The program removes itself and the folder when it starts.
func Temporary(folder string) []string { return append(os.Environ(), temporaryVariable+"="+folder) }

// removeTemporary removes this program and its folder, which has nothing else. Windows does not
// allow that while the program runs, so its caller does it.
func removeTemporary() {
	folder, built := os.LookupEnv(temporaryVariable)
	_ = os.Unsetenv(temporaryVariable)
	if own, err := os.Executable(); built && err == nil && filepath.Dir(own) == filepath.Clean(folder) {
		_, _ = os.Remove(own), os.Remove(folder)
	}
}

// called returns an error if the calling program has another version: an older one would misread
// the lock.
func (p *Program) called() error {
	caller, called := os.LookupEnv(callerVariable)
	_ = os.Unsetenv(callerVariable) // not for programs that this one runs
	if !called || caller == Version() {
		return nil
	}
	return fmt.Errorf("this %s has version %s, and the pkgen that runs it has version %s: install the same version of both", p.Name, Version(), caller)
}

// versionOf returns the version that the go command recorded.
func versionOf(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" {
		return "of unknown version"
	}
	return info.Main.Version
}
