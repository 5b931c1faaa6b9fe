package main

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func script(t *testing.T, shell string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"completion", shell}, &stdout, &stderr); code != exitDone {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	return stdout.String()
}

// TestCompletionBash completes command lines as bash does.
func TestCompletionBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Log("no bash: its script is not run")
		return
	}
	const complete = `
COMP_WORDS=(pkgen "$@")
COMP_CWORD=$#
_pkgen
printf '%s\n' "${COMPREPLY[@]}"
`
	source := script(t, "bash")
	check := exec.Command(bash, "-n")
	check.Stdin = strings.NewReader(source)
	if out, err := check.CombinedOutput(); err != nil {
		t.Fatalf("bash -n: %v\n%s", err, out)
	}
	for _, test := range []struct {
		line []string
		want []string
	}{
		{[]string{"exp"}, []string{"explain"}},
		{[]string{"-ch"}, []string{"-check"}},
		{[]string{"-check", "-format", ""}, []string{"text", "github", "json"}},
		{[]string{"-check", "-format", "j"}, []string{"json"}},
		{[]string{"-check", "./e"}, nil},
		{[]string{"-type", "expl"}, nil},
		{[]string{"explain", "-c"}, []string{"-container"}},
		{[]string{"explain", "-container", "t"}, []string{"terraform"}},
		{[]string{"explain", "-container", "="}, []string{"bicep", "terraform", "az"}},
		{[]string{"explain", "-container", "=", "t"}, []string{"terraform"}},
		{[]string{"explain", "expl"}, nil},
		{[]string{"keys", "-lang", "j"}, []string{"javascript", "java"}},
		{[]string{"keys", "-lang", "java", "-t"}, []string{"-tags", "-type"}},
		{[]string{"completion", ""}, []string{"bash", "zsh", "fish"}},
		{[]string{"help", "emu"}, []string{"emulator"}},
		{[]string{"emulator", "-part"}, []string{"-partitions"}},
	} {
		out, err := exec.Command(bash, append([]string{"-c", source + complete, "bash"}, test.line...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", test.line, err, out)
		}
		if got := strings.Fields(string(out)); !slices.Equal(got, test.want) {
			t.Errorf("%q is completed by %q, want %q", test.line, got, test.want)
		}
	}
}

// TestCompletionSyntax has the other shells read their scripts, where they are.
func TestCompletionSyntax(t *testing.T) {
	for _, shell := range []string{"zsh", "fish"} {
		source := script(t, shell)
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("no %s: its script is not read", shell)
			continue
		}
		check := exec.Command(path, "-n")
		check.Stdin = strings.NewReader(source)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v\n%s", shell, err, out)
		}
	}
}

// TestCompletionKnowsAll finds each command, flag and value in each script.
func TestCompletionKnowsAll(t *testing.T) {
	for _, shell := range shellNames() {
		source := script(t, shell)
		for _, c := range commands() {
			if !strings.Contains(source, c.name) {
				t.Errorf("%s: no command %s", shell, c.name)
			}
			for _, f := range c.completions() {
				name := f.name
				if shell == "fish" {
					name = "-o " + name[1:]
				}
				if !strings.Contains(source, name) || !strings.Contains(source, strings.Join(f.values, " ")) {
					t.Errorf("%s: no %s %s with values %q", shell, c.title(), f.name, f.values)
				}
			}
		}
	}
}
