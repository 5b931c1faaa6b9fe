package clitest

import (
	"errors"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cosmos-pkgen/pkgen/internal/scratch"
)

// Scripts are scripts of command lines.
type Scripts struct {
	Folder  string
	Without []string // names of files to skip
	Update  bool     // records the expected output
	Path    string   // a folder of programs for PATH, or ""
	// Commands are additional commands. "exits N command args", which expects exit code N, is
	// always there.
	Commands map[string]func(*testscript.TestScript, bool, []string)
}

// Run runs each script in a folder of its own.
func (s Scripts) Run(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.Folder, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return slices.Contains(s.Without, filepath.Base(file)) })
	if len(files) == 0 {
		t.Fatal("there are no scripts")
	}
	env := goEnv(t, "GOCACHE", "GOMODCACHE")
	commands := map[string]func(*testscript.TestScript, bool, []string){"exits": exits}
	maps.Copy(commands, s.Commands)
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Vars = append(e.Vars, "GOPROXY=off", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local")
			if s.Path != "" {
				e.Setenv("PATH", e.Getenv("PATH")+string(filepath.ListSeparator)+s.Path)
			}
			return nil
		},
		Cmds:                commands,
		WorkdirRoot:         scratch.Dir(t),
		UpdateScripts:       s.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
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

// goEnv returns settings of the go command as environment variables. The go command finds them in
// the home directory, which tests do not have.
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

// Build builds programs of the module, and returns their folder. Tests in the folder of another
// program call it.
func Build(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	// Without a revision, their version equals the version of the test's binary. Linking with
	// symbols would take twice as long.
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", dir}
	for _, name := range programs {
		args = append(args, "../"+name)
	}
	if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}
