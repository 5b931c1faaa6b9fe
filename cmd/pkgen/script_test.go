package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosmos-pkgen/pkgen/internal/testgc"
)

// otherPrograms are programs that tests of some systems need.
var otherPrograms = map[string]func(){}

func TestMain(m *testing.M) {
	testgc.Less()
	programs := map[string]func(){
		"pkgen": func() {
			os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
		},
	}
	maps.Copy(programs, otherPrograms)
	testscript.Main(m, programs)
}

// TestScript runs the command lines in testdata/script, each in a folder of its
// own. The command "exits N command args" runs one that ends with exit code N, and those
// of account_script_test.go serve an account.
// With -short the scripts of longScripts are left out.
func TestScript(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		files = slices.DeleteFunc(files, func(file string) bool { return slices.Contains(longScripts, filepath.Base(file)) })
	}
	if len(files) == 0 {
		t.Fatal("there are no scripts")
	}
	env := goEnv(t, "GOCACHE", "GOMODCACHE")
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Vars = append(e.Vars, "GOPROXY=off", "GOFLAGS=-mod=mod -trimpath", "GOTOOLCHAIN=local")
			return nil
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "account": serveAccount, "lines": makeLines},
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// longScripts call the command often, or wait for a second.
var longScripts = []string{
	"apis.txtar", "broken.txtar", "cache.txtar", "check.txtar", "container.txtar", "diff.txtar", "draft.txtar", "ensure.txtar",
	"flags.txtar", "format.txtar", "help.txtar", "init.txtar", "keys.txtar", "lock.txtar", "neighbours.txtar",
	"progress.txtar", "properties.txtar", "tiers.txtar", "vet.txtar", "words.txtar",
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command [args...]")
	}
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// goEnv returns these settings of the go command as environment variables: it
// finds them by the home directory, which tests do not have.
func goEnv(t *testing.T, names ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(strings.TrimSpace(string(out)), "\n")
	env := make([]string, len(names))
	for i, name := range names {
		env[i] = name + "=" + values[i]
	}
	return env
}
