package vet

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/cosmos-pkgen/pkgen/generator"
)

const help = `check cosmos tags and the use of what pkgen generates

It reports tags that pkgen would refuse, generated code that does not belong to
the tags or the lock, key fields that are changed before a document which was read is stored
again, partition keys that are made by hand for a container which has a
repository, bulk operations and transactions that are asked for and never done,
conditions of queries and errors of loops that nobody looks at, ids that do not
begin with the prefix of their type, and the documents of all tenants in a
package with the comment //pkgen:scoped.`

// Analyzer checks one package. It needs the facts of the packages that this one
// imports, and returns no result. It sends no request and runs no command. It is
// safe for concurrent use, as drivers use it.
var Analyzer = &analysis.Analyzer{
	Name:      "pkgen",
	Doc:       help,
	URL:       "https://github.com/cosmos-pkgen/pkgen/blob/main/docs/vet.md",
	Run:       run,
	FactTypes: []analysis.Fact{(*keyFact)(nil)},

	// A guard in a generated file that does not compile is what is looked for.
	RunDespiteErrors: true,
}

// run checks the package of a pass.
func run(pass *analysis.Pass) (any, error) {
	if !guardsAlone(pass) {
		return nil, nil // nothing is certain of what does not compile
	}
	pass = quieted(pass)
	c := &checker{pass: pass, told: make(map[ast.Expr]bool)}
	if hasTags(pass.Files) {
		docs, found, err := generator.Check(generator.Package{
			Fset: pass.Fset, Files: pass.Files, Types: pass.Pkg, Info: pass.TypesInfo, Read: pass.ReadFile,
		})
		if err != nil {
			return nil, err
		}
		c.tags(found)
		for _, doc := range docs {
			c.exportKey(doc)
			if err := c.stale(doc); err != nil {
				return nil, err
			}
		}
	}
	if !uses(pass.Pkg) {
		return nil, nil
	}
	c.kept = c.keepers()
	scoped := isScoped(pass.Files)
	for _, file := range pass.Files {
		if ast.IsGenerated(file) {
			continue
		}
		if scoped {
			c.unscoped(file)
		}
		for body := range functions(file) {
			c.changes(body)
			c.handmade(body)
			c.dropped(body)
			c.ignored(body)
			c.prefixes(body)
		}
	}
	return nil, nil
}

// Guarded is in the compiler's errors about generated files that do not belong to
// their source.
const Guarded = "Changed_runPkgen"

// guardsAlone reports whether the package of a pass has no errors but those.
func guardsAlone(pass *analysis.Pass) bool {
	return !slices.ContainsFunc(pass.TypeErrors, func(e types.Error) bool { return !strings.Contains(e.Msg, Guarded) })
}

// functions returns the bodies of the functions in a file that are not within
// another one: those that are declared, and those in values of variables.
func functions(file *ast.File) iter.Seq[*ast.BlockStmt] {
	return func(yield func(*ast.BlockStmt) bool) {
		more := true
		ast.Inspect(file, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch n := n.(type) {
			case *ast.FuncDecl:
				body = n.Body
			case *ast.FuncLit:
				body = n.Body
			}
			if body != nil {
				more = more && yield(body)
			}
			return more && body == nil
		})
	}
}

// checker is the state of one pass.
type checker struct {
	pass *analysis.Pass
	told map[ast.Expr]bool     // assignments that are reported
	kept map[*types.Var]string // fields with container clients, and the repositories that own these

	// Of the function that is followed:
	body     *ast.BlockStmt
	given    map[string]bool           // what it makes keys and queries of, as Go text
	pointsAt map[*types.Var]place      // its pointers at fields of documents
	assigned map[*types.Var][]ast.Expr // what it assigns to its variables
}

// hasTags reports whether a struct in the files has a tag with the word cosmos. Most packages have none, and the rest of the work is
// not done for them.
func hasTags(files []*ast.File) bool {
	found := false
	for _, file := range files {
		for _, decl := range file.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				if field, ok := n.(*ast.Field); ok && field.Tag != nil {
					found = found || strings.Contains(strings.ToLower(field.Tag.Value), "cosmos")
				}
				return !found
			})
		}
	}
	return found
}
