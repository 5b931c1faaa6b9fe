package consumer

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// golangci is golangci-lint in the version that docs/ci.md names.
const (
	golangci        = "github.com/golangci/golangci-lint/v2"
	golangciVersion = "v2.12.2"
)

// TestGolangciLint builds a golangci-lint by the two files in docs/ci.md, with the plugin from
// the proxy, and runs it on a module with a mistake. golangci-lint clones its own repository:
// here it gets the source of its module.
func TestGolangciLint(t *testing.T) {
	if testing.Short() || os.Getenv("CI") == "" {
		t.Log("NOT RUN: builds golangci-lint, which takes minutes: set CI=true, and leave out -short")
		return
	}
	env := environment(t)
	var source struct{ Dir string }
	if err := json.Unmarshal([]byte(run(t, ".", nil, "go", "mod", "download", "-json", golangci+"@"+golangciVersion)), &source); err != nil {
		t.Fatal(err)
	}
	clone := t.TempDir()
	if err := os.CopyFS(clone, os.DirFS(source.Dir)); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range []string{"init -q", "add -A -f .", "-c user.name=n -c user.email=e commit -q -m source", "tag " + golangciVersion} {
		run(t, clone, nil, "git", strings.Fields(arguments)...)
	}
	env = append(env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://"+clone+".insteadOf", "GIT_CONFIG_VALUE_0=https://github.com/golangci/golangci-lint.git")

	dir := t.TempDir()
	page, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"go.mod":  "module example.com/shop\n\ngo 1.25.0\n",
		"shop.go": "package shop\n\n// Order is a document.\ntype Order struct {\n\tID string `json:\"id\" cosmos:\"pkk\"`\n}\n",
	}
	for _, name := range []string{".custom-gcl.yml", ".golangci.yml"} {
		block := regexp.MustCompile("(?s)```yaml\n(# " + regexp.QuoteMeta(name) + "\n.*?)```").FindSubmatch(page)
		if block == nil {
			t.Fatalf("docs/ci.md has no %s", name)
		}
		files[name] = strings.ReplaceAll(string(block[1]), "v1.2.3", version)
	}
	if !strings.Contains(files[".custom-gcl.yml"], "version: "+golangciVersion) || !strings.Contains(files[".custom-gcl.yml"], version) {
		t.Errorf("docs/ci.md has another version of golangci-lint, or none of pkgen:\n%s", files[".custom-gcl.yml"])
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, dir, env, "go", "run", golangci+"/cmd/golangci-lint@"+golangciVersion, "custom")
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "custom-gcl"), "run", "--enable-only", "pkgen", "--output.text.colors=false")
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), env...), "GOLANGCI_LINT_CACHE="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), `shop.go:5:31: unknown word "pkk"`) || !strings.Contains(string(out), "(pkgen)") {
		t.Errorf("%v:\n%s", err, out)
	}
}
