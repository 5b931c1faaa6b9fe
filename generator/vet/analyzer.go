// Package vet finds mistakes in the use of cosmos tags and of generated code, in code that
// compiles:
//
//   - tags that pkgen would refuse, at their columns;
//   - generated code that no longer matches the tags or the lock, and an unreadable lock;
//   - an assignment to a key field of a document that was read and is then stored with
//     Replace, Upsert or Update, instead of a move;
//   - a partition key made by hand for a container that has a repository;
//   - a bulk operation without the loop over its result that runs it, and a transaction
//     without a Commit;
//   - a constant id without the prefix of its type;
//   - a transaction of documents whose key ends in the id;
//   - a condition of a query that no index serves.
//
// The rules for documents apply to the code of every API. Those for partition keys made by hand and
// for tenants are for the NoSQL API, whose containers the package knows.
//
// [Analyzer] works with any driver of golang.org/x/tools/go/analysis; pkgen vet is one. It reports
// only what is certain from the source of one function, the fields in which its package keeps
// containers, and the types that it uses. It reports nothing about a document that passes through
// other functions, or a value that comes from one. Lines with a //nolint:pkgen comment are skipped.
//
// The package knows syntax and types, and reads the files of the package that it checks. It runs no
// command. Package generator interprets tags.
package vet

import (
	"go/ast"
	"go/token"
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
begin with the prefix of their type, transactions of documents whose key ends in
the id, conditions of queries that no index serves, and the documents of all
tenants in a package with the comment //pkgen:scoped.`

// Analyzer checks one package. It requires the facts of the imported packages, and returns no
// result. It sends no requests and runs no commands. It is safe for concurrent use, as drivers use
// it.
var Analyzer = &analysis.Analyzer{
	Name:      "pkgen",
	Doc:       help,
	URL:       "https://github.com/cosmos-pkgen/pkgen/blob/main/docs/vet.md",
	Run:       run,
	FactTypes: []analysis.Fact{(*keyFact)(nil)},

	// One finding is a guard in a generated file that does not compile.
	RunDespiteErrors: true,
}

// run checks the package of a pass.
func run(pass *analysis.Pass) (any, error) {
	if slices.ContainsFunc(pass.TypeErrors, func(e types.Error) bool { return !strings.Contains(e.Msg, Guarded) }) {
		return nil, nil // code that does not compile proves nothing
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
			c.alone(body)
			c.unindexed(body)
		}
	}
	return nil, nil
}

// Guarded occurs in the compiler's errors about generated files that do not match their source.
const Guarded = "Changed_runPkgen"

// functions returns the bodies of the outermost functions in a file: declared ones, and those in
// values of variables.
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
	told map[ast.Expr]bool     // reported assignments
	kept map[*types.Var]string // fields with container clients, and the repositories that own them

	// Of the current function:
	body     *ast.BlockStmt
	given    map[string]bool           // the values that it makes keys and queries from, as Go text
	pointsAt map[*types.Var]place      // its pointers to fields of documents
	assigned map[*types.Var][]ast.Expr // the values that it assigns to its variables
}

// hasTags reports whether a struct in the files has a tag with the word cosmos. Most packages have
// none, and need no further work.
func hasTags(files []*ast.File) bool {
	for _, file := range files {
		for field := range all[*ast.Field](file) {
			if field.Tag != nil && strings.Contains(strings.ToLower(field.Tag.Value), "cosmos") {
				return true
			}
		}
	}
	return false
}

// quieted returns a pass that reports nothing on lines with a comment in the form of golangci-lint:
// //nolint:pkgen.
func quieted(pass *analysis.Pass) *analysis.Pass {
	type line struct {
		file *token.File
		line int
	}
	at := func(pos token.Pos) line {
		file := pass.Fset.File(pos)
		return line{file, file.PositionFor(pos, false).Line}
	}
	meant := make(map[line]bool)
	for comment := range comments(pass.Files) {
		if isNolint(comment) {
			meant[at(comment.Pos())] = true
		}
	}
	if len(meant) == 0 {
		return pass
	}
	out := *pass
	out.Report = func(d analysis.Diagnostic) {
		if !meant[at(d.Pos)] {
			pass.Report(d)
		}
	}
	return &out
}

// comments returns the comments of files.
func comments(files []*ast.File) iter.Seq[*ast.Comment] {
	return func(yield func(*ast.Comment) bool) {
		for _, file := range files {
			for _, group := range file.Comments {
				for _, comment := range group.List {
					if !yield(comment) {
						return
					}
				}
			}
		}
	}
}

// isNolint reports whether a comment applies to all linters, or names this one.
func isNolint(comment *ast.Comment) bool {
	rest, ok := strings.CutPrefix(comment.Text, "//nolint")
	if !ok {
		return false
	}
	if rest == "" || rest[0] == ' ' {
		return true
	}
	names, ok := strings.CutPrefix(rest, ":")
	names, _, _ = strings.Cut(names, "//") // the reason follows
	return ok && slices.ContainsFunc(strings.Split(names, ","), func(name string) bool {
		words := strings.Fields(name)
		return len(words) > 0 && (words[0] == "pkgen" || words[0] == "all")
	})
}

// tags reports mistakes in tags, with certain fixes, and an unreadable lock.
func (c *checker) tags(found []generator.Diagnostic) {
	for _, d := range found {
		if d.Severity == generator.Note {
			continue
		}
		in := c.file(d.Pos.Filename)
		if in == nil {
			continue
		}
		file := c.pass.Fset.File(in.FileStart)
		if d.Pos.Offset > file.Size() {
			continue
		}
		report := analysis.Diagnostic{Pos: file.Pos(d.Pos.Offset), Message: d.Message}
		if d.Fix != (generator.Fix{}) && d.Fix.End <= file.Size() {
			report.SuggestedFixes = []analysis.SuggestedFix{{
				Message:   "Write " + d.Fix.Text,
				TextEdits: []analysis.TextEdit{{Pos: file.Pos(d.Fix.Start), End: file.Pos(d.Fix.End), NewText: []byte(d.Fix.Text)}},
			}}
		}
		c.pass.Report(report)
	}
}

// file returns the file of the pass with a name, or nil.
func (c *checker) file(name string) *ast.File {
	i := slices.IndexFunc(c.pass.Files, func(f *ast.File) bool { return c.pass.Fset.File(f.FileStart).Name() == name })
	if i < 0 {
		return nil
	}
	return c.pass.Files[i]
}
