// Package clitest has tests that each program runs over its table of commands.
package clitest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// Help tests that each help fits a screen and has an example. The commands in tall may have a few
// more lines.
func Help(t *testing.T, p *cli.Program, tall ...string) {
	t.Helper()
	for _, c := range p.All() {
		var stdout, stderr bytes.Buffer
		args := append(strings.Fields(c.Name), "-h")
		if code := p.Run(t.Context(), args, &stdout, &stderr); code != cli.Done || stderr.Len() > 0 {
			t.Errorf("%s: exit code %d, %s", c.Title(), code, stderr.String())
		}
		lines := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
		height := cli.ScreenLines
		for _, name := range tall {
			if name == c.Name {
				height += 5
			}
		}
		if len(lines) > height {
			t.Errorf("%s: %d lines\n%s", c.Title(), len(lines), stdout.String())
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > cli.ScreenColumns {
				t.Errorf("%s: a line of more than %d columns: %s", c.Title(), cli.ScreenColumns, line)
			}
		}
		if len(c.Examples) == 0 {
			t.Errorf("%s: no example", c.Title())
		}
		for _, e := range c.Examples {
			if !strings.Contains(e[0], p.Name) || !strings.Contains(stdout.String(), "\n  "+e[0]) {
				t.Errorf("%s: the help has no line %q", c.Title(), e[0])
			}
		}
		if c.Name == "" {
			continue
		}
		var help bytes.Buffer
		if code := p.Run(t.Context(), append([]string{"help"}, strings.Fields(c.Name)...), &help, &stderr); code != cli.Done || help.String() != stdout.String() {
			t.Errorf("help %s: exit code %d\n%s", c.Name, code, help.String())
		}
	}
}

// Manual returns the part of docs/cli.md that is generated from the commands of a program and from
// the files of a folder, whose text is too long for help. It compares page with that part, or
// updates page.
func Manual(t *testing.T, p *cli.Program, page, folder string, update bool) string {
	t.Helper()
	part := manual(t, p, folder)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	first, last := fmt.Sprintf("<!-- %s -->\n", p.Name), fmt.Sprintf("<!-- the end of %s -->\n", p.Name)
	before, rest, begins := strings.Cut(string(text), first)
	old, after, ends := strings.Cut(rest, last)
	if !begins || !ends {
		t.Fatalf("%s has no part %sand %s", page, first, last)
	}
	switch {
	case old == part:
	case update:
		if err := os.WriteFile(page, []byte(before+first+part+last+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is out of date: run go test ./cmd/%s -run TestManual -update", page, p.Name)
	}
	return part
}

func manual(t *testing.T, p *cli.Program, folder string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n" + section(t, folder, "intro"))
	for _, c := range p.All() {
		fmt.Fprintf(&b, "\n## %s\n\n```\n%s\n```\n\n%s\n\n```\n", c.Title(), c.Usage(), c.About)
		width := 0
		for _, e := range c.Examples {
			width = max(width, len(e[0]))
		}
		for _, e := range c.Examples {
			if e[1] == "" {
				fmt.Fprintf(&b, "%s\n", e[0])
			} else {
				fmt.Fprintf(&b, "%-*s  # %s\n", width, e[0], e[1])
			}
		}
		b.WriteString("```\n")
		if rows := c.FlagRows(); len(rows) > 0 {
			b.WriteString("\n| flag | |\n|---|---|\n")
			for _, row := range rows {
				fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(row[0], "|", `\|`), row[1])
			}
		}
		name := c.Name
		if name == "" {
			name = p.Name
		}
		if text := section(t, folder, name); text != "" {
			b.WriteString("\n" + text)
		}
	}
	b.WriteString("\n")
	return b.String()
}

// section returns a file of a folder, or "".
func section(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name+".md"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}
