package channels

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hook is an entry of .pre-commit-hooks.yaml.
type hook struct {
	ID, Name, Description, Entry, Language, Files string
	PassFilenames                                 *bool `yaml:"pass_filenames"`
}

// TestHooks runs the hooks in a repository with a staged struct, as pre-commit does:
// pkgen-generate lets the commit go on once its files are staged, and pkgen-check once the
// layout is bound.
func TestHooks(t *testing.T) {
	hooks := map[string]hook{}
	for _, h := range readYAML[[]hook](t, ".pre-commit-hooks.yaml") {
		hooks[h.ID] = h
		files, err := regexp.Compile(h.Files)
		if err != nil || h.Language != "script" || h.PassFilenames == nil || *h.PassFilenames || h.Name == "" || h.Description == "" {
			t.Errorf("%+v, %v", h, err)
			continue
		}
		for name, want := range map[string]bool{"a/b.go": true, "pkgen.lock": true, "a/pkgen.lock": true, "go.mod": true, "README.md": false, "mypkgen.lock": false} {
			if files.MatchString(name) != want {
				t.Errorf("the hook %s for %s: %v", h.ID, name, !want)
			}
		}
	}
	if len(hooks) != 2 {
		t.Fatalf("there are %d hooks", len(hooks))
	}
	repository, module := newRepository(t)
	run(t, repository, "git", "add", ".")
	expect := func(id string, wantCode int, want string) {
		t.Helper()
		words := strings.Fields(hooks[id].Entry)
		cmd := exec.CommandContext(t.Context(), rootPath(t, words[0]), append(words[1:], "my service")...)
		cmd.Dir = repository
		cmd.Env = environment()
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != wantCode || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, want exit code %d and %q:\n%s", id, err, wantCode, want, out)
		}
	}
	expect("pkgen-generate", 0, "")
	expect("pkgen-check", 0, "")

	source := filepath.Join(module, "shop", "memo.go")
	write(t, source, "package shop\n\n// Memo is a document.\ntype Memo struct {\n\tID string `json:\"id\" cosmos:\"id,pk\"`\n}\n")
	run(t, repository, "git", "add", ".")
	expect("pkgen-check", 1, "shop/memo_cosmos.go: missing")
	expect("pkgen-generate", 1, "pkgen has written files: stage them, and commit again")
	expect("pkgen-generate", 1, "shop/memo_cosmos.go\npkgen has written these files, which are untracked")
	run(t, repository, "git", "add", ".")
	expect("pkgen-generate", 0, "")
	expect("pkgen-check", 1, "the layout of type Memo is a draft")
	run(t, module, "go", "tool", "pkgen", "seal", "./...")
	expect("pkgen-check", 0, "")

	write(t, source, strings.Replace(read(t, source), "id,pk", "pkk", 1))
	expect("pkgen-generate", 2, `unknown word "pkk"`)
}
