// Package suggest proposes cosmos tags for struct types that have none.
//
//	result, err := suggest.Find(ctx, suggest.Options{Patterns: []string{"./..."}})
//	…
//	err = result.Commit()
//
// It takes an exported struct for a document if some of its fields have JSON
// names, one of them a string of the name id, if it has properties of its own,
// if no struct of the packages embeds it, and if no struct that looks like a
// document has it as a part. Each document gets a container of its own: if packages
// have documents of one name, the names of the containers include the packages. If
// a document has the id of another, the proposal says how both can share a container.
// Proposals follow Azure's guidance on choosing a partition key
// ("Partitioning and horizontal scaling in Azure Cosmos DB", "Hierarchical
// partition keys in Azure Cosmos DB" and "Create a synthetic partition key"), by
// the names and types of the fields:
//
//   - A property that names a tenant, a customer, a user or a device is a natural
//     key. A second one, in documents whose number grows with time, makes a
//     hierarchical key.
//   - A date alone takes a random suffix. With the id of a device, it is a second
//     level at most, or the base of a hash suffix among the other keys.
//   - Without any of these, the item id is the key.
//   - A status, an enumeration or a bool is never one.
//
// The package knows only names and types. The source does not say how many values
// a property has, how often each is written, or how requests find their documents;
// each proposal asks these questions.
//
// The package changes source, which package generator reads: it does not know
// how keys are made, nor what generated code looks like.
//
// # Stability
//
// The package is for the command of pkgen, which is its only caller. Its API may
// change with any release.
package suggest

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Options says where to look. The zero value selects the package of the current folder.
type Options struct {
	Dir      string   // folder of relative patterns; "" for the current one
	Patterns []string // packages, in the notation of the go command; none means "."
	Types    []string // only these types, by their Go names; none means all
	Tags     string   // build tags, separated by commas
	Env      []string // environment of the go command; nil for this process's
}

// Tag is the proposed tag of a field, or of a new field.
type Tag struct {
	Field string // its Go name; _ for the blank field with the options of the type
	Words string // the value of the tag
	New   bool   // the field does not exist yet
}

// Key is a proposal for a key.
type Key struct {
	Tags         []Tag
	Reasons      []string // why this key, from names and types
	Rejected     []string // unsuitable properties, with reasons
	Unknown      []string // facts that affect the choice and are not in the source
	Alternatives []string // other keys, with the condition under which each is better
}

// Proposal is a struct type without tags, and a proposed key.
type Proposal struct {
	Key

	Pos     token.Position // of the type's name; the file name is relative to Options.Dir if it is below it
	Package string         // import path
	Type    string
	File    generator.File // the source with only this type's tags
}

// Skipped is a struct type without a proposal, and the reason.
type Skipped struct {
	Pos    token.Position
	Type   string
	Reason string
}

// Result is the result of a run.
type Result struct {
	// Proposals and Skipped are sorted by file and in the order of declaration. Structs that do not
	// look like documents are in neither, unless Options.Types names them.
	Proposals []Proposal
	Skipped   []Skipped
	// Files are the sources with all proposals, and a go:generate directive in one file of each
	// package that has none, sorted by path.
	Files []generator.File
	// Generated is the generator's result for those sources: the models of the types, which include
	// the cost of methods, and diagnostics. It is nil without proposals.
	Generated *generator.Result
}

// Commit writes the tags into the source, in all files or none, like [generator.Result.Commit]. It
// returns an error if the generator refuses the proposals, or if a file has changed since Find read
// it.
func (r *Result) Commit() error {
	if r.Generated == nil {
		return nil
	}
	if err := r.Generated.Err(); err != nil {
		return err
	}
	changes := make([]files.Change, len(r.Files))
	for i, f := range r.Files {
		changes[i] = files.Change{Path: f.Path, Old: f.Old, New: f.New}
	}
	return files.Commit(changes)
}

// Find finds documents without tags and proposes a key for each. It writes nothing; see
// [Result.Commit]. It is deterministic. It skips types with a cosmos tag, types of test files and
// of generated files, and, unless Options.Types names them, types that are unexported or part of
// another.
//
// It returns an error if the go command fails, a file does not parse, a type of Options.Types does
// not exist, or ctx is done. It runs the go command three times and type-checks the packages twice.
func Find(ctx context.Context, o Options) (*Result, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	o.Dir = dir
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"."}
	}
	pkgs, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	result, seen, parts := &Result{}, make(map[string]bool), holders(pkgs)
	containers := apart(pkgs, parts)
	for _, p := range pkgs {
		if err := p.propose(o, result, seen, parts, containers); err != nil {
			return nil, err
		}
	}
	for _, name := range o.Types {
		if !seen[name] {
			return nil, noType(name, o.Patterns, pkgs)
		}
	}
	if len(result.Proposals) == 0 {
		return result, nil
	}
	return result, result.generate(ctx, o)
}

// noType returns the error for a type that no package declares.
func noType(name string, patterns []string, pkgs []pkg) error {
	var names []string
	for _, p := range pkgs {
		for _, d := range p.structs {
			names = append(names, d.named.Obj().Name())
		}
	}
	remedy := "list the package that declares it"
	if near := spelling.Nearest(name, names); near != "" {
		remedy = fmt.Sprintf("did you mean %q?", near)
	}
	return fmt.Errorf("no struct type %s in %s: %s", name, strings.Join(patterns, " "), remedy)
}

