package generator

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// ensure adds the files of EnsureContainers to the result: with Options.Ensure that of
// each package with a container that has a fixed id, else those that are there. All has
// the types of the run, also those that Options.Types does not name. It returns the paths
// of files that stay.
func (g *generation) ensure(all []*model.Candidate, result *Result) (map[string]bool, error) {
	kept := make(map[string]bool)
	for _, u := range g.loaded.Units {
		of := slices.DeleteFunc(slices.Clone(all), func(c *model.Candidate) bool {
			return c.Unit != u || strings.HasSuffix(c.File.Path, "_test.go")
		})
		path := filepath.Join(filepath.Dir(u.Files[0].Path), templates.EnsureContainersFile)
		if strings.HasSuffix(u.Name, "_test") || !g.options.Ensure && !g.ensures(of, path) {
			continue
		}
		if slices.ContainsFunc(of, func(c *model.Candidate) bool { return c.Failed || c.Model == nil }) {
			kept[path] = true // what is wrong is reported, or for a run of that type
			continue
		}
		c := g.containersOf(u, of)
		if c.Empty() || g.collides(u, of, path) {
			continue
		}
		old, ok, err := g.replaced(path)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		text, err := c.Render()
		if err != nil {
			return nil, err
		}
		kept[path] = true
		result.Files = append(result.Files, File{Path: path, Old: old, New: text})
	}
	if g.options.Ensure && len(kept) == 0 && !g.report.Failed() {
		g.report.Errorf(token.Position{}, "no package of %s has a container of the API for NoSQL with a fixed id, so there is nothing that %s could ensure: list the package that declares the types, or leave out -ensure",
			strings.Join(g.options.Patterns, " "), templates.EnsureContainersName)
	}
	return kept, nil
}

// ensures reports whether the file of EnsureContainers is at a path, and not that of a
// type.
func (g *generation) ensures(of []*model.Candidate, path string) bool {
	text, ours := g.loaded.Output(path)
	return ours && templates.IsEnsureContainers(text) && !slices.ContainsFunc(of, func(c *model.Candidate) bool {
		return strings.EqualFold(model.OutputPath(c.Declaration), path)
	})
}

// replaced returns the text at a path, nil if nothing is there. It reports a file that
// pkgen has not written, and returns false then.
func (g *generation) replaced(path string) (old []byte, ok bool, err error) {
	if old, ok = g.loaded.Output(path); ok {
		return old, true, nil
	}
	old, err = files.ReadIfThere(path)
	if err == nil && old != nil && !source.IsOutput(old) {
		g.report.Errorf(token.Position{Filename: path, Line: 1, Column: 1},
			"%s is where pkgen writes %s, and was not written by pkgen: move it away", templates.EnsureContainersFile, templates.EnsureContainersName)
		return nil, false, nil
	}
	return old, err == nil, err
}

// containersOf returns what the file of a unit is rendered from. If all types of the
// package are under one build constraint, so is the file.
func (g *generation) containersOf(u *source.Unit, of []*model.Candidate) *templates.Containers {
	c := &templates.Containers{Package: u.Name, PackagePath: u.Path, Reserved: g.reserved[u]}
	for _, d := range of {
		c.Types = append(c.Types, d.Model.Type(g.reserved[u], false))
	}
	declared, _ := g.loaded.ExcludedDeclarations(filepath.Dir(u.Files[0].Path))
	if len(c.Types) > 0 && len(declared) == 0 { // no other build has types
		one := c.Types[0].Constraint
		if !slices.ContainsFunc(c.Types, func(t *templates.Type) bool { return t.Constraint != one }) {
			c.Constraint = one
		}
	}
	return c
}

// collides reports what has the name of EnsureContainers, or of its file.
func (g *generation) collides(u *source.Unit, of []*model.Candidate, path string) bool {
	if node := u.Declared()[templates.EnsureContainersName]; node != nil {
		g.report.Errorf(u.Position(node.Pos()), "%s is the name of the function that ensures all containers of the package: rename this declaration, or remove %s and leave out -ensure",
			templates.EnsureContainersName, templates.EnsureContainersFile)
		return true
	}
	for _, d := range of {
		if strings.EqualFold(model.OutputPath(d.Declaration), path) {
			g.report.Errorf(d.Position(), "type %s and the function %s would both be generated into %s: rename the type, or leave out -ensure",
				d.Name(), templates.EnsureContainersName, templates.EnsureContainersFile)
			return true
		}
	}
	return false
}
