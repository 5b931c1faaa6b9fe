package consumer

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// version is one that nobody publishes.
const version = "v0.0.1-consumer"

// root is the path of the root module.
const root = "github.com/cosmos-pkgen/pkgen"

// publish makes a release of the files of the tree, as docs/decisions/releases.md tells it, and
// returns the folder of a module proxy that has the root and its tagged modules.
func publish(t *testing.T) string {
	t.Helper()
	tree, proxy := t.TempDir(), t.TempDir()
	files := strings.Split(strings.TrimSuffix(run(t, "../..", nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00"), "\x00")
	for _, name := range files {
		copyFile(t, filepath.Join("../..", name), filepath.Join(tree, name))
	}
	run(t, tree, nil, ".ci/versions", version)
	tagged := strings.Fields(run(t, tree, nil, "bash", "-c", ". .ci/common && tagged"))
	for _, folder := range append([]string{"."}, tagged...) {
		add(t, proxy, tree, folder, files)
	}
	return proxy
}

// add adds the module in a folder of a tree to a proxy (go help goproxy).
func add(t *testing.T, proxy, tree, folder string, files []string) {
	t.Helper()
	path := strings.TrimSuffix(root+"/"+folder, "/.")
	versions := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(versions, 0o755); err != nil {
		t.Fatal(err)
	}
	archive, err := os.Create(filepath.Join(versions, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	var contents []zip.File
	for _, name := range files {
		if inner, err := filepath.Rel(folder, name); err == nil && filepath.IsLocal(inner) {
			contents = append(contents, treeFile{inner, filepath.Join(tree, name)})
		}
	}
	// Create leaves out the modules within.
	if err := zip.Create(archive, module.Version{Path: path, Version: version}, contents); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{version + ".info": info, "list": []byte(version + "\n")} {
		if err := os.WriteFile(filepath.Join(versions, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	copyFile(t, filepath.Join(tree, folder, "go.mod"), filepath.Join(versions, version+".mod"))
}

// treeFile is a file of a module, as package zip wants it.
type treeFile struct{ inner, path string }

func (f treeFile) Path() string                 { return filepath.ToSlash(f.inner) }
func (f treeFile) Lstat() (os.FileInfo, error)  { return os.Lstat(f.path) }
func (f treeFile) Open() (io.ReadCloser, error) { return os.Open(f.path) }

// copyFile copies a file, and makes its folder. A file that git has and the tree has
// not is left out.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Lstat(from)
	if os.IsNotExist(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, info.Mode().Perm()); err != nil {
		t.Fatal(err)
	}
}

// run runs a command in a folder, with more of an environment, and returns what it
// prints.
func run(t *testing.T, dir string, env []string, name string, arguments ...string) string {
	t.Helper()
	if strings.HasPrefix(name, ".") {
		name = filepath.Join(dir, name)
	}
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir = dir
	command.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(arguments, " "), err, out, stderr.String())
	}
	return string(out)
}
