package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHelp holds each help to a screen, and has it show an example.
func TestHelp(t *testing.T) {
	for _, c := range documented() {
		var stdout, stderr bytes.Buffer
		args := []string{"-h"}
		if c.name != "" {
			args = append(strings.Fields(c.name), "-h")
		}
		if code := run(t.Context(), args, &stdout, &stderr); code != exitDone || stderr.Len() > 0 {
			t.Errorf("%s: exit code %d, %s", c.title(), code, stderr.String())
		}
		lines := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
		height := screenLines
		if c.name == "analyze" { // it reads five sources, most with flags of their own
			height += 3
		}
		if len(lines) > height {
			t.Errorf("%s: %d lines\n%s", c.title(), len(lines), stdout.String())
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > screenColumns {
				t.Errorf("%s: a line of more than %d columns: %s", c.title(), screenColumns, line)
			}
		}
		if len(c.examples) == 0 {
			t.Errorf("%s: no example", c.title())
		}
		for _, e := range c.examples {
			if !strings.Contains(e.line, "pkgen") || !strings.Contains(stdout.String(), "\n  "+e.line) {
				t.Errorf("%s: the help has no line %q", c.title(), e.line)
			}
		}
		if c.name == "" {
			continue
		}
		var help bytes.Buffer
		if code := run(t.Context(), append([]string{"help"}, strings.Fields(c.name)...), &help, &stderr); code != exitDone || help.String() != stdout.String() {
			t.Errorf("help %s: exit code %d\n%s", c.name, code, help.String())
		}
	}
}
