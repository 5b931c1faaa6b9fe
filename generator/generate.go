package generator

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/keychange"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// ErrKeyChange is matched by the error of [Result.Err] and [Result.Commit] if keys
// of stored documents would change, or if the lock that says how they are made is
// missing or cannot be read, and nothing else is wrong.
var ErrKeyChange = errors.New("a partition key would change")

// Options says what to generate. The zero value is the package of the current
// folder.
type Options struct {
	Dir      string   // folder that patterns are relative to; "" for the current one
	Patterns []string // packages, as the go command takes them; none means "."
	Types    []string // only these types, by their Go names; none means all
	Tags     string   // build tags, separated by commas
	Env      []string // environment of the go command; nil for that of this process

	// Overlay holds texts in place of those of files, by absolute path.
	Overlay map[string][]byte

	// CacheDir is a folder in which runs remember formatted texts; "" for none. It
	// saves half the time if nothing has changed. It need not exist, several runs may
	// use it at once, it grows to 1 MiB at most, and it can be deleted at any time. A
	// run does not use a folder that is a link, belongs to another user, or is
	// writable by others.
	CacheDir string

	// AcceptKeyChange turns Refused diagnostics into notes, and writes the lock anew.
	AcceptKeyChange bool

	// Seal binds the layouts of drafts for ever: those of Types, or all.
	Seal bool

	// Rekeyed says that no document is stored any more under the earlier numbers of
	// buckets that tags no longer have. It lets no other key change.
	Rekeyed bool

	// Ensure writes the function EnsureContainers of each package with a container that
	// has a fixed id, in a file of its own. A file that is there is kept up to date
	// without it.
	Ensure bool

	// Forget names types that are gone, as locks name them. The locks forget their
	// layouts.
	Forget []string

	alone bool // packages are not compared with others, for tests that put many into one module
}

// source returns the options of loading.
func (o Options) source() source.Options {
	return source.Options{Dir: o.Dir, Patterns: o.Patterns, Types: o.Types, Tags: o.Tags, Env: o.Env, Overlay: o.Overlay}
}

// Result has the files that a run would write, and its findings.
type Result struct {
	// Files has the generated files, the files of types that are gone, and the lock
	// of each folder, sorted by path.
	Files []File
	// Diagnostics has all findings, sorted by file, line, column and message.
	Diagnostics []Diagnostic
	// Unseen has the drafts of locks whose types are in files that this build leaves out.
	Unseen []UnseenDraft
	// Types has the document types without errors, sorted by file and in the order
	// of declaration.
	Types []TypeInfo
}

// UnseenDraft is a type whose layout is a draft, and whose file is part of other builds.
type UnseenDraft struct {
	Name string         // as the lock has it
	Pos  token.Position // of the type, or of the lock, as in a Diagnostic
}

// TypeInfo describes a document type.
type TypeInfo struct {
	Pos    token.Position  // of its name, as in a Diagnostic
	Model  *templates.Type // what is rendered
	Output string          // absolute path of the generated file
	Sealed bool            // Options.Seal binds its layout, which was a draft
	Locked bool            // Check has found the type in the lock, which says whether Model is a draft
	Notes  []string        // the messages of the notes about it, without how to acknowledge them

	// Ambiguity gives an example of different components that make one key, or
	// is "".
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

// Generate loads the packages of o, and renders a file for each struct type
// that has cosmos tags. It writes nothing: see [Result.Commit].
//
// The diagnostics of the result tell all mistakes in the source, of all types and
// packages at once. Generate returns an error if it cannot read the source: the go
// command fails, a folder does not exist, ctx is done.
//
// It runs the go command once, and reads of the imported packages only the files
// that the documents reach. For packages that use cgo, import without a name, or
// have errors that documents reach, it runs the go command again, and type-checks
// everything that they import.
func Generate(ctx context.Context, o Options) (*Result, error) {
	return generate(ctx, o, source.Load)
}

// generate does the work of Generate with a way to load.
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
	layouts, folders := g.lockRun().Compare(all)
	for _, u := range layouts.Unseen {
		u.Pos.Filename = diag.Relative(dir, u.Pos.Filename)
		result.Unseen = append(result.Unseen, UnseenDraft(u))
	}
	for _, l := range folders {
		result.Files = append(result.Files, File{Path: l.Path, Old: l.Old, New: l.New})
	}
	if err := g.render(result, layouts); err != nil {
		return nil, err
	}
	ensured, err := g.ensure(all, result)
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

// unit models the documents of a unit, and compares them with what else it
// declares.
func (g *generation) unit(u *source.Unit, found []*model.Candidate, within map[*facts.Document]bool) {
	found = model.Models(g.loaded, u, found, within)
	model.Formers(found)
	model.Edges(found)
	model.Collide(u, found)
	model.Paths(found)
	g.reserved[u] = model.Reserved(g.loaded, u, found)
	g.found = append(g.found, found...)
}

// lockRun returns the run as package keychange takes it.
func (g *generation) lockRun() *keychange.Run {
	return &keychange.Run{
		Options: keychange.Options{
			Patterns: g.options.Patterns, Types: g.options.Types, Forget: g.options.Forget,
			Seal: g.options.Seal, Rekeyed: g.options.Rekeyed, AcceptKeyChange: g.options.AcceptKeyChange, Alone: g.options.alone,
		},
		Report: g.report, Loaded: g.loaded, Found: g.found,
	}
}

// selected reports whether a type is to be generated.
func (g *generation) selected(d *source.Declaration) bool {
	return len(g.options.Types) == 0 || slices.Contains(g.options.Types, d.Name())
}

// selectTypes drops the documents that Options.Types does not name, and reports
// names in it without a document.
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
