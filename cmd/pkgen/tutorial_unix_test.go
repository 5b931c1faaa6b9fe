//go:build unix

package main

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/internal/scratch"
)

// block is a file of the tutorial, or commands for a shell.
type block struct {
	file string // "" for commands
	text string
}

var tutorialBlock = regexp.MustCompile("(?s)(?:\n`([^`\n]+)`:\n\n)?```(go|bash)\n(.*?)```\n")

// TestTutorial does what the tutorial says, in its order: it writes the files and
// runs the commands. What the tutorial shows of an example has to be in its file. A
// command that runs until it is interrupted runs in the background. This module
// replaces the one that go get would fetch.
func TestTutorial(t *testing.T) {
	seeds.Gate(t, "builds a service and the tool")
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err == nil {
		_, err = exec.LookPath("curl")
	}
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Logf("NOT RUN: %v", err)
		return
	}
	page, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	for _, m := range tutorialBlock.FindAllStringSubmatch(string(page), -1) {
		if (m[2] == "go") != (m[1] != "") {
			t.Fatalf("a block of Go has the name of its file above it, and no other has:\n%s", m[0])
		}
		blocks = append(blocks, block{m[1], m[3]})
	}
	if len(blocks) != strings.Count(string(page), "```")/2 || len(blocks) < 10 {
		t.Fatalf("the page has %d blocks, of which %d are files or commands", strings.Count(string(page), "```")/2, len(blocks))
	}

	reader := newReader(t, bash)
	for _, b := range blocks {
		switch {
		case strings.HasPrefix(b.file, "example/"): // a part of a file of this repository
			text, err := os.ReadFile("../../" + b.file)
			if err != nil || !strings.Contains(string(text), b.text) {
				t.Errorf("%s does not have this, %v:\n%s", b.file, err, b.text)
			}
		case b.file != "":
			reader.write(b.file, reader.ports.Replace(b.text))
		case strings.Contains(b.text, "go mod edit -replace="):
			ofClone(t, reader, b.text)
		case strings.Contains(b.text, "go get -tool "):
			reader.get(b.text)
		case strings.HasSuffix(b.text, "go tool pkgen-emulator\n"):
			reader.start(strings.TrimSuffix(b.text, "\n")+" -addr localhost:"+reader.emulator, reader.emulator)
		case strings.HasSuffix(b.text, "go run .\n"):
			reader.start(reader.ports.Replace(b.text), reader.service)
		default:
			out := reader.shell(reader.ports.Replace(b.text))
			if strings.Contains(b.text, "?month=") && !strings.Contains(out, `"celsius":7.5`) {
				t.Errorf("the list is %s", out)
			}
		}
	}
}

// reader is somebody who follows the tutorial.
type reader struct {
	consumer
	bash              string
	home              string
	caches            []string // settings of the real caches of Go
	emulator, service string   // ports
	ports             *strings.Replacer
}

func newReader(t *testing.T, bash string) *reader {
	t.Helper()
	r := &reader{consumer: newConsumer(t, nil), bash: bash, home: t.TempDir(), emulator: freePort(t), service: freePort(t)}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		value, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		r.caches = append(r.caches, name+"="+strings.TrimSpace(string(value)))
	}
	r.ports = strings.NewReplacer("8081", r.emulator, "8080", r.service)
	return r
}

// get runs the lines of go get, which find this module in place of a version that
// was published, and the sums of what it needs.
func (r *reader) get(lines string) {
	r.t.Helper()
	r.run("mod", "edit", "-module=example.com/weather", "-droprequire=github.com/cosmos-pkgen/pkgen")
	sums, err := os.ReadFile("../../go.sum")
	if err != nil {
		r.t.Fatal(err)
	}
	r.write("go.sum", string(sums))
	for line := range strings.Lines(lines) {
		if strings.HasPrefix(line, "go get ") {
			r.shell(strings.TrimSuffix(line, "\n") + "@v0.0.0")
		}
	}
}

// ofClone runs the lines that name a clone in go.mod, in a folder next to one, and then the
// tool. Tidying would ask a proxy, so the sums are those of this module.
func ofClone(t *testing.T, other *reader, lines string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	r, folder := *other, scratch.Dir(t)
	r.dir = filepath.Join(folder, "weather")
	if err := errors.Join(os.Symlink(root, filepath.Join(folder, "pkgen")), os.Mkdir(r.dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	r.write("go.sum", string(sums))
	edits, tidies := strings.CutSuffix(lines, "go mod tidy\n")
	if !tidies {
		t.Errorf("the lines do not end with go mod tidy:\n%s", lines)
	}
	r.shell("go mod init example.com/weather\n" + edits + "go list -mod=mod -deps tool > deps\ngo tool pkgen -h")
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// command returns lines as a command of the shell, in the folder of the module and
// with a home of its own, whose caches of Go are the real ones.
func (r *reader) command(ctx context.Context, lines string) *exec.Cmd {
	r.t.Helper()
	command := exec.CommandContext(ctx, r.bash, "-e", "-o", "pipefail", "-c", lines)
	command.Dir = r.dir
	command.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOSUMDB=off", "HOME="+r.home, "XDG_CACHE_HOME=", "COSMOS_CONNECTION_STRING=")
	command.Env = append(command.Env, r.caches...)
	return command
}

// shell runs commands to their end and returns what they print.
func (r *reader) shell(lines string) string {
	r.t.Helper()
	r.t.Log(lines)
	ctx, cancel := context.WithTimeout(r.t.Context(), commandTime)
	defer cancel()
	out, err := r.command(ctx, lines).CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s\n%v\n%s", lines, err, out)
	}
	return string(out)
}

// start starts commands that go on, and waits until the port takes connections.
// They are interrupted when the test ends.
func (r *reader) start(lines, port string) {
	r.t.Helper()
	r.t.Log(lines)
	ctx, cancel := context.WithCancel(context.Background())
	command := r.command(ctx, lines)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // go run has a child
	log, err := os.Create(filepath.Join(r.home, port))
	if err != nil {
		r.t.Fatal(err)
	}
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	stop := func() {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGINT)
		<-ended
		cancel()
		_ = log.Close()
	}
	for deadline := time.Now().Add(commandTime); ; time.Sleep(20 * time.Millisecond) {
		connection, err := net.Dial("tcp", "localhost:"+port)
		if err == nil {
			_ = connection.Close()
			r.t.Cleanup(stop)
			return
		}
		select {
		case err := <-ended:
			out, _ := os.ReadFile(log.Name())
			r.t.Fatalf("%s\n%v\n%s", lines, err, out)
		default:
		}
		if time.Now().After(deadline) {
			stop()
			r.t.Fatalf("%s\nnobody listens on port %s: %v", lines, port, err)
		}
	}
}