// generate runs the generator on the proposals.
func (r *Result) generate(ctx context.Context, o Options) (err error) {
	overlay, names := make(map[string][]byte), make(map[string]bool)
	for _, f := range r.Files {
		overlay[f.Path] = f.New
	}
	for _, p := range r.Proposals {
		names[p.Type] = true
	}
	r.Generated, err = generator.Generate(ctx, generator.Options{
		Dir: o.Dir, Patterns: o.Patterns, Tags: o.Tags, Env: o.Env,
		Types: slices.Sorted(maps.Keys(names)), Overlay: overlay,
	})
	return err
}

// propose adds the proposals for a package. parts are the types that structs contain, containers
// the containers of documents that share a name with others.
func (p *pkg) propose(o Options, result *Result, seen map[string]bool, parts map[types.Type]*types.TypeName, containers map[*types.Named]string) error {
	byFile := make(map[string][]Proposal)
	for _, d := range p.structs {
		name := d.named.Obj().Name()
		chosen := slices.Contains(o.Types, name)
		if len(o.Types) > 0 && !chosen {
			continue
		}
		seen[name] = true
		key, reason := judge(d, parts[d.named], chosen)
		pos := p.Fset.PositionFor(d.spec.Name.Pos(), false)
		path := pos.Filename
		if rel, err := filepath.Rel(o.Dir, path); err == nil && filepath.IsLocal(rel) {
			pos.Filename = rel
		}
		if len(key.Tags) > 0 {
			key.into(containers[d.named])
			p.together(&key, d, parts)
		}
		switch {
		case len(key.Tags) > 0:
			proposal := Proposal{Key: key, Pos: pos, Package: p.PkgPath, Type: name, File: generator.File{Path: path}}
			byFile[path] = append(byFile[path], proposal)
		case reason != "" || chosen:
			if reason == "" {
				reason = "it does not look like a document: one has fields with JSON names, and among them a string of the name id, as in `json:\"id\"`"
			}
			result.Skipped = append(result.Skipped, Skipped{Pos: pos, Type: name, Reason: reason})
		}
	}
	generate := !p.directed()
	for _, path := range slices.Sorted(maps.Keys(byFile)) {
		if err := result.write(path, byFile[path], generate); err != nil {
			return err
		}
		generate = false
	}
	return nil
}

// write adds the proposals for the types of a file.
func (r *Result) write(path string, proposals []Proposal, generate bool) error {
	source, err := files.Read(path)
	if err != nil {
		return err
	}
	for i := range proposals {
		f := &proposals[i].File
		f.Old = source
		if f.New, err = apply(path, source, proposals[i:i+1], false); err != nil {
			return err
		}
	}
	text, err := apply(path, source, proposals, generate)
	if err != nil {
		return err
	}
	r.Proposals = append(r.Proposals, proposals...)
	r.Files = append(r.Files, generator.File{Path: path, Old: source, New: text})
	return nil
}

// judge returns a key for a struct, or the reason why there is none. The reason is empty if the
// struct does not look like a document. holder is a struct that contains it, or nil.
func judge(d declared, holder *types.TypeName, chosen bool) (Key, string) {
	if d.tagged {
		if !chosen {
			return Key{}, ""
		}
		return Key{}, "it has cosmos tags"
	}
	s := d.structure
	if s == nil {
		return Key{}, d.reason
	}
	if !d.named.Obj().Exported() && !chosen {
		return Key{}, "it is unexported, and may not be stored: name it with -type if it is"
	}
	if holder != nil && !chosen {
		name := holder.Name()
		if holder.Pkg() != d.named.Obj().Pkg() {
			name = holder.Pkg().Name() + "." + name
		}
		return Key{}, fmt.Sprintf("%s holds it, so it is part of that document: name it with -type if it is a document itself", name)
	}
	if s.system && !s.own && !chosen {
		return Key{}, "it has only an id and properties of the service, like a struct to embed: name it with -type if it is a document itself"
	}
	return s.choose(), ""
}

// declared is a struct type that a file declares.
type declared struct {
	named *types.Named
	spec  *ast.TypeSpec

	tagged    bool       // a field has a cosmos tag
	structure *structure // nil if it is not a document
	reason    string     // why it is not a document; "" if it does not look like one
}

// directive makes go generate run pkgen.
const directive = "//go:generate go tool pkgen"

// pkg is a loaded package. It may have type errors.
type pkg struct {
	*packages.Package

	structs []declared
}

// load loads the packages that match the patterns, sorted by import path, without their tests.
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
		out = append(out, pkg{p, structsOf(p)})
	}
	slices.SortFunc(out, func(a, b pkg) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return out, nil
}

// parse parses a file without function bodies, which do not affect keys.
func parse(fset *token.FileSet, path string, text []byte) (*ast.File, error) {
	file, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	sourceload.DropBodies(file)
	return file, err
}

// isOutput reports whether a position is in a file that pkgen may have written.
// Errors in such files are ignored.
func isOutput(pos string) bool {
	path, _, _ := strings.Cut(pos, ".go:")
	return strings.HasSuffix(path, "_cosmos")
}

// structsOf returns the struct types of a package's files, without generated files and generic
// types, by file and in the order of declaration.
func structsOf(p *packages.Package) []declared {
	var out []declared
	for _, file := range p.Syntax {
		if ast.IsGenerated(file) {
			continue
		}
		for spec := range sourceload.TypeSpecs(file) {
			syntax, ok := ast.Unparen(spec.Type).(*ast.StructType)
			if !ok || spec.Assign.IsValid() || spec.TypeParams != nil {
				continue
			}
			if object, ok := p.TypesInfo.Defs[spec.Name].(*types.TypeName); ok {
				if named, ok := object.Type().(*types.Named); ok {
					s, reason := read(named, syntax)
					out = append(out, declared{named, spec, hasCosmosTag(syntax), s, reason})
				}
			}
		}
	}
	return out
}

// directed reports whether a file of the package has a go:generate directive for pkgen.
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
