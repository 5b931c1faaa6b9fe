// Package generator generates files from struct types with cosmos tags. It loads the packages,
// makes a model of each type, checks it, renders it, and writes the files.
//
//	result, err := generator.Generate(ctx, generator.Options{Patterns: []string{"./..."}})
//	…
//	err = result.Commit()
//
// [Generate] writes nothing. It reports all mistakes in the source at once, as [Diagnostic]
// values with the line and column of the word in the tag. [Result.Commit] writes all files or
// none.
//
// Generate compares the keys with those in the lock of each folder, so Commit neither writes
// nor removes anything if the key of stored documents would change: that is [Refused], since a
// document is only found under the key with which it was stored.
//
// The packages need not compile, since users run pkgen while they do not: Generate does not
// load its own outputs, however broken, and in other files only the declarations that key
// fields depend on must be correct.
//
// Package internal/source loads, internal/facts collects facts about each document,
// internal/model makes a model of it, and internal/keychange compares the model with the locks.
// Each takes the result of the preceding one.
//
// Package annotations parses tags, package templates renders code, and package partition makes
// keys. This package does none of that. It does not print and reads no flags.
//
// # Stability
//
// The package is for the command of pkgen and for analyzers of its tags. Its API may change
// with any release.
package generator

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/keychange"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// ErrKeyChange is matched by the error of [Result.Err] and [Result.Commit] if the only errors
// are that keys of stored documents would change, or that the lock that records them is missing
// or cannot be read.
var ErrKeyChange = errors.New("a partition key would change")

// Options select the input and output. The zero value is the package of the current folder.
type Options struct {
	Dir      string   // folder that patterns are relative to; "" for the current one
	Patterns []string // package patterns of the go command; none means "."
	Types    []string // only these types, by their Go names; none means all
	Tags     string   // build tags, separated by commas
	Env      []string // environment of the go command; nil for that of this process

	// Overlay has texts that replace those of files, by absolute path.
	Overlay map[string][]byte

	// CacheDir is a folder in which runs cache formatted texts; "" for none. It saves half the
	// time if nothing has changed. It need not exist, several runs may use it at once, it grows
	// to at most 1 MiB, and it can be deleted at any time. A run does not use a folder that is
	// a link, belongs to another user, or is writable by others.
	CacheDir string

	// AcceptKeyChange turns Refused diagnostics into notes, and rewrites the lock.
	AcceptKeyChange bool

	// Seal permanently binds the layouts of drafts: those of Types, or all.
	Seal bool

	// Rekeyed confirms that no document is stored any more under the earlier numbers of buckets
	// that were removed from tags. It lets no other key change.
	Rekeyed bool

	// Ensure writes the function EnsureContainers, in a file of its own, for each package with
	// a container that has a fixed id. An existing file is updated without it.
	Ensure bool

	// Admin writes the function Administration, in a file of its own, for each package with a
	// type of the API for NoSQL, and the file of Ensure. Existing files are updated without it.
	Admin bool

	// Forget names removed types, as in locks, and removed indexes, as in Order.ByCustomer.
	// Their layouts are removed from the locks.
	Forget []string

	alone bool // packages are not compared with others, for tests that put many into one module
}

// source returns the options of loading.
func (o Options) source() source.Options {
	return source.Options{Dir: o.Dir, Patterns: o.Patterns, Types: o.Types, Tags: o.Tags, Env: o.Env, Overlay: o.Overlay}
}

// Result has the files that a run would write, and its findings.
type Result struct {
	// Files has the generated files, the files of removed types, and the lock of each folder,
	// sorted by path.
	Files []File
	// Diagnostics has all findings, sorted by file, line, column and message.
	Diagnostics []Diagnostic
	// Unseen has the drafts of locks whose types are in files that this build excludes.
	Unseen []UnseenDraft
	// Types has the document types without errors, sorted by file and in the order
	// of declaration.
	Types []TypeInfo
}

// UnseenDraft is a type whose layout is a draft, and whose file belongs to other builds.
type UnseenDraft struct {
	Name string         // as in the lock
	Pos  token.Position // of the type, or of the lock, as in a Diagnostic
}

