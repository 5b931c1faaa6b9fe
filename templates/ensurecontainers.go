package templates

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates/internal/lines"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// This file writes the function that ensures all containers of a package, in a file of
// its own.

// The names of the function, and of its file. Only a type EnsureContainers, or one whose
// name differs in case or underscores, would get a file of this name too.
const (
	EnsureContainersName = "EnsureContainers"
	EnsureContainersFile = "ensure_containers_cosmos.go"
)

// ensureContainersSource is the line after the header of the file.
const ensureContainersSource = "// Source: the types of the package, by pkgen -ensure"

// Containers is what the file of EnsureContainers is rendered from.
type Containers struct {
	Package     string   // its name
	PackagePath string   // its import path
	Constraint  string   // build constraint of the file; "" for none
	Reserved    []string // identifiers that are taken in the files of the package

	// Types are the types of the package that are in no test file. Those of other APIs,
	// and those with another build constraint, are named in the comment alone.
	Types []*Type
}

// IsEnsureContainers reports whether a text is the file of EnsureContainers, or what is
// left of it.
func IsEnsureContainers(text []byte) bool {
	return len(bytes.TrimSpace(text)) == 0 || bytes.Contains(text, []byte(ensureContainersSource))
}

// ensured is a container, and the types that need it.
type ensured struct {
	id       string
	holds    string // what it keeps of the types; "" for their documents
	types    []*Type
	function string // of the first type: it ensures the container
	options  bool   // the function takes those of EnsureContainers
}

// containers returns the containers that the file ensures, each once, by id: those of
// the NoSQL API with one fixed id, and those of the run time that types name.
func (c *Containers) containers() []ensured {
	var all []ensured
	add := func(e ensured) {
		if i := slices.IndexFunc(all, func(other ensured) bool { return other.id == e.id }); i >= 0 {
			all[i].types = append(all[i].types, e.types...)
		} else if e.id != "" {
			all = append(all, e)
		}
	}
	for _, t := range c.sorted() {
		if t.api().left != "" || t.Constraint != c.Constraint {
			continue
		}
		of, names := []*Type{t}, t.names()
		if t.Containers == nil {
			add(ensured{t.Container, "", of, names.ensureName, true})
		}
		add(ensured{t.Leases, "leases", of, names.ensureLeasesName, true})
		add(ensured{t.Directory, "the directory", of, names.ensureDirectoryName, false})
	}
	slices.SortStableFunc(all, func(a, b ensured) int { return strings.Compare(a.id, b.id) })
	return all
}

// sorted returns the types by name.
func (c *Containers) sorted() []*Type {
	types := slices.Clone(c.Types)
	slices.SortFunc(types, func(a, b *Type) int { return strings.Compare(a.Name, b.Name) })
	return types
}

// Empty reports whether there is no container to ensure.
func (c *Containers) Empty() bool { return len(c.containers()) == 0 }

// Render returns the formatted source of the file. It writes
//
//	func EnsureContainers(
//		ctx context.Context, db *azcosmos.DatabaseClient, throughput admin.Throughput, opts ...admin.EnsureOption,
//	) error {
//		…
//	}
func (c *Containers) Render() ([]byte, error) {
	out := jen.NewFilePathName(c.PackagePath, c.Package)
	out.NoFormat = true // as in draft
	taken := scope.Scope{Names: scope.Names{}, Reserved: c.Reserved}
	for _, p := range []string{contextPath, errorsPath, azcosmosPath, adminPath} {
		name := path.Base(p)
		if taken.Free(name) {
			taken.Add(name)
			out.ImportName(p, name)
		} else {
			out.ImportAlias(p, alias(p, name, taken))
		}
	}
	all := c.containers()
	body := []jen.Code{jen.Var().Id("failures").Index(jen.Lit(len(all))).Error()}
	for i, e := range all {
		args := []jen.Code{jen.Id("ctx"), jen.Id("db"), jen.Id("throughput")}
		if e.options {
			args = append(args, spread(jen.Id("opts")))
		}
		body = append(body, assign(jen.List(jen.Id("_"), jen.Id("failures").Index(jen.Lit(i))), jen.Id(e.function).Call(args...)))
	}
	body = append(body, jen.Return(jen.Qual(errorsPath, "Join").Call(spread(jen.Id("failures").Index(jen.Empty(), jen.Empty())))))
	out.Line()
	for i, paragraph := range c.doc(all) {
		if i > 0 {
			out.Comment("//")
		}
		out.Comment(prose.Comment(paragraph))
	}
	if left := c.left(); len(left) > 0 {
		out.Comment("//")
		out.Comment("// Other functions make what one throughput, or one program, does not:")
		for _, line := range left {
			out.Comment("//   - " + line)
		}
	}
	out.Add(jen.Func().Id(EnsureContainersName).Params(
		jen.Id("ctx").Qual(contextPath, "Context"),
		param("db", ptr(azcosmos("DatabaseClient"))),
		param("throughput", admin("Throughput")),
		options(admin("EnsureOption")),
	).Error().Block(body...))
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by pkgen. DO NOT EDIT.\n%s\n\n", ensureContainersSource)
	if c.Constraint != "" {
		fmt.Fprintf(&b, "//go:build %s\n\n", c.Constraint)
	}
	if err := out.Render(&b); err != nil {
		return nil, fmt.Errorf("render %s: %w", EnsureContainersName, err)
	}
	text, err := Format(lines.Wrap(lines.Separate(b.Bytes())))
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", EnsureContainersName, err)
	}
	return text, nil
}

