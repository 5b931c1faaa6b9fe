package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// bindVersion is pkgen version.
func bindVersion(*flag.FlagSet) action { return printVersion }

func printVersion(_ context.Context, args []string, stdout, stderr io.Writer) int {
	if err := takesNone("version", args); err != nil {
		return fail(stderr, err)
	}
	info, _ := debug.ReadBuildInfo()
	fmt.Fprintf(stdout, "pkgen %s (%s)\n", versionOf(info), runtime.Version())
	return exitDone
}

// versionOf returns the version of the module, or where it was built in a clone
// the revision, as far as the go command has noted that.
func versionOf(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" {
		return "of unknown version"
	}
	return info.Main.Version
}
