package templates

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// This file writes the function that ensures all containers of a package, in a file of
// its own.

// ensured is a container, and the types that need it.
type ensured struct {
	id       string
	holds    string // its contents, such as leases; "" for documents
	types    []*Type
	function string // that ensures the container, of the first type
	options  bool   // the function takes the options of EnsureContainers
	index    bool   // it is an index, whose source must exist first
	asks     bool   // the function first looks for documents without the property of the index
}

// containers returns the containers that the file ensures, each once, by id: containers of
// the NoSQL API with a fixed id, and containers of the run time that types name.
func (p *Package) containers() []ensured {
	var all []ensured
	add := func(e ensured) {
		if i := slices.IndexFunc(all, func(other ensured) bool { return other.id == e.id }); i >= 0 {
			all[i].types = append(all[i].types, e.types...)
		} else if e.id != "" {
			all = append(all, e)
		}
	}
	for _, t := range p.sorted() {
		if t.api().left != "" || t.Constraint != p.Constraint {
			continue
		}
		of, names := []*Type{t}, t.names()
		if t.Containers == nil {
			add(ensured{id: t.Container, types: of, function: names.ensureName, options: true})
		}
		add(ensured{id: t.Leases, holds: "leases", types: of, function: names.ensureLeasesName, options: true})
		add(ensured{id: t.Directory, holds: "the directory", types: of, function: names.ensureDirectoryName})
		for i := range t.Indexes {
			if x := &t.Indexes[i]; !x.Later {
				add(ensured{x.Entry.Container, "the index " + x.Name, of, x.names().ensureName, true, true, x.Field != nil})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b ensured) int {
		if a.index != b.index { // sources come first
			return strings.Compare(strconv.FormatBool(a.index), strconv.FormatBool(b.index))
		}
		return strings.Compare(a.id, b.id)
	})
	return all
}

// sorted returns the types by name.
func (p *Package) sorted() []*Type {
	types := slices.Clone(p.Types)
	slices.SortFunc(types, func(a, b *Type) int { return strings.Compare(a.Name, b.Name) })
	return types
}

// ensureContainers writes
//
//	func EnsureContainers(
//		ctx context.Context, db *azcosmos.DatabaseClient, throughput admin.Throughput, opts ...admin.EnsureOption,
//	) error {
//		…
//	}
func (p *Package) ensureContainers(out *jen.File) {
	all := p.containers()
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
	out.Comment(prose.Comment(p.doc(all)))
	if left := p.left(); len(left) > 0 {
		out.Comment("//")
		out.Comment("// Other functions create the other containers:")
		for _, line := range left {
			out.Comment("//   - " + line)
		}
	}
	out.Add(jen.Func().Id(ensureContainersName).Params(
		jen.Id("ctx").Qual(contextPath, "Context"),
		param("db", ptr(azcosmos("DatabaseClient"))),
		param("throughput", admin("Throughput")),
		options(admin("EnsureOption")),
	).Error().Block(body...))
}

// doc is the comment of the function.
func (p *Package) doc(all []ensured) string {
	described := prose.Enumerate(collect(all, func(e ensured) string {
		of := prose.Enumerate(collect(e.types, func(t *Type) string { return t.Name }))
		if e.holds != "" {
			return fmt.Sprintf("%q with %s of %s", e.id, e.holds, of)
		}
		return fmt.Sprintf("%q of %s", e.id, of)
	}))
	asks := ""
	if slices.ContainsFunc(all, func(e ensured) bool { return e.asks }) {
		asks = " For an index with a made key it also looks for documents without the key's property: about 3 request units for each physical partition."
	}
	least, most, each := len(all), 5*len(all), "one to five for each"
	if slices.ContainsFunc(all, func(e ensured) bool { return !e.options }) {
		least, most, each = least+1, most+2, "one to five for each, and two more at most for the directory"
	}
	what, requests := "or checks the containers of this package", fmt.Sprintf("%d to %d requests, %s", least, most, each)
	if len(all) == 1 {
		what, requests = "or checks the one container of this package that has a fixed id", "one to five requests"
	}
	return fmt.Sprintf("%s creates %s: %s. Call it once, when the program starts: it costs %s. "+
		"The error joins a *admin.ContainerError for each that differs.%s", ensureContainersName, what, described, requests, asks)
}

// left lists the containers that the function leaves out, each with the function that
// creates it.
func (p *Package) left() []string {
	var left []string
	add := func(function, format string, args ...any) {
		left = append(left, plain.Word(function+": "+fmt.Sprintf(format, args...)))
	}
	for _, t := range p.sorted() {
		switch {
		case t.Edge != nil:
		case t.api().left != "":
			left = append(left, plain.Word(fmt.Sprintf(t.api().left, t.Name, t.names().ensureName)))
		case t.Containers != nil && t.window() != nil:
			add(t.names().ensureWindowsName, "the containers of %s documents, by periods", t.Name)
		case t.Containers != nil:
			add(t.names().ensureName, "a container of %s documents, %s", t.Name, t.Container)
		case t.Constraint != p.Constraint:
			add(t.names().ensureName, "the container of %s documents, for some builds", t.Name)
		}
		if t.Own != nil {
			add(t.names().ensureOwnName, "the own containers of tenants of %s", t.Name)
		}
	}
	return left
}
