// Package neighbor finds and runs the programs that are built of the same module as
// pkgen, so that pkgen runs their commands without being linked with them.
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
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/cli"
)

// module is the module of the programs.
const module = "github.com/cosmos-pkgen/pkgen"

// Data returns pkgen-data.
func Data() cli.Other {
	return other("pkgen-data", false,
		cli.Summary{Name: "analyze", Help: "show what keys do with a sample of documents"},
		cli.Summary{Name: "calls", Help: "show what calls cost under layouts"},
		cli.Summary{Name: "rulog", Help: "show hot keys by Azure's log of request units"},
		cli.Summary{Name: "usage", Help: "show which tenants should have a container of their own"},
		cli.Summary{Name: "simulate", Help: "run a load against several layouts, in virtual time"},
		cli.Summary{Name: "verify", Help: "compare stored documents with pkgen.lock"},
		cli.Summary{Name: "migrate", Help: "copy a container into one with another layout"},
		cli.Summary{Name: "move-tenant", Help: "move a tenant to another container"},
		cli.Summary{Name: "upgrade", Help: "rewrite documents of earlier releases"},
		cli.Summary{Name: "dump", Help: "write the documents of a container to a file"},
		cli.Summary{Name: "load", Help: "store the documents of a file in a container"},
		cli.Summary{Name: "doctor", Help: "say what is wrong with an account and its containers"},
	)
}

// Emulator returns pkgen-emulator.
func Emulator() cli.Other {
	return other("pkgen-emulator", true, cli.Summary{Name: "emulator", Help: "serve Cosmos DB, for tests and development"})
}

func other(name string, one bool, commands ...cli.Summary) cli.Other {
	install := "go get -tool " + module + "/cmd/" + name
	if version := cli.Version(); strings.HasPrefix(version, "v") && !strings.Contains(version, "+") {
		install += "@" + version
	}
	return cli.Other{
		Name: name, Commands: commands, Install: install, One: one,
		Where: func(ctx context.Context) string {
			path, _ := find(ctx, name)
			return path
		},
		Run: func(ctx context.Context, args []string, stderr io.Writer) int {
			code, err := run(ctx, name, install, args)
			if err != nil {
				return cli.Fail(stderr, err)
			}
			return code
		},
	}
}

// run runs a program with the streams of this one, and returns its exit code.
func run(ctx context.Context, name, install string, args []string) (int, error) {
	path, err := find(ctx, name)
	if err != nil {
		return 0, err
	}
	environment := cli.Calling(os.Environ())
	if path == "" {
		folder, built, err := build(ctx, name)
		if err != nil {
			return 0, err
		}
		if built == "" {
			return 0, fmt.Errorf("%s is not installed: run %s", name, install)
		}
		path, environment = built, cli.Temporary(os.Environ(), folder)
		defer func() { _ = os.RemoveAll(folder) }() // if this process goes on
	}
	return execute(path, append([]string{name}, args...), environment)
}

// find returns the path of a program: of a tool of the module in the working folder, of
// the folder of this program, or of PATH. It returns "" if there is none.
func find(ctx context.Context, name string) (string, error) {
	if path, err := tool(ctx, name); path != "" || err != nil {
		return path, err
	}
	if own, err := os.Executable(); err == nil {
		if own, err = filepath.EvalSymlinks(own); err == nil {
			if path, err := exec.LookPath(filepath.Join(filepath.Dir(own), name+suffix())); err == nil {
				return path, nil
			}
		}
	}
	if cloned(ctx) {
		return "", nil // an installed one need not be of this source
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", nil //nolint:nilerr // it is not there
	}
	return path, nil
}

// tool returns the path of a program that is a tool of the module in the working folder,
// which the go command builds if it has to.
func tool(ctx context.Context, name string) (string, error) {
	out, problem, err := goCommand(ctx, "tool", "-n", module+"/cmd/"+name)
	switch {
	case err == nil:
		return strings.TrimSpace(out), nil
	case errors.Is(err, exec.ErrNotFound), strings.Contains(problem, "no such tool"):
		return "", nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	}
	return "", fmt.Errorf("go tool -n %s: %s", name, problem)
}

// cloned reports whether the working folder is in a clone of the module.
func cloned(ctx context.Context) bool {
	out, _, err := goCommand(ctx, "list", "-m", "-f", "{{.Main}} {{.Path}}", module)
	return err == nil && strings.TrimSpace(out) == "true "+module
}

// build builds a program of a clone into a new folder. It returns "" outside of a clone.
func build(ctx context.Context, name string) (folder, path string, err error) {
	if !cloned(ctx) {
		return "", "", nil
	}
	if folder, err = os.MkdirTemp("", name); err != nil {
		return "", "", err
	}
	path = filepath.Join(folder, name+suffix())
	if _, problem, err := goCommand(ctx, "build", "-o", path, module+"/cmd/"+name); err != nil {
		return "", "", errors.Join(fmt.Errorf("go build %s: %s", name, problem), os.RemoveAll(folder))
	}
	return folder, path, nil
}

// goCommand runs the go command, and returns what it prints.
func goCommand(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	var out, problem bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stdout, cmd.Stderr = &out, &problem
	err = cmd.Run()
	return out.String(), strings.TrimSpace(problem.String()), err
}

// suffix is the end of the name of a program's file.
func suffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}