// TypeInfo describes a document type.
type TypeInfo struct {
	Pos    token.Position  // of its name, as in a Diagnostic
	Model  *templates.Type // the input of the template
	Output string          // absolute path of the generated file
	Sealed bool            // Options.Seal binds its layout, which was a draft
	Locked bool            // Check has found the type in the lock, so Model.Draft is known
	Notes  []string        // the messages of the notes about it, without the advice to acknowledge them

	// Ambiguity is an example of different components that make the same key, or "".
	Ambiguity string
}

// Err returns an error that lists the diagnostics that are errors or Refused, or
// nil if there are none. It matches ErrKeyChange if all of them are Refused.
func (r *Result) Err() error {
	var lines []string
	refused := true
	for _, d := range r.Diagnostics {
		if d.Severity != Note {
			lines = append(lines, d.String())
			refused = refused && d.Severity == Refused
		}
	}
	switch {
	case lines == nil:
		return nil
	case refused:
		return fmt.Errorf("%w:\n%s", ErrKeyChange, strings.Join(lines, "\n"))
	}
	return errors.New(strings.Join(lines, "\n"))
}

// Generate loads the packages of o, and renders a file for each struct type with cosmos tags.
// It writes nothing: see [Result.Commit].
//
// The diagnostics of the result have all mistakes in the source, of all types and packages.
// Generate returns an error if it cannot read the source: the go command fails, a folder does
// not exist, ctx is done.
//
// It runs the go command once, and parses only the files of imported packages that documents
// depend on. For packages that use cgo, import without a name, or have errors that affect
// documents, it runs the go command again, and type-checks everything that they import.
func Generate(ctx context.Context, o Options) (*Result, error) {
	return generate(ctx, o, source.Load)
}

// generate is Generate with a loader.
func generate(ctx context.Context, o Options, load func(context.Context, source.Options, *diag.Reporter) (*source.Loaded, error)) (*Result, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	o.Dir = dir
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"."}
	}
	g := newGeneration(o)
	g.loaded, err = load(ctx, o.source(), g.report)
	if err != nil {
		return nil, err
	}
	g.loaded.OddFiles(g.report)
	found := make([][]*model.Candidate, len(g.loaded.Units))
	for i, u := range g.loaded.Units {
		found[i] = model.Find(u, g.report, g.selected)
	}
	candidates := slices.Concat(found...)
	within := model.Parts(candidates)
	for i, u := range g.loaded.Units {
		g.unit(u, found[i], within)
	}
	model.Needless(candidates)
	all := slices.Clone(g.found)
	g.selectTypes()
	slices.SortFunc(g.found, model.ByPath)
	result := &Result{}
	run := keychange.Run{
		Options: keychange.Options{
			Patterns: o.Patterns, Types: o.Types, Forget: o.Forget,
			Seal: o.Seal, Rekeyed: o.Rekeyed, AcceptKeyChange: o.AcceptKeyChange, Alone: o.alone,
		},
		Report: g.report, Loaded: g.loaded, Found: g.found,
	}
	layouts, folders := run.Compare(all)
	for _, u := range layouts.Unseen {
		u.Pos.Filename = diag.Relative(dir, u.Pos.Filename)
		result.Unseen = append(result.Unseen, UnseenDraft(u))
	}
	for _, l := range folders {
		result.Files = append(result.Files, File{Path: l.Path, Old: l.Old, New: l.New})
	}
	if err := g.render(ctx, result, layouts); err != nil {
		return nil, err
	}
	ensured, err := g.packageFiles(all, result)
	if err != nil {
		return nil, err
	}
	result.Files = append(result.Files, g.gone(ensured)...)
	slices.SortFunc(result.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	result.Diagnostics = diagnosticsOf(g.report.Sorted())
	return result, nil
}

// generation is one run.
type generation struct {
	options Options
	report  *diag.Reporter
	loaded  *source.Loaded
	found   []*model.Candidate // the types that get a file

	reserved map[*source.Unit][]string // identifiers that are taken in their files
}

// newGeneration begins a run.
func newGeneration(o Options) *generation {
	return &generation{options: o, report: &diag.Reporter{Dir: o.Dir}, loaded: &source.Loaded{}, reserved: make(map[*source.Unit][]string)}
}

