package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// nestedModules returns the folders below the root of the repository that have a
// go.mod of their own, sorted, with slashes. Folders that git or npm own are left
// out.
func nestedModules(root string) ([]string, error) {
	var folders []string
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if entry.Name() != "go.mod" {
			return nil
		}
		folder, err := filepath.Rel(root, filepath.Dir(name))
		if err == nil && folder != "." {
			folders = append(folders, filepath.ToSlash(folder))
		}
		return err
	})
	slices.Sort(folders)
	return folders, err
}

// surveyNested counts the packages of a nested module, by their syntax alone: what
// they import is perhaps not on this machine. It leaves out how files refer to each
// other, and what a package exports.
func surveyNested(root, module string) ([]room, error) {
	byFolder := map[string]*room{}
	err := filepath.WalkDir(filepath.Join(root, module), func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		folder, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		folder = filepath.ToSlash(folder)
		if byFolder[folder] == nil {
			byFolder[folder] = &room{folder: folder}
		}
		return byFolder[folder].read(name)
	})
	rooms := make([]room, 0, len(byFolder))
	for _, r := range byFolder {
		slices.Sort(r.imports)
		r.imports = slices.Compact(r.imports)
		rooms = append(rooms, *r)
	}
	slices.SortFunc(rooms, func(a, b room) int { return cmp.Compare(a.folder, b.folder) })
	return rooms, err
}

// modulePath is the path of the root module, with which the paths of all modules of
// the repository begin.
const modulePath = "github.com/cosmos-pkgen/pkgen"

// read adds a file to a room: its lines, its imports from this repository, and its
// second names of types of other packages of this repository. A driver's type may have
// a second name, so that programs need not import the driver for it.
func (r *room) read(name string) error {
	text, err := os.ReadFile(name) //nolint:gosec // a file of the tree
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	r.files++
	lines := bytes.Count(text, []byte("\n"))
	r.lines += lines
	r.longest = max(r.longest, lines)
	own := map[string]bool{} // names of packages of this repository
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if imported == modulePath || strings.HasPrefix(imported, modulePath+"/") {
			r.imports = append(r.imports, folderOf(imported, modulePath))
			own[path.Base(imported)] = true
			if spec.Name != nil {
				own[spec.Name.Name] = true
			}
		}
	}
	for _, declaration := range file.Decls {
		types, ok := declaration.(*ast.GenDecl)
		if !ok || types.Tok != token.TYPE {
			continue
		}
		for _, spec := range types.Specs {
			alias := spec.(*ast.TypeSpec)
			if other, ok := alias.Type.(*ast.SelectorExpr); ok && own[fmt.Sprint(other.X)] && fmt.Sprint(other.X) != "documents" && alias.Assign.IsValid() && alias.Name.IsExported() {
				r.aliases = append(r.aliases, alias.Name.Name)
			}
		}
	}
	return nil
}
