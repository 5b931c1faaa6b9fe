package generator

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// Package is a package that somebody else has loaded, such as a driver of
// golang.org/x/tools/go/analysis. It is type-checked, and may hold generated
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
// It says what [Generate] says of the source, and nothing of what stands beside
// it: the lock, generated files, and declarations that those would collide with,
// since they are part of p. It loads nothing; the error is one of p.Read.
func Check(p Package) ([]TypeInfo, []Diagnostic, error) {
	u := &unit{path: p.Types.Path(), name: p.Types.Name(), fset: p.Fset, types: p.Types, info: p.Info}
	for _, syntax := range p.Files {
		path := u.position(syntax.FileStart).Filename
		text, err := p.Read(path)
		if err != nil {
			return nil, nil, fmt.Errorf("cannot check %s: %w", path, err)
		}
		if !isOutputName(filepath.Base(path)) || !isOutput(text) {
			u.files = append(u.files, &source{path: path, text: text, syntax: syntax})
		}
	}
	if len(u.files) == 0 {
		return nil, nil, nil
	}
	slices.SortFunc(u.files, func(a, b *source) int { return strings.Compare(a.path, b.path) })
	g := &generation{report: &reporter{}, loaded: &loaded{}}
	var found []TypeInfo
	for _, d := range g.models(u) {
		if !d.failed && d.model != nil {
			found = append(found, TypeInfo{Pos: d.position(), Model: d.model, Layout: d.layout, Output: d.outputPath(), Notes: d.notes})
		}
	}
	return found, g.report.sorted(), nil
}