// unit models the documents of a unit, and compares them with its other declarations.
func (g *generation) unit(u *source.Unit, found []*model.Candidate, within map[*facts.Document]bool) {
	found = model.Models(g.loaded, u, found, within)
	model.Formers(found)
	model.Edges(found)
	model.Elements(found)
	model.Collide(u, found)
	model.Paths(found)
	g.reserved[u] = model.Reserved(g.loaded, u, found)
	g.found = append(g.found, found...)
}

// selected reports whether to generate a type.
func (g *generation) selected(d *source.Declaration) bool {
	return len(g.options.Types) == 0 || slices.Contains(g.options.Types, d.Name())
}

// selectTypes drops the documents that Options.Types does not name, and reports names without a
// document.
func (g *generation) selectTypes() {
	all := make([]string, len(g.found))
	for i, c := range g.found {
		all[i] = c.Name()
	}
	for _, name := range g.options.Types {
		if slices.Contains(all, name) || len(g.loaded.Units) == 0 && g.report.Failed() {
			continue // or there is no package to look for it in
		}
		advice := "tag a field of it `cosmos:\"pk\"`, or list the package that declares it"
		if near := spelling.Nearest(name, all); near != "" {
			advice = fmt.Sprintf("did you mean %q?", near)
		}
		g.report.Errorf(token.Position{}, "no struct type %s with cosmos tags in %s: %s", name, strings.Join(g.options.Patterns, " "), advice)
	}
	g.found = slices.DeleteFunc(g.found, func(c *model.Candidate) bool { return !g.selected(c.Declaration) })
}

// Package is a package that the caller has loaded, such as a driver of
// golang.org/x/tools/go/analysis. It is type-checked, and may contain generated files.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File // with comments
	Types *types.Package
	Info  *types.Info // with Defs
	Read  func(path string) ([]byte, error)
}

// Check finds the document types of a package and the mistakes in their tags. It returns the
// types without errors, sorted by file and in the order of declaration, and all diagnostics,
// sorted, with the file names of p.Fset.
//
// It reports the same mistakes in the source as [Generate], with these exceptions. Of the lock
// it only reports that it cannot be read, in a diagnostic at the first type. It does not report
// generated files, or declarations that collide with generated ones, since p contains these. It
// does not report an exported type without an id or a key, since documents of other packages
// may embed it. It reads the other Go files of the folder, which may declare types for other
// builds, and loads nothing. An error comes from p.Read.
func Check(p Package) ([]TypeInfo, []Diagnostic, error) {
	u, err := p.unit()
	if err != nil || len(u.Files) == 0 {
		return nil, nil, err
	}
	dir := filepath.Dir(u.Files[0].Path)
	g := &generation{report: &diag.Reporter{}, loaded: source.LoadedFolders(dir)}
	g.loaded.Add([]*source.Unit{u})
	found := model.Find(u, g.report, g.selected)
	for _, c := range found {
		c.Alone = token.IsExported(c.Name()) && u.Name != "main"
	}
	candidates := slices.Clone(found)
	found = model.Models(g.loaded, u, found, model.Parts(found))
	model.Formers(found)
	model.Edges(found)
	model.Elements(found)
	model.Paths(found)
	model.Needless(candidates)
	reserved := model.Reserved(g.loaded, u, found)
	states := keychange.StatesOf(dir, found, g.report)
	var types []TypeInfo
	for _, c := range found {
		if !c.Failed && c.Model != nil {
			draft, locked := states[c]
			types = append(types, TypeInfo{Pos: c.Position(), Model: c.Model.Type(reserved, draft), Output: model.OutputPath(c.Declaration), Locked: locked, Notes: c.Notes})
		}
	}
	return types, diagnosticsOf(g.report.Sorted()), nil
}

// unit returns the files of p that declare documents, without generated files and files that
// use cgo or were made by it.
func (p Package) unit() (*source.Unit, error) {
	u := &source.Unit{Path: p.Types.Path(), Name: p.Types.Name(), Fset: p.Fset, Types: p.Types, Info: p.Info}
	for _, syntax := range p.Files {
		path := u.Position(syntax.FileStart).Filename
		text, err := p.Read(path)
		if err != nil {
			return nil, fmt.Errorf("cannot check %s: %w", path, err)
		}
		if source.ImportsC(syntax) || source.MadeByCgo(path) {
			continue
		}
		if !source.IsOutputName(filepath.Base(path)) || !source.IsOutput(text) {
			u.Files = append(u.Files, &source.File{Path: path, Text: text, Syntax: syntax})
		}
	}
	slices.SortFunc(u.Files, func(a, b *source.File) int { return strings.Compare(a.Path, b.Path) })
	return u, nil
}

