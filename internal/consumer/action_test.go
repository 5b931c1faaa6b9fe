package consumer

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestActionInstalls runs the script of the action with a version: it installs pkgen, and
// pkgen-data where a command needs it, from the proxy, in a module that has no tool. A test in
// internal/channels runs the script without a version.
func TestActionInstalls(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	env := environment(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":   "module example.com/service\n\ngo 1.25.0\n",
		"order.go": "package service\n\ntype Order struct {\n\tID     string `json:\"id\"`\n\tTenant string `json:\"tenant\" cosmos:\"pk\"`\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script, err := filepath.Abs("../../.github/action/run.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		command, version, want string
		code                   int
	}{
		{"check", version, "::error file=pkgen.lock::pkgen.lock is out of date: missing\n", 1},
		{"check", "v0.0.2-none", "::error::pkgen v0.0.2-none cannot be installed: see the log for the reason\n", 2},
		{"doctor", version, "no account: set COSMOS_CONNECTION_STRING", 2},
	} {
		cmd := exec.CommandContext(t.Context(), "bash", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), env...)
		cmd.Env = append(cmd.Env, "PKGEN_COMMAND="+test.command, "PKGEN_VERSION="+test.version, "COSMOS_CONNECTION_STRING=", "COSMOS_ENDPOINT=")
		out, err := cmd.CombinedOutput()
		exit := (*exec.ExitError)(nil)
		if !errors.As(err, &exit) || exit.ExitCode() != test.code || !strings.Contains(string(out), test.want) {
			t.Errorf("%s of %s: %v, and it prints\n%s", test.command, test.version, err, out)
		}
	}
}
