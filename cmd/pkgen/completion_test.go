package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func script(t *testing.T, shell string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"completion", shell}, &stdout, &stderr); code != exitDone {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	return stdout.String()
}

// completionCases are command lines up to the cursor, and the words that are
// offered there in addition to files.
var completionCases = []struct {
	line string
	want []string
}{
	{"pkgen exp", []string{"explain"}},
	{"pkgen -ch", []string{"-check"}},
	{"pkgen -check -format ", []string{"github", "json", "text"}},
	{"pkgen -check -format j", []string{"json"}},
	{"pkgen -format=j", []string{"json"}},
	{"pkgen -check exp", nil},
	{"pkgen ./a exp", nil},
	{"pkgen ./a -ch", []string{"-check"}},
	{"pkgen -type expl", nil},
	{"pkgen explain -c", []string{"-container"}},
	{"pkgen explain ./a -c", []string{"-container"}},
	{"pkgen explain -container t", []string{"terraform"}},
	{"pkgen explain -container=", []string{"az", "bicep", "terraform"}},
	{"pkgen explain expl", nil},
	{"pkgen explain keys -la", nil},
	{"pkgen keys -lang j", []string{"java", "javascript"}},
	{"pkgen keys -lang java -t", []string{"-tags", "-type"}},
	{"pkgen completion ", []string{"bash", "fish", "zsh"}},
	{"pkgen help emu", []string{"emulator"}},
	{"pkgen help explain -", nil},
	{"pkgen emulator -part", []string{"-partitions"}},
	{"pkgen -check tags -s", []string{"-stdout"}},
}

// found returns the path of a shell, or "". With CI=true it has to be there.
func found(t *testing.T, shell string) string {
	t.Helper()
	path, err := exec.LookPath(shell)
	switch {
	case err == nil:
		return path
	case os.Getenv("CI") == "true":
		t.Fatalf("%s is not found: install it, or its completion is not checked", shell)
	}
	t.Logf("NOT RUN: %s is not found, so its completion is not checked", shell)
	return ""
}

// offers compares the words that a shell offers for a line. After "=" it may
// repeat the flag.
func offers(t *testing.T, shell, line string, got, want []string) {
	t.Helper()
	flag, _, _ := strings.Cut(line[strings.LastIndex(line, " ")+1:], "=")
	for i, word := range got {
		got[i] = strings.TrimPrefix(word, flag+"=")
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s completes %q by %q, want %q", shell, line, got, want)
	}
}

// wordBreak separates words as bash does for completion, "=" for one of them
// ("Bash Variables", COMP_WORDBREAKS).
var wordBreak = strings.NewReplacer("=", " = ")

// TestCompletionBash completes command lines as bash does.
func TestCompletionBash(t *testing.T) {
	bash := found(t, "bash")
	if bash == "" {
		return
	}
	const complete = `
COMP_WORDS=(pkgen "$@")
COMP_CWORD=$#
_pkgen
printf '%s\n' "${COMPREPLY[@]}"
`
	source := script(t, "bash")
	for _, test := range completionCases {
		words := strings.Fields(wordBreak.Replace(test.line))
		if strings.HasSuffix(test.line, " ") {
			words = append(words, "")
		}
		out, err := exec.Command(bash, append([]string{"-uc", source + complete, "bash"}, words[1:]...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", test.line, err, out)
		}
		offers(t, bash, test.line, strings.Fields(string(out)), test.want)
	}
}

// TestCompletionFish asks fish itself.
func TestCompletionFish(t *testing.T) {
	fish := found(t, "fish")
	if fish == "" {
		return
	}
	file := filepath.Join(t.TempDir(), "pkgen.fish")
	if err := os.WriteFile(file, []byte(script(t, "fish")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range completionCases {
		command := exec.Command(fish, "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", file, test.line)
		command.Dir = t.TempDir() // without files
		command.Env = append(command.Environ(), "HOME="+command.Dir)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", test.line, err, out)
		}
		var words []string
		for line := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")                 // and what it does
			if !strings.HasSuffix(test.line, " -") || strings.HasPrefix(word, "-") { // fish looks within words, too
				words = append(words, word)
			}
		}
		offers(t, fish, test.line, words, test.want)
	}
}

// TestCompletionZsh presses the tab key in a terminal of zsh.
func TestCompletionZsh(t *testing.T) {
	zsh := found(t, "zsh")
	if zsh == "" {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a shell that does not answer is waited for
	defer cancel()
	home := t.TempDir()
	for name, text := range map[string]string{"script": script(t, "zsh"), ".zshrc": zshSetup, "press": zshPress} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, setup := range map[string]string{"sourced": "source $ZDOTDIR/script", "in fpath": "mkdir -p $ZDOTDIR/f && cp $ZDOTDIR/script $ZDOTDIR/f/_pkgen && fpath=($ZDOTDIR/f $fpath) && compinit -u -D"} {
		args := []string{"-f", filepath.Join(home, "press")}
		for _, test := range completionCases {
			args = append(args, test.line)
		}
		command := exec.CommandContext(ctx, zsh, args...)
		command.Dir = t.TempDir() // without files
		command.Env = append(command.Environ(), "ZDOTDIR="+home, "SETUP="+setup, "TERM=dumb")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if len(answers) != len(completionCases) {
			t.Fatalf("%s: %d answers for %d lines:\n%s", name, len(answers), len(completionCases), out)
		}
		for i, test := range completionCases {
			// The line has all the offered words, in place of the word.
			var words []string
			if answers[i] != test.line { // something is
				words = strings.Fields(answers[i][strings.LastIndex(test.line, " "):])
			}
			offers(t, zsh+" "+name, test.line, words, test.want)
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
