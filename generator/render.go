package generator

import (
	"fmt"
	"go/token"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/keychange"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/formatted"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// render adds the files of all documents to the result.
func (g *generation) render(result *Result, layouts keychange.Layouts) error {
	var memory *formatted.Memory
	if g.options.CacheDir != "" {
		memory = formatted.Open(g.options.CacheDir)
	}
	for i, r := range g.renderAll(memory, layouts.Drafts) {
		if err := g.add(g.found[i], r, layouts.Sealed, result); err != nil {
			return err
		}
	}
	_ = memory.Save() // without it the next run only takes longer
	return nil
}

// rendered is the file of a document.
type rendered struct {
	old        []byte // what is there; nil if nothing is
	ours       bool   // pkgen has written it
	unreadable error  // why old is not known
	typ        *templates.Type
	text       []byte // what should be there
	err        error  // why there is no text
}

// renderAll reads and renders the files of documents, several at once. Documents
// that have failed get no text.
func (g *generation) renderAll(memory *formatted.Memory, drafts map[*model.Model]bool) []rendered {
	out := make([]rendered, len(g.found))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(g.found)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(g.found)); i = next.Add(1) - 1 {
				out[i] = g.renderOne(g.found[i], memory, drafts)
			}
		})
	}
	workers.Wait()
	return out
}

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

// textOf renders a model. If nothing has changed, it returns old.
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
