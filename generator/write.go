package generator

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/keychange"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/formatted"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// render adds the files of all documents to the result.
func (g *generation) render(ctx context.Context, result *Result, layouts keychange.Layouts) error {
	var memory *formatted.Memory
	if g.options.CacheDir != "" {
		memory = formatted.Open(g.options.CacheDir)
	}
	all := make([]rendered, len(g.found))
	_ = parallel.Each(ctx, len(all), runtime.GOMAXPROCS(0), func(_ context.Context, i int) error {
		all[i] = g.renderOne(g.found[i], memory, layouts.Drafts)
		return nil
	})
	for i, r := range all {
		if err := g.add(g.found[i], r, layouts.Sealed, result); err != nil {
			return err
		}
	}
	_ = memory.Save() // without it the next run only takes longer
	return nil
}

// rendered is the file of a document, as it is and as it should be.
type rendered struct {
	old        []byte // present text; nil if there is no file
	ours       bool   // pkgen has written it
	unreadable error  // why old is not known
	typ        *templates.Type
	text       []byte // wanted text
	err        error  // why there is no text
}

// renderOne reads and renders the file of a document. If the document has failed, there is no
// text.
func (g *generation) renderOne(d *model.Candidate, memory *formatted.Memory, drafts map[*model.Model]bool) (r rendered) {
	path := model.OutputPath(d.Declaration)
	if r.old, r.ours = g.loaded.Output(path); !r.ours {
		r.old, r.unreadable = files.ReadIfThere(path)
		r.ours = r.old != nil && source.IsOutput(r.old) // another run has written it since
	}
	if !d.Failed {
		r.typ = d.Model.Type(g.reserved[d.Unit], drafts[d.Model])
		if r.text, r.err = textOf(r.typ, r.old, memory); r.err != nil {
			r.err = fmt.Errorf("cannot render type %s: %w", d.Name(), r.err)
		}
	}
	return r
}

// textOf renders a model. If the text has not changed, it returns old.
func textOf(m *templates.Type, old []byte, memory *formatted.Memory) ([]byte, error) {
	draft, err := templates.Draft(m)
	if err != nil {
		return nil, err
	}
	if memory.Knows(draft, old) {
		return old, nil
	}
	text, err := templates.Format(draft)
	if err == nil {
		memory.Learn(draft, text)
	}
	return text, err
}

// add adds the file of a document to the result.
func (g *generation) add(d *model.Candidate, r rendered, sealed map[*model.Model]bool, result *Result) error {
	path := model.OutputPath(d.Declaration)
	switch {
	case r.unreadable != nil:
		d.Failed = true
		d.Report.Unreadable(path, r.unreadable)
	case r.old != nil && !r.ours:
		d.Errorf(token.Position{Filename: path, Line: 1, Column: 1},
			"%s is where pkgen writes what it generates for type %s, and was not written by pkgen: move it away, or rename the type", filepath.Base(path), d.Name())
	}
	if d.Failed {
		return nil
	}
	if r.err != nil && g.report.Failed() {
		d.Failed = true // the generated file quotes the struct, with its syntax errors
		return nil
	}
	if r.err != nil {
		return r.err
	}
	pos := d.Position()
	pos.Filename = diag.Relative(g.report.Dir, pos.Filename)
	result.Files = append(result.Files, File{Path: path, Old: r.old, New: r.text})
	result.Types = append(result.Types, TypeInfo{Pos: pos, Model: r.typ, Output: path, Sealed: sealed[d.Model], Notes: d.Notes, Ambiguity: d.Model.Ambiguity})
	return nil
}

// File is a generated file, as it is and as it should be.
type File struct {
	Path string // absolute
	Old  []byte // present text; nil if there is no file
	New  []byte // wanted text; nil to remove the file

	inNewFolder bool // Commit makes the folder
}

// Stale reports whether the file on disk differs from the text that it should have. Line
// endings do not matter, since git may change them.
func (f File) Stale() bool { return f.change().Stale() }

// change returns the file for package files.
func (f File) change() files.Change {
	ours := f.isLock() || source.IsOutput(f.New)
	return files.Change{Path: f.Path, Old: f.Old, New: f.New, Generated: ours}
}

func (f File) isLock() bool { return filepath.Base(f.Path) == lock.FileName }

// Commit updates the files on disk: it writes new and changed files, and removes those of
// removed types. It does not touch equal files. It writes each file under a temporary name in
// the same folder and then renames it, so that no reader sees half a file. A file keeps its
// permissions, and a symbolic link stays one. Commit replaces no file before all are written.
// It replaces the locks first and removes them last, so that after an interrupted run the lock
// covers every generated file.
//
// If a diagnostic is an error or Refused, Commit does nothing, and returns the error of Err. It
// also refuses if a file has changed since Generate read it, unless another run has generated
// that file at the same time.
//
// A run that was killed may leave temporary files. Commit removes those that are older than ten
// minutes.
func (r *Result) Commit() error {
	if err := r.Err(); err != nil {
		return err
	}
	inOrder := slices.Clone(r.Files)
	slices.SortStableFunc(inOrder, func(a, b File) int { return cmp.Compare(a.order(), b.order()) })
	changes := make([]files.Change, len(inOrder))
	for i, f := range inOrder {
		changes[i] = f.change()
		if f.inNewFolder {
			if err := os.MkdirAll(filepath.Dir(f.Path), 0o777); err != nil { //nolint:gosec // a folder of source, as the umask of the user has it
				return err
			}
		}
	}
	return files.Commit(changes)
}

// order sorts files for writing: first locks that are written, then other files,
// then locks that are removed.
func (f File) order() int {
	switch {
	case !f.isLock():
		return 1
	case f.New != nil:
		return 0
	}
	return 2
}
