package bench

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator"
)

// BenchmarkCompile measures what the compiler makes of a document type: README's,
// and one of 30 fields, each with its generated code and without. The metrics are
// the compiler's CPU time, the bytes of the archive, and the bytes of its machine
// code; what generated code adds is the difference. All packages that the code
// imports are compiled before.
func BenchmarkCompile(b *testing.B) {
	for _, name := range []string{"readme", "wide"} {
		sources, err := filepath.Glob(filepath.Join("testdata", "compile", name, "*.go"))
		if err != nil || len(sources) != 1 {
			b.Fatal(sources, err)
		}
		text, err := os.ReadFile(sources[0])
		if err != nil {
			b.Fatal(err)
		}
		dir := compiled(b, string(text))
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) != 2 {
			b.Fatal(files, err)
		}
		b.Run(name+"/struct", func(b *testing.B) { compile(b, dir, filepath.Join(dir, "document.go")) })
		b.Run(name+"/generated", func(b *testing.B) { compile(b, dir, files...) })
	}
}

// compiled returns the folder of a package of text and its generated code, in a
// module of its own, with the file importcfg, by which the compiler finds what the
// package imports.
func compiled(b *testing.B, text string) string {
	b.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		b.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		b.Fatal(err)
	}
	module, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	_, requires, _ := strings.Cut(string(module), "\n")
	write(b, filepath.Join(dir, "go.mod"), "module example.com/price\n"+requires+
		"\nrequire github.com/cosmos-pkgen/pkgen v0.0.0\n\nreplace github.com/cosmos-pkgen/pkgen => "+root+"\n")
	write(b, filepath.Join(dir, "go.sum"), string(sums))
	write(b, filepath.Join(dir, "document.go"), text)
	result, err := generator.Generate(context.Background(), generator.Options{Dir: dir, Env: append(os.Environ(), "GOFLAGS=-mod=mod")})
	if err != nil || result.Err() != nil || result.Commit() != nil {
		b.Fatal(err, result.Err())
	}
	list := exec.Command("go", "list", "-mod=mod", "-trimpath", "-export", "-deps", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", ".")
	list.Dir = dir
	packages, err := list.Output()
	if err != nil {
		b.Fatal(err)
	}
	write(b, filepath.Join(dir, "importcfg"), string(packages))
	return dir
}

// compile measures the compilation of files.
func compile(b *testing.B, dir string, files ...string) {
	archive := filepath.Join(b.TempDir(), "price.a")
	arguments := append([]string{"tool", "compile", "-p", "example.com/price", "-trimpath", dir, "-importcfg", filepath.Join(dir, "importcfg"), "-pack", "-o", archive}, files...)
	var cpu float64
	n := 0
	for b.Loop() {
		command := exec.Command("go", arguments...)
		if out, err := command.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		cpu += (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds()
		n++
	}
	info, err := os.Stat(archive)
	if err != nil {
		b.Fatal(err)
	}
	symbols, err := exec.Command("go", "tool", "nm", "-size", archive).Output()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(cpu/float64(n), "cpu-s/op")
	b.ReportMetric(float64(info.Size())/1e6, "MB")
	b.ReportMetric(float64(codeSize(symbols))/1e6, "code-MB")
}

// codeSize adds up the sizes of functions in what go tool nm prints.
func codeSize(symbols []byte) int {
	total := 0
	for line := range bytes.Lines(symbols) {
		fields := strings.Fields(string(line))
		for i := 1; i < len(fields) && i < 4; i++ { // the address, which may be missing, the size, and the kind
			if size, err := strconv.Atoi(fields[i-1]); err == nil && strings.EqualFold(fields[i], "t") {
				total += size
			}
		}
	}
	return total
}
