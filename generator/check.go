package generator

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/keychange"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Package is a package that the caller has loaded, such as a driver of
// golang.org/x/tools/go/analysis. It is type-checked, and may contain generated
// files.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File // with comments
	Types *types.Package
	Info  *types.Info // with Defs
	Read  func(path string) ([]byte, error)
}

// Check finds the document types of a package and what is wrong with their
// tags. It returns the types without errors, sorted by file and in the order of
// declaration, and all diagnostics, sorted, with the file names of p.Fset.
//
// It says what [Generate] says of the source. Of the lock it says only that it cannot be
// read, in a diagnostic at the first type. It says nothing of generated files, or of
// declarations that collide with generated ones, since p contains these. Nor does it say that an exported type lacks an id or a key, since
// documents of other packages may embed it. It reads the other Go files of the
// folder, which may declare types for other builds, and loads nothing. An error
// comes from p.Read.
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

// unit returns the files of p that declare documents. It leaves out our outputs,
// files that use cgo, and files that cgo has made.
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

// Current reports whether [Generate] would write a text for a type that Check has
// found, and returns the text that it would write. Ends of lines make no
// difference, since git may change them. Nor does it make a difference whether the
// text calls the layout a draft, unless the lock says whether it is.
func Current(t TypeInfo, text []byte) (current bool, want []byte, err error) {
	model := *t.Model
	if !t.Locked {
		model.Draft = templates.IsDraft(text)
	}
	want, err = templates.Render(&model)
	return err == nil && files.SameLines(text, want), want, err
}
