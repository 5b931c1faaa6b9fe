package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// sdk is the SDK that few rooms may import.
const sdk = "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

// room is what is counted of a package, without its tests.
type room struct {
	folder   string   // relative to the module, "." for its root
	imports  []string // from this repository
	sdk      bool     // imports azcosmos
	files    int      // without those that are generated
	lines    int
	longest  int      // lines of its longest file
	arrows   int      // pairs of files: one refers to what the other declares
	up       int      // of these, how many run back up, when files are in the order that has the fewest such
	aliases  []string // exported types that are another package's under a second name
	exported int      // functions, types, methods of types, variables and constants
}

// survey counts the packages that patterns name in the module of a folder.
func survey(dir string, patterns ...string) ([]room, error) {
	config := &packages.Config{
		Dir:  dir,
		Mode: packages.NeedName | packages.NeedModule | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedFiles,
	}
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	var rooms []room
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s does not compile: %w", p.PkgPath, p.Errors[0])
		}
		if p.Module == nil {
			return nil, errors.New(p.PkgPath + " is in no module")
		}
		r := room{folder: folderOf(p.PkgPath, p.Module.Path)}
		for path := range p.Imports {
			if path == p.Module.Path || strings.HasPrefix(path, p.Module.Path+"/") {
				r.imports = append(r.imports, folderOf(path, p.Module.Path))
			}
		}
		slices.Sort(r.imports)
		_, r.sdk = p.Imports[sdk]
		r.count(p)
		rooms = append(rooms, r)
	}
	slices.SortFunc(rooms, func(a, b room) int { return cmp.Compare(a.folder, b.folder) })
	return rooms, nil
}

func folderOf(path, module string) string {
	return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(path, module), "/"), ".")
}

// count fills in the numbers.
func (r *room) count(p *packages.Package) {
	arrows := make(map[string]map[string]bool)
	for _, file := range p.Syntax {
		from := p.Fset.File(file.FileStart)
		lines := from.LineCount()
		if !ast.IsGenerated(file) {
			r.files++
		}
		r.lines += lines
		r.longest = max(r.longest, lines)
		name := filepath.Base(from.Name())
		arrows[name] = make(map[string]bool)
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if to := p.TypesInfo.Uses[id]; to != nil && to.Pkg() == p.Types && lasting(to) {
					if base := filepath.Base(p.Fset.Position(to.Pos()).Filename); base != name {
						arrows[name][base] = true
					}
				}
			}
			return true
		})
	}
	for _, to := range arrows {
		r.arrows += len(to)
	}
	r.up = fewestUp(arrows)
	r.exported = exported(p.Types)
	r.aliases = aliases(p.Types)
}

// lasting tells whether an object is declared by a file and not by a function.
func lasting(o types.Object) bool {
	if o.Parent() == o.Pkg().Scope() {
		return true
	}
	switch o := o.(type) {
	case *types.Func:
		return true // a method
	case *types.Var:
		return o.IsField()
	}
	return false
}

// exported counts the names that a package exports, with the exported methods of
// its exported types.
func exported(p *types.Package) int {
	n := 0
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		n++
		if named, ok := o.Type().(*types.Named); ok {
			if _, isType := o.(*types.TypeName); isType {
				for m := range named.Methods() {
					if m.Exported() {
						n++
					}
				}
			}
		}
	}
	return n
}

// aliases returns the exported types of a package that are only second names of those of
// an internal package, of which people see nothing.
func aliases(p *types.Package) []string {
	var names []string
	for _, name := range p.Scope().Names() {
		o, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !o.Exported() || !o.IsAlias() {
			continue
		}
		if named, ok := types.Unalias(o.Type()).(*types.Named); ok && named.Obj().Pkg() != p && strings.Contains(named.Obj().Pkg().Path(), "/internal/") {
			names = append(names, name)
		}
	}
	return names
}
