package channels

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// action is what action.yml says.
type action struct {
	Inputs map[string]struct{ Description, Default string }
	Runs   struct {
		Using string
		Steps []struct {
			Uses, Run, Shell string
			With, Env        map[string]string
		}
	}
}

var (
	pinned     = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	expression = regexp.MustCompile(`^\$\{\{ inputs\.([\w-]+) \}\}$`)
)

// TestAction reads action.yml: the workflows use the same actions, its script gets no
// input but by the environment, and each input is used.
func TestAction(t *testing.T) {
	a := readYAML[action](t, "action.yml")
	if a.Runs.Using != "composite" {
		t.Errorf("it runs by %q", a.Runs.Using)
	}
	ci := readFile(t, ".github/workflows/ci.yml")
	used := map[string]bool{"setup-go": true} // in a condition
	for _, step := range a.Runs.Steps {
		if step.Uses != "" && (!pinned.MatchString(step.Uses) || !strings.Contains(ci, "uses: "+step.Uses)) {
			t.Errorf("%s is not the action that ci.yml uses, by the hash of a commit", step.Uses)
		}
		if strings.Contains(step.Run, "${{") {
			t.Errorf("an expression is part of the script %q", step.Run)
		}
		for name, value := range step.Env {
			if m := expression.FindStringSubmatch(value); m == nil {
				t.Errorf("%s is %q, not an input", name, value)
			} else {
				used[m[1]] = true
			}
		}
	}
	for name, input := range a.Inputs {
		if !used[name] || input.Description == "" {
			t.Errorf("the input %s is not used, or has no description", name)
		}
	}
	for name := range used {
		if _, ok := a.Inputs[name]; !ok {
			t.Errorf("there is no input %s", name)
		}
	}
}

// runAction runs the scripts of action.yml in a folder, as GitHub does, and returns what they
// print and the exit code.
func runAction(t *testing.T, folder string, env []string, inputs map[string]string) (printed string, code int) {
	t.Helper()
	a := readYAML[action](t, "action.yml")
	for name := range inputs {
		if _, ok := a.Inputs[name]; !ok {
			t.Fatalf("there is no input %s", name)
		}
	}
	for _, step := range a.Runs.Steps {
		if step.Run == "" {
			continue
		}
		cmd := exec.CommandContext(t.Context(), step.Shell, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
		cmd.Dir = folder
		cmd.Env = append(environment("GITHUB_ACTION_PATH="+rootPath(t, ".")), env...)
		for name, value := range step.Env {
			input := expression.FindStringSubmatch(value)[1]
			given, ok := inputs[input]
			if !ok {
				given = a.Inputs[input].Default
			}
			cmd.Env = append(cmd.Env, name+"="+given)
		}
		out, err := cmd.CombinedOutput()
		printed += string(out)
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			return printed, exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return printed, 0
}

// TestActionAnnotates runs the action in a repository, whose module is in a folder with a
// space in its name: it passes while generated code is as it should be, and fails with an
// annotation when it is not.
func TestActionAnnotates(t *testing.T) {
	repository, module := newRepository(t)
	here := map[string]string{"working-directory": "my service"}
	with := func(more map[string]string) map[string]string {
		all := map[string]string{"working-directory": "my service"}
		maps.Copy(all, more)
		return all
	}
	expect := func(inputs map[string]string, wantCode int, want string) {
		t.Helper()
		printed, code := runAction(t, repository, nil, inputs)
		if code != wantCode || !strings.Contains(printed, want) || (wantCode == 0) == strings.Contains(printed, "::error") {
			t.Errorf("%v: the exit code is %d, not %d, or nothing like %q is in:\n%s", inputs, code, wantCode, want, printed)
		}
	}
	expect(here, 0, "")
	expect(with(map[string]string{"command": "vet", "packages": "./shop"}), 0, "")
	expect(with(map[string]string{"command": "analyze", "packages": "./shop", "args": "-in\norders.ndjson\n-partitions\n5\n"}), 0, "::notice")
	expect(map[string]string{}, 2, "::error::go.mod has no tool pkgen: set version")

	generated := filepath.Join(module, "shop", "order_cosmos.go")
	text := read(t, generated)
	write(t, generated, text+"\n// changed by hand\n")
	expect(here, 1, "::error file=my service/shop/order_cosmos.go::order_cosmos.go is out of date")

	write(t, generated, text)
	expect(here, 0, "")
	source := filepath.Join(module, "shop", "order.go")
	write(t, source, strings.Replace(read(t, source), "buckets=8", "buckets=9", 1))
	expect(here, 3, "::error file=my service/shop/order.go,line=4,col=")
	expect(with(map[string]string{"command": "vet"}), 1, "::error file=my service/shop/order.go,line=")
}

// hostile are inputs that a shell would run, or split, or take for a pattern.
var hostile = []string{
	"$(touch owned)", "`touch owned`", "; touch owned", "&& touch owned", "| touch owned", "'; touch owned; '", `"; touch owned; "`,
	"*", "a b", "${HOME}", "\\", "<(touch owned)", "> owned", "a\n::warning::injected", "a\r::warning::injected",
}

// TestActionHostile gives the action inputs that must not run: a program in the place of the
// go command prints the arguments that it gets.
func TestActionHostile(t *testing.T) {
	bin, folder := t.TempDir(), t.TempDir()
	write(t, filepath.Join(bin, "go"), "#!/bin/sh\n[ \"$2\" = -n ] || for a; do printf '<%s>' \"$a\"; done\n")
	if err := os.Chmod(filepath.Join(bin, "go"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "file"), "") // for a pattern to find
	env := []string{"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH")}
	for _, text := range hostile {
		for _, input := range []string{"command", "version", "working-directory"} {
			printed, code := runAction(t, folder, env, map[string]string{input: text})
			if code != 2 || !strings.HasPrefix(printed, "::error::") || strings.Count(printed, "\n") != 1 || strings.Contains(printed, "\r") {
				t.Errorf("%s %q: the exit code is %d, and it prints %q", input, text, code, printed)
			}
		}
		want := "<tool><pkgen><-check><-format><github>"
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' }) {
			want += "<" + word + ">"
		}
		if printed, code := runAction(t, folder, env, map[string]string{"args": text, "packages": "./a\n  ./b"}); code != 0 || printed != want+"<--><./a><./b>" {
			t.Errorf("arguments %q: the exit code is %d, and the program gets %s", text, code, printed)
		}
		want = "<tool><pkgen><vet><-format><github><-->"
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ' ' }) {
			want += "<" + word + ">"
		}
		if printed, code := runAction(t, folder, env, map[string]string{"command": "vet", "packages": text}); code != 0 || printed != want {
			t.Errorf("packages %q: the exit code is %d, and the program gets %s", text, code, printed)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || !slices.EqualFunc(entries, []string{"file"}, func(e os.DirEntry, name string) bool { return e.Name() == name }) {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	// Each command, as it is run.
	for _, test := range []struct{ command, want string }{
		{"verify", "<tool><pkgen><verify><-format><github><--><./...>"},
		{"rulog", "<tool><pkgen><rulog><-format><github><--><./...>"},
		{"doctor", "<tool><pkgen><doctor><--><./...>"},
	} {
		if printed, code := runAction(t, folder, env, map[string]string{"command": test.command}); code != 0 || printed != test.want {
			t.Errorf("%s: the exit code is %d, and the program gets %s", test.command, code, printed)
		}
	}
}
