package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// modulePath is the path of the root module, and the prefix of the paths of all modules of the
// repository.
const modulePath = "github.com/cosmos-pkgen/pkgen"

// room has the facts about the files of a folder.
type room struct {
	folder    string   // relative to the root of the repository
	imports   []string // folders of this repository, and paths of other packages; without those of tests
	files     int      // without tests and generated files
	lines     int      // of these files
	longest   int      // of the longest of these files
	testLines int
	exported  int      // functions, types, methods of types, variables and constants
	aliases   []string // exported types that alias a type of an internal package
}

// survey reads the Go files of all modules below a folder, for every platform. It only parses them,
// because imported modules may be missing on this machine.
func survey(root string) ([]room, error) {
	byFolder := map[string]*room{}
	err := walk(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root && notSurveyed(entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go"):
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
	var rooms []room
	for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
		r := byFolder[folder]
		slices.Sort(r.imports)
		r.imports = slices.Compact(r.imports)
		rooms = append(rooms, *r)
	}
	return rooms, err
}

// notSurveyed reports whether a folder of this name has no code of the repository's own.
func notSurveyed(name string) bool {
	return name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".")
}

// read adds a file to a room.
func (r *room) read(name string) error {
	text, err := os.ReadFile(name) //nolint:gosec // a file of the tree
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	lines := bytes.Count(text, []byte("\n"))
	if strings.HasSuffix(name, "_test.go") {
		r.testLines += lines
		return nil
	}
	if !ast.IsGenerated(file) {
		r.files++
		r.lines += lines
		r.longest = max(r.longest, lines)
	}
	internal := map[string]bool{} // names of imported internal packages
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		folder := folderOf(imported)
		r.imports = append(r.imports, folder)
		if folder != imported && strings.Contains("/"+folder+"/", "/internal/") {
			internal[path.Base(imported)] = true
			if spec.Name != nil {
				internal[spec.Name.Name] = true
			}
		}
	}
	for _, declaration := range file.Decls {
		r.declare(declaration, internal)
	}
	return nil
}

// folderOf returns the folder of a package of this repository, and the import path of any other.
func folderOf(imported string) string {
	return cmp.Or(strings.TrimPrefix(imported, modulePath+"/"), imported)
}

// declare counts what a declaration exports, and finds aliases of internal types.
func (r *room) declare(declaration ast.Decl, internal map[string]bool) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
			r.exported++
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() {
						r.exported++
					}
				}
			case *ast.TypeSpec:
				if !s.Name.IsExported() {
					continue
				}
				r.exported++
				if other, ok := generic(s.Type).(*ast.SelectorExpr); ok && s.Assign.IsValid() && internal[fmt.Sprint(other.X)] {
					r.aliases = append(r.aliases, s.Name.Name)
				}
			}
		}
	}
}

// receiver returns the name of a method's type.
func receiver(typ ast.Expr) string {
	if pointer, ok := typ.(*ast.StarExpr); ok {
		typ = pointer.X
	}
	return fmt.Sprint(generic(typ))
}

// generic returns a type without its type arguments.
func generic(typ ast.Expr) ast.Expr {
	switch t := typ.(type) {
	case *ast.IndexExpr:
		return t.X
	case *ast.IndexListExpr:
		return t.X
	}
	return typ
}

// walk is filepath.WalkDir, but ignores files that are removed meanwhile: tests of other packages
// create and remove files in the tree.
func walk(root string, visit fs.WalkDirFunc) error {
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err == nil {
			err = visit(name, entry, nil)
		}
		if errors.Is(err, fs.ErrNotExist) && name != root {
			return nil
		}
		return err
	})
}
