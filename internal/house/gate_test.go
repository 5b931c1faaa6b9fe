//go:build linux && !race

// What the race detector would watch here are other processes.

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGate runs .ci/run over jobs that do nothing. One of them fails, leaves a file, or lacks
// what it needs: the gate fails then, and says which job it was.
func TestGate(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not there: ", err)
	}
	dir := t.TempDir()
	copied := func(name string, change func(string) string) {
		text, err := os.ReadFile(filepath.Join("../../.ci", name))
		if err == nil {
			err = errors.Join(os.MkdirAll(filepath.Join(dir, ".ci"), 0o700), os.WriteFile(filepath.Join(dir, ".ci", name), []byte(change(string(text))), 0o700))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	same := func(text string) string { return text }
	copied("run", same)
	copied("modules", same)
	copied("common", func(text string) string { return text + "\ninterpreters=($NEEDS)\n" })
	var jobs []string
	copied("jobs", func(text string) string {
		jobs = strings.Fields(regexp.MustCompile(`(?m)^jobs=\((.*)\)$`).FindStringSubmatch(text)[1])
		for _, job := range jobs {
			if !strings.Contains(text, "\njob_"+job+"() ") {
				t.Errorf("the job %s has no function", job)
			}
		}
		return "jobs=(" + strings.Join(jobs, " ") + ")\nfor job in \"${jobs[@]}\"; do\n" +
			"eval \"job_$job() { if [ '$job' = \\\"\\${BAD:-}\\\" ]; then false; fi; if [ '$job' = \\\"\\${LEAVES:-}\\\" ]; then touch left; fi; }\"\ndone\n"
	})
	git := func(args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "x")
	gate := func(env []string, args ...string) (string, bool) {
		cmd := exec.CommandContext(t.Context(), bash, append([]string{filepath.Join(dir, ".ci", "run")}, args...)...)
		cmd.Env = append(os.Environ(), append([]string{"CI=", "NEEDS=", "BAD=", "LEAVES="}, env...)...)
		out, err := cmd.CombinedOutput()
		return string(out), err == nil
	}
	// None of these needs a judge that this machine may lack.
	plain := []string{"race", "modules", "lint", "soak", "fuzz", "quick"}
	if out, ok := gate(nil, plain...); !ok || strings.Count(out, "ok ") != len(plain)+1 {
		t.Errorf("no job fails:\n%s", out)
	}
	for _, bad := range plain {
		if out, ok := gate([]string{"BAD=" + bad}, plain...); ok || !strings.Contains(out, "FAIL  "+bad+" ") || strings.Count(out, "ok ") != len(plain)-1 {
			t.Errorf("%s fails:\n%s", bad, out)
		}
		if _, ok := gate([]string{"BAD=" + bad}, bad); ok {
			t.Errorf("%s fails alone, and the gate does not", bad)
		}
	}
	if out, ok := gate([]string{"NEEDS=a-judge-that-is-missing:its-package"}, "test"); ok || !strings.Contains(out, "missing: its-package") {
		t.Errorf("a judge is missing:\n%s", out)
	}
	if out, ok := gate(nil, "none"); ok || !strings.Contains(out, strings.Join(jobs, " ")) {
		t.Errorf("there is no such job:\n%s", out)
	}
	if out, ok := gate([]string{"LEAVES=fuzz"}, "quick", "fuzz"); ok || !strings.Contains(out, "?? left") {
		t.Errorf("a job leaves a file:\n%s", out)
	}
}
