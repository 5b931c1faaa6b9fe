package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// The values of -format; the first is the default.
const (
	formatText   = "text"
	formatGitHub = "github"
	formatJSON   = "json"
)

// printer prints what a run has found.
type printer interface {
	diagnostic(d generator.Diagnostic)
	stale(f staleFile)
	draft(d draft)
	failure(err error) // what has kept the run from its end
	flush() error      // prints what waits for its end
}

// newPrinter returns the printer of a format. Diagnostics are for standard
// error, stale files for standard output, and a JSON array of both too.
func newPrinter(format string, stdout, stderr io.Writer) printer {
	switch format {
	case formatGitHub:
		return githubPrinter{stdout, stderr, repositoryRoot()}
	case formatJSON:
		return &jsonPrinter{stdout: stdout}
	}
	return textPrinter{stdout, stderr}
}

// textPrinter prints what editors and people read.
type textPrinter struct{ stdout, stderr io.Writer }

func (p textPrinter) diagnostic(d generator.Diagnostic) { fmt.Fprintln(p.stderr, d) }
func (p textPrinter) stale(f staleFile) {
	fmt.Fprintf(p.stdout, "%s: %s\n", plain.Word(shown(f.path)), f.why())
}
func (p textPrinter) draft(d draft)     { fmt.Fprintf(p.stdout, "%s: %s\n", plain.Word(d.pos.String()), d) }
func (p textPrinter) failure(err error) { fail(p.stderr, err) }
func (p textPrinter) flush() error      { return nil }

// githubPrinter prints workflow commands, which GitHub shows at the lines of a
// pull request ("Workflow commands for GitHub Actions"). GitHub reads them from
// standard output and from standard error.
type githubPrinter struct {
	stdout, stderr io.Writer
	root           string // paths are relative to it
}

func (p githubPrinter) diagnostic(d generator.Diagnostic) {
	level := "error"
	if d.Severity == generator.Note {
		level = "notice"
	}
	message := d.Message
	if d.Severity == generator.Refused {
		message = d.Severity.String() + ": " + message
	}
	if d.Pos.Filename == "" {
		fmt.Fprintf(p.stderr, "::%s::%s\n", level, githubText(message))
		return
	}
	fmt.Fprintf(p.stderr, "::%s file=%s,line=%d,col=%d::%s\n", level, p.path(d.Pos.Filename), d.Pos.Line, d.Pos.Column, githubText(message))
}

func (p githubPrinter) stale(f staleFile) {
	fmt.Fprintf(p.stdout, "::error file=%s::%s\n", p.path(f.path), githubText(filepath.Base(f.path)+" is out of date: "+f.why()))
}

func (p githubPrinter) draft(d draft) {
	fmt.Fprintf(p.stdout, "::error file=%s,line=%d,col=%d::%s\n", p.path(d.pos.Filename), d.pos.Line, d.pos.Column, githubText(d.String()))
}

func (p githubPrinter) failure(err error) {
	fmt.Fprintf(p.stderr, "::error::%s\n", githubText(message(err)))
}

func (p githubPrinter) flush() error { return nil }

// path returns a path as a property of a command.
func (p githubPrinter) path(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if rel, err := filepath.Rel(p.root, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return githubProperty.Replace(plain.Text(filepath.ToSlash(path)))
}

// What a command cannot hold as it is, from escapeData and escapeProperty of
// GitHub's actions/toolkit, packages/core/src/command.ts.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// githubText returns a message, of which GitHub's log is a terminal.
func githubText(message string) string { return githubMessage.Replace(plain.Text(message)) }

// repositoryRoot returns the folder above the working directory that holds .git,
// or the working directory.
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

// jsonDiagnostic is a diagnostic in JSON. Its form is public.
type jsonDiagnostic struct {
	File     string `json:"file,omitempty"` // with slashes, relative to the working directory if it is below
	Line     int    `json:"line,omitempty"` // from 1
	Column   int    `json:"column,omitempty"`
	Severity string `json:"severity"` // error, refused, note or draft
	Message  string `json:"message"`
	Note     string `json:"note,omitempty"` // the name by which a tag acknowledges it
}

// severityDraft is the severity of a layout that -check finds to be a draft.
const severityDraft = "draft"

// jsonFile is a stale file in JSON. Its form is public.
type jsonFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"` // missing, differs or gone
}

func (p *jsonPrinter) diagnostic(d generator.Diagnostic) {
	p.found = append(p.found, jsonDiagnostic{filepath.ToSlash(d.Pos.Filename), d.Pos.Line, d.Pos.Column, d.Severity.String(), d.Message, d.Name})
}

func (p *jsonPrinter) stale(f staleFile) {
	p.found = append(p.found, jsonFile{filepath.ToSlash(shown(f.path)), f.reason})
}

func (p *jsonPrinter) draft(d draft) {
	p.found = append(p.found, jsonDiagnostic{
		File: filepath.ToSlash(d.pos.Filename), Line: d.pos.Line, Column: d.pos.Column,
		Severity: severityDraft, Message: d.String(),
	})
}

func (p *jsonPrinter) failure(err error) {
	p.found = append(p.found, jsonDiagnostic{Severity: generator.Error.String(), Message: message(err)})
}

func (p *jsonPrinter) flush() error {
	if p.found == nil {
		p.found = []any{}
	}
	return writeJSON(p.stdout, p.found)
}

// writeJSON prints indented JSON, in which all that is not fit to be shown is
// escaped.
func writeJSON(w io.Writer, value any) error {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := io.WriteString(w, plain.JSON(b.String()))
	return err
}
