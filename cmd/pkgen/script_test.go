package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pkgen": func() {
			os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
		},
	})
}

// TestScript runs the command lines in testdata/script, each in a folder of its
// own.
func TestScript(t *testing.T) {
	env := goEnv(t, "GOCACHE", "GOMODCACHE")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Vars = append(e.Vars, "GOPROXY=off", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local")
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
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