// doc is the comment of the function, by paragraphs.
func (c *Containers) doc(all []ensured) []string {
	described := collect(all, func(e ensured) string {
		of := prose.Enumerate(collect(e.types, func(t *Type) string { return t.Name }))
		if e.holds != "" {
			return fmt.Sprintf("%q with %s of %s", e.id, e.holds, of)
		}
		return fmt.Sprintf("%q of %s", e.id, of)
	})
	const (
		limited = "They use no request units, but the service limits their rate for each account: call it once, at the start of a program."
		many    = "Many programs may call it at once."
	)
	n := len(all)
	least, most, each := n, 5*n, "one to five for each container"
	if slices.ContainsFunc(all, func(e ensured) bool { return !e.options }) {
		least, most, each = least+1, most+2, each+", and two more at most for the directory"
	}
	if n == 1 {
		return []string{
			prose.Sentences(
				fmt.Sprintf("%s creates the one container of this package that has a fixed id, or checks it: %s.", EnsureContainersName, described[0]),
				"A *admin.ContainerError names each difference, and admin.FixDifferences makes those changes that are safe.",
			),
			prose.Sentences("It costs one to five requests.", limited, many),
		}
	}
	return []string{
		prose.Sentences(
			fmt.Sprintf("%s creates the containers of this package, or checks those that are there: %s.", EnsureContainersName, prose.Enumerate(described)),
			"It looks at each of them, one after the other, also if another one is not as wanted or a request has failed.",
			"The error joins those of all: a *admin.ContainerError names each difference of a container, and admin.FixDifferences makes those changes that are safe, in each container by itself.",
			"If it is nil, all containers are as wanted.",
		),
		prose.Sentences(
			fmt.Sprintf("It costs %d to %d requests, %s.", least, most, each), limited,
			"Each container gets the throughput; call the function of a type for a container that wants another one.",
			"When ctx ends, the error names the containers that were not looked at.",
			many,
		),
	}
}

// left says which containers the function leaves out, each with the function that makes
// it.
func (c *Containers) left() []string {
	var left []string
	add := func(function, format string, args ...any) {
		left = append(left, plain.Word(function+": "+fmt.Sprintf(format, args...)))
	}
	for _, t := range c.sorted() {
		switch {
		case t.Edge != nil:
		case t.api().left != "":
			left = append(left, plain.Word(fmt.Sprintf(t.api().left, t.Name, t.names().ensureName)))
		case t.Containers != nil && t.window() != nil:
			add(t.names().ensureWindowsName, "the containers of %s documents, by periods", t.Name)
		case t.Containers != nil:
			add(t.names().ensureName, "a container of %s documents, %s", t.Name, t.Container)
		case t.Constraint != c.Constraint:
			add(t.names().ensureName, "the container of %s documents, for some builds", t.Name)
		}
		if t.Own != nil {
			add(t.names().ensureOwnName, "the own containers of tenants of %s", t.Name)
		}
	}
	return left
}
