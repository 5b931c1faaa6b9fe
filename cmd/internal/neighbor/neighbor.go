// Package neighbor finds and runs the other programs of pkgen's module, so that pkgen offers their
// commands without linking them.
package neighbor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// module is the module of the programs.
const module = "github.com/cosmos-pkgen/pkgen"

// Data returns pkgen-data.
func Data() cli.Other {
	return other("pkgen-data", false,
		cli.Summary{Name: "analyze", Help: "show how keys spread a sample of documents"},
		cli.Summary{Name: "calls", Help: "show what calls cost under layouts"},
		cli.Summary{Name: "rulog", Help: "show hot keys in Azure's log of request units"},
		cli.Summary{Name: "usage", Help: "show which tenants need their own container"},
		cli.Summary{Name: "simulate", Help: "run a load against several layouts, in virtual time"},
		cli.Summary{Name: "verify", Help: "compare stored documents with pkgen.lock"},
		cli.Summary{Name: "migrate", Help: "copy a container into one with another layout"},
		cli.Summary{Name: "move-tenant", Help: "move a tenant to another container"},
		cli.Summary{Name: "upgrade", Help: "rewrite documents of earlier releases"},
		cli.Summary{Name: "dump", Help: "write the documents of a container to a file"},
		cli.Summary{Name: "load", Help: "store the documents of a file in a container"},
		cli.Summary{Name: "doctor", Help: "check an account and its containers"},
	)
}

// Emulator returns pkgen-emulator.
func Emulator() cli.Other {
	return other("pkgen-emulator", true, cli.Summary{Name: "emulator", Help: "serve Cosmos DB, for tests and development"})
}

func other(name string, one bool, commands ...cli.Summary) cli.Other {
	return cli.Other{
		Name: name, Commands: commands, One: one,
		State: func(ctx context.Context) string { return state(ctx, name) },
		Run: func(ctx context.Context, args []string, stderr io.Writer) int {
			code, err := run(ctx, name, args, stderr)
			if err != nil {
				return cli.Fail(stderr, err)
			}
			return code
		},
	}
}

// install returns the command line that installs a program.
func install(name string) string {
	line := "go get -tool " + module + "/cmd/" + name
	if version := cli.Version(); strings.HasPrefix(version, "v") && !strings.Contains(version, "+") {
		line += "@" + version
	}
	return line
}

// run runs a program with the streams of this one, and returns its exit code.
func run(ctx context.Context, name string, args []string, stderr io.Writer) (int, error) {
	path, temporary, err := find(ctx, name, stderr)
	if err != nil {
		return 0, err
	}
	environment := cli.Calling()
	if temporary != "" { // built from the same source
		environment = cli.Temporary(temporary)
		defer func() { _ = os.RemoveAll(temporary) }() // if execute returns
	}
	return execute(path, append([]string{name}, args...), environment)
}

// find returns the path of a program: a tool of the module in the working folder, a file next to
// this program, or one on PATH. In a clone of pkgen it builds the program instead of searching
// PATH, and also returns the new folder.
func find(ctx context.Context, name string, stderr io.Writer) (path, temporary string, err error) {
	defer cli.Progress(stderr, "building "+name)() // unless the go command has built it
	path, broken := tool(ctx, name)
	if path == "" {
		path = neighboring(name)
	}
	if path == "" && cloned(ctx) {
		return build(ctx, name)
	}
	if path == "" {
		path, _ = exec.LookPath(name)
	}
	switch {
	case path != "":
		return path, "", nil
	case broken != nil:
		return "", "", broken
	}
	return "", "", fmt.Errorf("%s is not installed: run %s", name, install(name))
}

// state describes where a program is. It builds nothing.
func state(ctx context.Context, name string) string {
	if slices.Contains(tools(ctx), module+"/cmd/"+name) {
		return "a tool of this module"
	}
	if neighboring(name) != "" {
		return "installed"
	}
	if cloned(ctx) {
		return "of this clone"
	}
	if _, err := exec.LookPath(name); err == nil {
		return "installed"
	}
	return "not installed"
}

// toolsOnce caches the tools of the module.
var toolsOnce struct {
	sync.Once
	paths []string
}

// tools returns the import paths of the tools of the module in the working folder. It runs the go
// command once, which takes a tenth of a second in a large module.
func tools(ctx context.Context) []string {
	toolsOnce.Do(func() {
		out, _, err := goCommand(ctx, "list", "tool")
		if err == nil {
			toolsOnce.paths = strings.Fields(out)
		}
	})
	return toolsOnce.paths
}

// tool returns the path of a program that is a tool of the module in the working folder; the go
// command builds it if necessary. It returns "" if there is no such tool, or no go command.
func tool(ctx context.Context, name string) (string, error) {
	out, problem, err := goCommand(ctx, "tool", "-n", module+"/cmd/"+name)
	switch {
	case err == nil:
		return strings.TrimSpace(out), nil
	case errors.Is(err, exec.ErrNotFound), strings.Contains(problem, "no such tool"):
		return "", nil
	}
	return "", fmt.Errorf("go tool -n %s: %w: %s", name, err, problem)
}

// neighboring returns the path of a program next to this one, or "".
func neighboring(name string) string {
	own, err := os.Executable()
	if err == nil {
		own, err = filepath.EvalSymlinks(own)
	}
	if err != nil {
		return ""
	}
	path, _ := exec.LookPath(filepath.Join(filepath.Dir(own), name+suffix()))
	return path
}

// cloned reports whether the working folder is in a clone of the module.
func cloned(ctx context.Context) bool {
	out, _, err := goCommand(ctx, "list", "-m", "-f", "{{.Main}} {{.Path}}", module)
	return err == nil && strings.TrimSpace(out) == "true "+module
}

// build builds a program of a clone into a new folder.
func build(ctx context.Context, name string) (path, folder string, err error) {
	if folder, err = os.MkdirTemp("", name); err != nil {
		return "", "", err
	}
	path = filepath.Join(folder, name+suffix())
	if _, problem, err := goCommand(ctx, "build", "-o", path, module+"/cmd/"+name); err != nil {
		return "", "", errors.Join(fmt.Errorf("go build %s: %s", name, problem), os.RemoveAll(folder))
	}
	return path, folder, nil
}

// goCommand runs the go command, and returns its output.
func goCommand(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	var out, problem bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are those of this package
	cmd.Stdout, cmd.Stderr = &out, &problem
	err = cmd.Run()
	return out.String(), strings.TrimSpace(problem.String()), err
}

// suffix returns the extension of executables.
func suffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}