// Current reports whether [Generate] would write text for a type that Check has found, and
// returns the text that it would write. Line endings do not matter, since git may change them.
// Whether the text calls the layout a draft matters only if the lock records it.
func Current(t TypeInfo, text []byte) (current bool, want []byte, err error) {
	model := *t.Model
	if !t.Locked {
		model.Draft = templates.IsDraft(text)
	}
	want, err = templates.Render(&model)
	return err == nil && files.SameLines(text, want), want, err
}

// Severity is the effect of a diagnostic on the run.
type Severity int

// The severities.
const (
	Error   Severity = iota // nothing is written
	Note                    // everything is written
	Refused                 // nothing is written: the key of stored documents may change, see Options.AcceptKeyChange
)

// String returns "error", "note" or "refused".
func (s Severity) String() string { return [...]string{"error", "note", "refused"}[s] }

// Diagnostic is one finding about the source.
type Diagnostic struct {
	// Pos is the position. The file name is relative to Options.Dir if the file is below that.
	// Line and column count from 1, the column in bytes. The zero value is for a finding about
	// the whole run.
	Pos      token.Position
	Severity Severity
	// Message is the fault and the remedy, in lower case. Further lines begin with a tab.
	Message string
	// Name is the name with which a tag acknowledges a note, or "".
	Name string
	// Fix is a change of the file that corrects the source. It is the zero value if the
	// correction needs a choice.
	Fix Fix
}

// Fix replaces the bytes of a file between two offsets with a text.
type Fix struct {
	Start, End int
	Text       string
}

// String returns "file:line:col: message", the form of editors and the go command. A severity
// other than Error comes before the message. Unprintable characters, such as the escape
// sequences of a terminal, are escaped as in Go.
func (d Diagnostic) String() string {
	message := plain.Text(d.Message)
	if d.Severity != Error {
		message = d.Severity.String() + ": " + message
	}
	if d.Pos.Filename == "" {
		return message
	}
	pos := d.Pos
	pos.Filename = plain.Word(pos.Filename)
	return pos.String() + ": " + message
}

// The severities have the same numbers in package diag; otherwise this does not compile.
var _, _ = [1]int{}[Note-Severity(diag.Note)], [1]int{}[Refused-Severity(diag.Refused)]

// diagnosticsOf converts findings for the result.
func diagnosticsOf(found []diag.Finding) []Diagnostic {
	var out []Diagnostic
	for _, f := range found {
		out = append(out, Diagnostic{Pos: f.Pos, Severity: Severity(f.Severity), Message: f.Message, Name: f.Name, Fix: Fix(f.Fix)})
	}
	return out
}

// gone returns generated files in the folders of this run whose type was removed. A run for
// only some types removes none. Files of kept stay, and so do those in a folder with a file
// that does not parse, since that file may declare the type.
func (g *generation) gone(kept map[string]bool) []File {
	if len(g.options.Types) > 0 {
		return nil
	}
	live := make(map[string]bool)
	for _, c := range g.found {
		live[model.OutputPath(c.Declaration)] = true
	}
	var out []File
	for _, dir := range slices.Sorted(maps.Keys(g.loaded.Outputs)) {
		declared, complete := g.loaded.ExcludedDeclarations(dir)
		if g.loaded.Broken[dir] || !complete {
			continue
		}
		for _, d := range declared {
			live[model.OutputPath(d)] = true
		}
		for _, o := range g.loaded.Outputs[dir] {
			if len(declared) > 0 && slices.ContainsFunc(templates.PackageFiles(), func(f templates.PackageFile) bool {
				return filepath.Base(o.Path) == f.Name && f.Is(o.Text)
			}) {
				continue // another build has types for it
			}
			if !live[o.Path] && !kept[o.Path] {
				out = append(out, File{Path: o.Path, Old: o.Text})
			}
		}
	}
	return out
}
