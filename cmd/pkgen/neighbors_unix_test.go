//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/cli/clitest"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// ran runs a program in a folder, and returns its exit code and what it prints.
func ran(t *testing.T, dir, stdin, program string, environment []string, args ...string) (code int, out string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), append([]string{"GOFLAGS=", "GOWORK=off", "COSMOS_CONNECTION_STRING=", "COSMOS_ENDPOINT="}, environment...)...)
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// TestNeighbors has pkgen run the commands of the other programs.
func TestNeighbors(t *testing.T) {
	seeds.Gate(t, "builds the programs")
	goBinary, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	onlyGo := "PATH=" + filepath.Dir(goBinary)
	all := clitest.Build(t, "pkgen", "pkgen-data", "pkgen-emulator")
	pkgen := filepath.Join(t.TempDir(), "pkgen") // alone in its folder
	if err := os.Link(filepath.Join(all, "pkgen"), pkgen); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	sample := filepath.Join(empty, "sample.ndjson")
	if err := os.WriteFile(sample, []byte(`{"id":"1","a":"x"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, program, stdin string
		environment, args    []string
		code                 int
		says                 string
	}{
		{"missing", pkgen, "", []string{onlyGo}, []string{"verify", "./..."}, 2, "pkgen: pkgen-data is not installed: run go get -tool github.com/cosmos-pkgen/pkgen/cmd/pkgen-data\n"},
		{"missing without go", pkgen, "", []string{"PATH="}, []string{"emulator"}, 2, "pkgen: pkgen-emulator is not installed: run go get -tool github.com/cosmos-pkgen/pkgen/cmd/pkgen-emulator\n"},
		{"in the same folder", filepath.Join(all, "pkgen"), "", []string{onlyGo}, []string{"dump", "-container", "x"}, 2, "pkgen: no account: set COSMOS_CONNECTION_STRING"},
		{"on PATH", pkgen, "", []string{onlyGo + string(filepath.ListSeparator) + all}, []string{"help", "migrate"}, 0, "Usage: pkgen-data migrate [flags] [packages]"},
		{"standard input", filepath.Join(all, "pkgen"), `{"id":"1","a":"x"}` + "\n", nil, []string{"analyze", "-in", "-", "-layout", "{a}"}, 0, "1 document"},
		{"exit code", filepath.Join(all, "pkgen"), `{"id":"1","a":"x"}` + "\n", nil, []string{"analyze", "-in", "-", "-layout", "{a}", "-max-share", "1"}, 1, "1 document"},
		{"the emulator's own command", filepath.Join(all, "pkgen"), "", nil, []string{"emulator", "dump"}, 2, "pkgen-emulator dump -data FOLDER -o FOLDER"},
		{"help of a command of the emulator", filepath.Join(all, "pkgen"), "", nil, []string{"help", "emulator", "dump"}, 0, "Usage: pkgen-emulator dump [flags]"},
		{"installed", filepath.Join(all, "pkgen"), "", nil, []string{"help"}, 0, "pkgen-data (installed): analyze, calls, rulog"},
		{"not installed", pkgen, "", []string{onlyGo}, []string{"help"}, 0, "pkgen-emulator (not installed): emulator"},
		{"another version", filepath.Join(all, "pkgen-data"), "", []string{"PKGEN_CALLER=v9.8.7"}, []string{"help"}, 2, "the pkgen that runs it has version v9.8.7: install the same version of both"},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, out := ran(t, empty, test.stdin, test.program, test.environment, test.args...)
			if code != test.code || !strings.Contains(out, test.says) {
				t.Errorf("exit code %d: %s", code, out)
			}
		})
	}
}

// TestNeighborOfAClone has pkgen build the emulator in a clone, run it, and hand on a signal.
// The file that it built is gone at once.
func TestNeighborOfAClone(t *testing.T) {
	seeds.Gate(t, "builds the programs")
	pkgen := filepath.Join(clitest.Build(t, "pkgen"), "pkgen")
	temporary := t.TempDir()
	cmd := exec.CommandContext(t.Context(), pkgen, "emulator", "-http", "-addr", "127.0.0.1:0")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "AccountEndpoint=") {
			break
		}
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("there are %v in the folder for temporary files, %v", left, err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() { // what it prints before it ends
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the emulator ended with %v", err)
	}
}
