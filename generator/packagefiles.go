package generator

import (
	"errors"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// packageFiles adds the files of whole packages to the result: existing ones, and those that
// options request for packages that need them. All has the types of the run, including those
// that Options.Types does not name. It returns the paths of files that stay.
func (g *generation) packageFiles(all []*model.Candidate, result *Result) (map[string]bool, error) {
	kept := make(map[string]bool)
	for _, u := range g.loaded.Units {
		if strings.HasSuffix(u.Name, "_test") {
			continue
		}
		of := slices.DeleteFunc(slices.Clone(all), func(c *model.Candidate) bool {
			return c.Unit != u || strings.HasSuffix(c.File.Path, "_test.go")
		})
		wanted := make(map[string]bool)
		for _, file := range templates.PackageFiles() {
			wanted[file.Name] = g.asks(file) || g.wrote(u, of, file)
		}
		if wanted[templates.Administration.Name] { // which calls the other one
			wanted[templates.EnsureContainers.Name] = true
		}
		if err := g.packageFilesOf(u, of, wanted, result, kept); err != nil {
			return nil, err
		}
		if g.options.Admin && kept[pathIn(u, templates.Administration)] && u.Name != "main" {
			if err := g.adminProgram(u, result); err != nil {
				return nil, err
			}
		}
	}
	for _, file := range templates.PackageFiles() {
		if g.asks(file) && !g.report.Failed() && !slices.ContainsFunc(slices.Collect(maps.Keys(kept)), func(path string) bool { return filepath.Base(path) == file.Name }) {
			g.report.Errorf(token.Position{}, "no package of %s has %s: list the package that declares the types, or leave out -%s",
				strings.Join(g.options.Patterns, " "), file.Empty, file.Flag)
		}
	}
	return kept, nil
}

// asks reports whether the options request a file.
func (g *generation) asks(file templates.PackageFile) bool {
	return map[string]bool{templates.EnsureContainers.Name: g.options.Ensure, templates.Administration.Name: g.options.Admin}[file.Name]
}

// packageFilesOf adds the wanted files of one package, and their paths to kept.
func (g *generation) packageFilesOf(u *source.Unit, of []*model.Candidate, wanted map[string]bool, result *Result, kept map[string]bool) error {
	failed := slices.ContainsFunc(of, func(c *model.Candidate) bool { return c.Failed || c.Model == nil })
	var p *templates.Package
	for _, file := range templates.PackageFiles() {
		path := pathIn(u, file)
		switch {
		case !wanted[file.Name]:
			continue
		case failed:
			kept[path] = true // the error is reported, or left to a run of that type
			continue
		case p == nil:
			p = g.packageOf(u, of)
		}
		text, err := file.Render(p)
		if err != nil {
			return err
		}
		if text == nil || g.collides(u, of, file) {
			continue
		}
		old, ok, err := g.replaced(path, file)
		if err != nil {
			return err
		}
		if ok {
			kept[path] = true
			result.Files = append(result.Files, File{Path: path, Old: old, New: text})
		}
	}
	return nil
}

// adminProgram adds the program for operators of a package to the result, unless its folder
// exists: the program belongs to the user.
func (g *generation) adminProgram(u *source.Unit, result *Result) error {
	folder := filepath.Join(filepath.Dir(u.Files[0].Path), "admin")
	if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := templates.AdminProgram(u.Name, u.Path)
	result.Files = append(result.Files, File{Path: filepath.Join(folder, "main.go"), New: text, inNewFolder: true})
	return err
}

// pathIn returns the path of a package's file.
func pathIn(u *source.Unit, file templates.PackageFile) string {
	return filepath.Join(filepath.Dir(u.Files[0].Path), file.Name)
}

// wrote reports whether pkgen wrote the file of a package, and not that of a type with its
// name.
func (g *generation) wrote(u *source.Unit, of []*model.Candidate, file templates.PackageFile) bool {
	path := pathIn(u, file)
	text, ours := g.loaded.Output(path)
	return ours && file.Is(text) && !slices.ContainsFunc(of, func(c *model.Candidate) bool {
		return strings.EqualFold(model.OutputPath(c.Declaration), path)
	})
}

// replaced returns the text at a path, nil if there is no file. It reports a file that pkgen
// has not written, and returns false.
func (g *generation) replaced(path string, file templates.PackageFile) (old []byte, ok bool, err error) {
	if old, ok = g.loaded.Output(path); ok {
		return old, true, nil
	}
	old, err = files.ReadIfThere(path)
	if err == nil && old != nil && !source.IsOutput(old) {
		g.report.Errorf(token.Position{Filename: path, Line: 1, Column: 1},
			"%s is where pkgen writes %s, and was not written by pkgen: move it away", file.Name, file.Function)
		return nil, false, nil
	}
	return old, err == nil, err
}

// packageOf returns the input for rendering the files of a unit. If all types of the package
// have the same build constraint, so do the files.
func (g *generation) packageOf(u *source.Unit, of []*model.Candidate) *templates.Package {
	c := &templates.Package{Name: u.Name, Path: u.Path, Reserved: g.reserved[u]}
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

// collides reports declarations with the name of a file's function, or of the file.
func (g *generation) collides(u *source.Unit, of []*model.Candidate, file templates.PackageFile) bool {
	if node := u.Declared()[file.Function]; node != nil {
		g.report.Errorf(u.Position(node.Pos()), "%s is the name of the function that pkgen -%s writes: rename this declaration, or remove %s and leave out -%[2]s",
			file.Function, file.Flag, file.Name)
		return true
	}
	for _, d := range of {
		if strings.EqualFold(model.OutputPath(d.Declaration), pathIn(u, file)) {
			g.report.Errorf(d.Position(), "type %s and the function %s would both be generated into %s: rename the type, or leave out -%s",
				d.Name(), file.Function, file.Name, file.Flag)
			return true
		}
	}
	return false
}
