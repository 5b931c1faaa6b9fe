package channels

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"
)

// rootPath returns the absolute path of a file of the tree.
func rootPath(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// readFile returns a file of the tree.
func readFile(t *testing.T, name string) string {
	t.Helper()
	return read(t, rootPath(t, name))
}

// readYAML decodes a file of the tree.
func readYAML[T any](t *testing.T, name string) T {
	t.Helper()
	var v T
	if err := yaml.Unmarshal([]byte(readFile(t, name)), &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// write writes a file, and makes its folder.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// environment returns the environment of this process, with more, for commands that run the go
// command in a module of a test.
func environment(more ...string) []string {
	return append(append(os.Environ(), "GOWORK=off", "GOSUMDB=off", "GOFLAGS=-mod=mod", "PKGEN_CACHE=off"), more...)
}

// run runs a command in a folder, which has to succeed, and returns what it prints.
func run(t *testing.T, folder string, name string, arguments ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, arguments...)
	cmd.Dir = folder
	cmd.Env = environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// order has a key, and no mistake.
const order = "package shop\n\n// Order is a document.\ntype Order struct {\n" +
	"\tID       string `json:\"id\"`\n" +
	"\tCustomer string `json:\"customer\" cosmos:\"pk,hashsuffix=ID,buckets=8\"`\n" +
	"\tStored   string `json:\"partitionKey\" cosmos:\"synthetic\"`\n}\n"

// newRepository returns a git repository, and the folder "my service" in it with a module that
// has pkgen as its tool, a package with generated code, and a sample of documents.
func newRepository(t *testing.T) (repository, module string) {
	t.Helper()
	repository = t.TempDir()
	module = filepath.Join(repository, "my service")
	write(t, filepath.Join(module, "go.mod"), "module example.com/service\n\ngo 1.25.0\n\n"+
		"tool (\n\tgithub.com/cosmos-pkgen/pkgen/cmd/pkgen\n\tgithub.com/cosmos-pkgen/pkgen/cmd/pkgen-data\n)\n\n"+
		"require github.com/cosmos-pkgen/pkgen v0.0.0\n\nreplace github.com/cosmos-pkgen/pkgen => "+rootPath(t, ".")+"\n")
	write(t, filepath.Join(module, "shop", "order.go"), order)
	write(t, filepath.Join(module, "orders.ndjson"), strings.Repeat(`{"id":"1","customer":"c"}`+"\n"+`{"id":"2","customer":"d"}`+"\n", 20))
	run(t, repository, "git", "init", "-q")
	for _, program := range []string{"pkgen", "pkgen-data"} { // which completes go.sum
		run(t, module, "go", "build", "-o", os.DevNull, "github.com/cosmos-pkgen/pkgen/cmd/"+program)
	}
	run(t, module, "go", "tool", "pkgen", "./...")
	run(t, module, "go", "tool", "pkgen", "seal", "./...")
	return repository, module
}

// awaitConnection starts an emulator, which ends with the test, and returns the line that it
// prints with its connection string.
func awaitConnection(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it runs until then
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if line := lines.Text(); strings.HasPrefix(line, "COSMOS_CONNECTION_STRING=") {
			return line
		}
	}
	t.Fatalf("the emulator prints no connection string: %s", stderr.String())
	return ""
}

var built struct {
	sync.Once

	folder string
}

// programs returns the folder of the programs, which are built once. TestMain removes it.
func programs(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		folder, err := os.MkdirTemp("", "pkgen-channels-") //nolint:usetesting // several tests use it
		if err != nil {
			t.Fatal(err)
		}
		built.folder = folder
		run(t, rootPath(t, "."), "go", "build", "-o", folder, "./cmd/...")
	})
	return built.folder
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.folder != "" {
		_ = os.RemoveAll(built.folder)
	}
	os.Exit(code)
}
