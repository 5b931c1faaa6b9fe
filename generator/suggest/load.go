package suggest

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
)

// directive is what makes go generate run pkgen.
const directive = "//go:generate go tool pkgen"

// pkg is a loaded package. It may be ill-typed anywhere.
type pkg struct{ *packages.Package }

// load loads the packages that the patterns match, sorted by import path,
// without their tests.
func load(ctx context.Context, o Options) ([]pkg, error) {
	config := &packages.Config{
		Context: ctx, Dir: o.Dir, Env: o.Env, ParseFile: parse, Fset: token.NewFileSet(),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
	}
	if o.Tags != "" {
		config.BuildFlags = []string{"-tags=" + o.Tags}
	}
	loaded, err := sourceload.List(config, o.Patterns...)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("cannot list packages: %w", err)
	}
	var out []pkg
	for _, p := range loaded {
		for _, e := range p.Errors {
			if e.Kind != packages.TypeError && (len(p.Syntax) == 0 || e.Kind == packages.ParseError && !isOutput(e.Pos)) {
				return nil, fmt.Errorf("cannot look at the structs of %s, correct this first: %w", p.PkgPath, e)
			}
		}
		out = append(out, pkg{p})
	}
	slices.SortFunc(out, func(a, b pkg) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return out, nil
}

// parse parses a file without the bodies of its functions, which tell nothing
// about keys.
func parse(fset *token.FileSet, path string, text []byte) (*ast.File, error) {
	file, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if file != nil {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				f.Body.List = nil
			}
		}
	}
	return file, err
}

// isOutput reports whether a position is in a file that pkgen may have written.
// Errors in such files are ignored.
func isOutput(pos string) bool {
	path, _, _ := strings.Cut(pos, ".go:")
	return strings.HasSuffix(path, "_cosmos")
}

// structs returns the struct types of a package's files, but for generated files
// and types with parameters, by file and in the order of declaration.
func (p pkg) structs() []declared {
	var out []declared
	for _, file := range p.Syntax {
		if ast.IsGenerated(file) {
			continue
		}
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				spec, ok := spec.(*ast.TypeSpec)
				if !ok || spec.Assign.IsValid() || spec.TypeParams != nil {
					continue
				}
				syntax, ok := ast.Unparen(spec.Type).(*ast.StructType)
				if !ok {
					continue
				}
				if object, ok := p.TypesInfo.Defs[spec.Name].(*types.TypeName); ok {
					if named, ok := object.Type().(*types.Named); ok {
						out = append(out, declared{named, spec, syntax})
					}
				}
			}
		}
	}
	return out
}

// directed reports whether a file of the package makes go generate run pkgen.
func (p pkg) directed() bool {
	for _, file := range p.Syntax {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:generate ") && strings.Contains(c.Text, "pkgen") {
					return true
				}
			}
		}
	}
	return false
}
