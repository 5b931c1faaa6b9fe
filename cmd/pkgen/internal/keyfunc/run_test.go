package keyfunc

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/scratch"
)

// A program runs the functions of all cases. It reads a line for each vector,
// the number of the case and each input in hexadecimal, and writes a line with
// the key: s and the text in hexadecimal, b and a boolean, n and a number, with
// commas between levels, or "refused".
type program struct {
	language string
	packages string   // of Debian, that have the tools
	tools    []string // what has to be found
	file     func(i int, f *function) string
	argument map[string]string // by kind, the expression that reads input %d
	call     string            // a case of the program: its number, its type, its arguments
	main     string            // the program, with the cases for %s
	mainFile string
	commands [][]string // to run in the program's folder
	extra    map[string]string
}

// TestLanguages runs the functions of each language over all vectors. A
// language whose tools are not found is logged and not run, so that the tests
// need Go alone; with CI=true that is a failure.
func TestLanguages(t *testing.T) {
	for _, p := range programs {
		if testing.Short() && p.language == "java" {
			continue // its compiler takes as long as all others
		}
		t.Run(p.language+" by "+p.tools[0], func(t *testing.T) {
			t.Parallel()
			for _, tool := range p.tools {
				if _, err := exec.LookPath(tool); err == nil {
					continue
				}
				if os.Getenv("CI") == "true" && p.packages != "" {
					t.Fatalf("%s is not found: install %s, or the keys of %s are not checked", tool, p.packages, p.language)
				}
				t.Logf("NOT RUN: %s is not found, so the keys of %s are not checked", tool, p.language)
				return
			}
			runProgram(t, p)
		})
	}
}

func runProgram(t *testing.T, p program) {
	dir := scratch.Dir(t)
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var calls, imports strings.Builder
	for i, c := range cases {
		source, err := written(p.language, c)
		if err != nil {
			t.Fatal(err)
		}
		f := newFunction(c)
		write(p.file(i, f), source)
		calls.WriteString(p.caseOf(i, f))
		fmt.Fprintf(&imports, importLines[p.language], i, snake(f.functionWords()), camel(f.functionWords()))
	}
	write(p.mainFile, strings.NewReplacer("IMPORTS", imports.String(), "CASES", calls.String()).Replace(p.main))
	for name, text := range p.extra {
		write(name, text)
	}

	all := readVectors(t)
	var input bytes.Buffer
	for i, v := range all {
		for _, row := range v.Rows {
			fmt.Fprint(&input, i)
			for _, in := range row.In {
				input.WriteString(" " + hex.EncodeToString([]byte(in)))
			}
			input.WriteByte('\n')
		}
	}
	lines := strings.Split(strings.TrimSpace(runCommands(t, p, dir, &input)), "\n")
	next := 0
	for _, v := range all {
		for _, row := range v.Rows {
			if next == len(lines) {
				t.Fatalf("the program wrote %d lines, fewer than there are vectors", next)
			}
			if got, want := readKey(lines[next]), fmt.Sprintf("%q", row.Key); got != want {
				t.Errorf("%s of %q = %s, want %s", v.Type, row.In, got, want)
			}
			next++
		}
	}
	if next != len(lines) {
		t.Errorf("the program wrote %d lines for %d vectors", len(lines), next)
	}
}

// importLines import a case into the program, where the language needs it:
// number, and names of the function.
var importLines = map[string]string{
	"python":     "from case%[1]d import %[2]s as case%[1]d\n",
	"javascript": "import { %[3]s as case%[1]d } from \"./case%[1]d.mjs\";\n",
	"go":         "case%[1]d \"keys/case%[1]d\"\n",
	"java":       "",
	"csharp":     "",
}

// caseOf writes the call of a case.
func (p program) caseOf(i int, f *function) string {
	args := make([]string, len(f.params))
	for j, param := range f.params {
		args[j] = fmt.Sprintf(p.argument[kindName(param)], j+1)
	}
	name := pascal(f.functionWords())
	if p.language == "go" {
		name = f.Name + "PartitionKey"
	}
	call := strings.NewReplacer("NUMBER", strconv.Itoa(i), "NAME", name, "ARGS", strings.Join(args, ", "))
	if p.language == "go" && f.exact(pk.Int, pk.Uint) {
		return call.Replace("case \"NUMBER\": return orRefused(caseNUMBER.NAME(ARGS))\n")
	}
	return call.Replace(p.call)
}

// runCommands runs a program over its input and returns its output.
func runCommands(t *testing.T, p program, dir string, input *bytes.Buffer) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var out []byte
	for i, args := range p.commands {
		command := exec.CommandContext(ctx, args[0], args[1:]...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "PYTHONDONTWRITEBYTECODE=1", "DOTNET_NOLOGO=1", "TZ=Asia/Kolkata")
		var stderr bytes.Buffer
		command.Stderr = &stderr
		if i == len(p.commands)-1 {
			command.Stdin = input
		}
		var err error
		if out, err = command.Output(); err != nil {
			t.Fatalf("%q: %v\n%s%s", args, err, out, stderr.Bytes())
		}
	}
	return string(out)
}

// readKey reads a line of a program's output and prints the key as the vector's
// is printed.
func readKey(line string) string {
	line = strings.TrimSpace(line)
	if line == "refused" {
		return fmt.Sprintf("%q", any(nil))
	}
	value := func(text string) any {
		switch {
		case strings.HasPrefix(text, "s"):
			if b, err := hex.DecodeString(text[1:]); err == nil {
				return string(b)
			}
		case strings.HasPrefix(text, "b"):
			return text == "btrue"
		case strings.HasPrefix(text, "n"):
			if v, err := strconv.ParseFloat(text[1:], 64); err == nil {
				return v
			}
		}
		return "the program wrote " + text
	}
	if !strings.HasPrefix(line, "[") {
		return fmt.Sprintf("%q", value(line))
	}
	var levels []any
	for text := range strings.SplitSeq(line[1:], ",") {
		levels = append(levels, value(text))
	}
	return fmt.Sprintf("%q", levels)
}
