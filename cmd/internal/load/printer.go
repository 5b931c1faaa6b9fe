package load

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Printer prints the findings of a run.
type Printer interface {
	Diagnostic(d generator.Diagnostic)
	Stale(f StaleFile)
	Draft(d Draft)
	Failure(err error) // an error that ended the run
	Flush() error      // prints pending output
}

// NewPrinter returns the printer of a format. Diagnostics go to standard error, stale files to
// standard output, and a JSON array of both to standard output.
func NewPrinter(format string, stdout, stderr io.Writer) Printer {
	switch format {
	case cli.FormatGitHub:
		return githubPrinter{stdout, stderr, repositoryRoot()}
	case cli.FormatJSON:
		return &jsonPrinter{stdout: stdout}
	}
	return TextPrinter{stdout, stderr}
}

// TextPrinter prints for people and editors.
type TextPrinter struct{ stdout, Stderr io.Writer }

// Diagnostic prints a finding to standard error.
func (p TextPrinter) Diagnostic(d generator.Diagnostic) { fmt.Fprintln(p.Stderr, d) }

// Stale prints a file that is out of date.
func (p TextPrinter) Stale(f StaleFile) {
	fmt.Fprintf(p.stdout, "%s: %s\n", plain.Word(cli.Shown(f.Path)), f.why())
}

// Draft prints a layout that is a draft.
func (p TextPrinter) Draft(d Draft) { fmt.Fprintf(p.stdout, "%s: %s\n", plain.Word(d.Pos.String()), d) }

// Failure prints an error.
func (p TextPrinter) Failure(err error) { cli.Fail(p.Stderr, err) }

// Flush does nothing.
func (p TextPrinter) Flush() error { return nil }

// githubPrinter prints workflow commands, which GitHub shows at the lines of a pull request
// ("Workflow commands for GitHub Actions"). GitHub reads them from standard output and standard
// error.
type githubPrinter struct {
	stdout, Stderr io.Writer
	root           string // base of relative paths
}

func (p githubPrinter) Diagnostic(d generator.Diagnostic) {
	level := "error"
	if d.Severity == generator.Note {
		level = "notice"
	}
	message := d.Message
	if d.Severity == generator.Refused {
		message = d.Severity.String() + ": " + message
	}
	if d.Pos.Filename == "" {
		fmt.Fprintf(p.Stderr, "::%s::%s\n", level, cli.GitHubText(message))
		return
	}
	fmt.Fprintf(p.Stderr, "::%s file=%s,line=%d,col=%d::%s\n", level, p.path(d.Pos.Filename), d.Pos.Line, d.Pos.Column, cli.GitHubText(message))
}

func (p githubPrinter) Stale(f StaleFile) {
	fmt.Fprintf(p.stdout, "::error file=%s::%s\n", p.path(f.Path), cli.GitHubText(filepath.Base(f.Path)+" is out of date: "+f.why()))
}

func (p githubPrinter) Draft(d Draft) {
	fmt.Fprintf(p.stdout, "::error file=%s,line=%d,col=%d::%s\n", p.path(d.Pos.Filename), d.Pos.Line, d.Pos.Column, cli.GitHubText(d.String()))
}

func (p githubPrinter) Failure(err error) {
	fmt.Fprintf(p.Stderr, "::error::%s\n", cli.GitHubText(cli.Message(err)))
}

func (p githubPrinter) Flush() error { return nil }

// path returns a path as a property of a command.
func (p githubPrinter) path(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if rel, err := filepath.Rel(p.root, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return cli.GitHubProperty.Replace(plain.Text(filepath.ToSlash(path)))
}

// repositoryRoot returns the folder above the working directory with .git, or the working
// directory.
func repositoryRoot() string {
	wd, err := os.Getwd()
	if err != nil {
		return "."
	}
	for dir := wd; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return wd
		}
	}
}

// jsonPrinter collects an array of findings and files.
type jsonPrinter struct {
	stdout io.Writer
	found  []any
}

// JSONDiagnostic is a diagnostic in JSON. Its form is public.
type JSONDiagnostic struct {
	File     string `json:"file,omitempty"` // with slashes, relative to the working directory if it is below
	Line     int    `json:"line,omitempty"` // from 1
	Column   int    `json:"column,omitempty"`
	Severity string `json:"severity"` // error, refused, note or draft
	Message  string `json:"message"`
	Note     string `json:"note,omitempty"` // the name by which a tag acknowledges it
}

// severityDraft is the severity of a draft that -check finds.
const severityDraft = "draft"

// JSONFile is a stale file in JSON. Its form is public.
type JSONFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"` // missing, differs or gone
}

func (p *jsonPrinter) Diagnostic(d generator.Diagnostic) {
	p.found = append(p.found, JSONDiagnostic{filepath.ToSlash(d.Pos.Filename), d.Pos.Line, d.Pos.Column, d.Severity.String(), d.Message, d.Name})
}

func (p *jsonPrinter) Stale(f StaleFile) {
	p.found = append(p.found, JSONFile{filepath.ToSlash(cli.Shown(f.Path)), f.reason})
}

func (p *jsonPrinter) Draft(d Draft) {
	p.found = append(p.found, JSONDiagnostic{
		File: filepath.ToSlash(d.Pos.Filename), Line: d.Pos.Line, Column: d.Pos.Column,
		Severity: severityDraft, Message: d.String(),
	})
}

func (p *jsonPrinter) Failure(err error) {
	p.found = append(p.found, JSONDiagnostic{Severity: generator.Error.String(), Message: cli.Message(err)})
}

func (p *jsonPrinter) Flush() error {
	if p.found == nil {
		p.found = []any{}
	}
	return cli.WriteJSON(p.stdout, p.found)
}
