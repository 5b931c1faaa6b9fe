package model

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/gotypes"
	"github.com/cosmos-pkgen/pkgen/generator/internal/property"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Elements assigns each struct type of tagged list elements to the file of one document: its fields
// have one declaration, however many lists of the package have the type. A type that is a document
// itself has its own fields.
func Elements(found []*Candidate) {
	e := elementTypes{owners: make(map[string]*Candidate), documents: make(map[*types.TypeName]*Candidate)}
	for _, c := range found {
		if c.Document != nil {
			e.documents[c.Document.Named.Obj()] = c
		}
	}
	for _, c := range slices.SortedFunc(slices.Values(found), bySpread) {
		if c.Model != nil {
			e.own(c)
		}
	}
}

// bySpread sorts first the types whose files are in the most builds.
func bySpread(a, b *Candidate) int {
	rank := func(c *Candidate) int {
		switch {
		case strings.HasSuffix(c.File.Path, "_test.go"):
			return 2
		case constraintOf(c) != "":
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), ByPath(a, b))
}

// elementTypes are the element types of a package.
type elementTypes struct {
	owners    map[string]*Candidate // their documents, by names with import paths
	documents map[*types.TypeName]*Candidate
}

// own assigns c the element types that it needs and no other document has.
func (e *elementTypes) own(c *Candidate) {
	s := &subject{c.Document}
	r := c.Model.Rendered
	names := make(map[string]bool) // of the elements of c
	for queue := c.Model.elements; len(queue) > 0; queue = queue[1:] {
		t, pos := queue[0].Type, c.Document.WordAt(queue[0].List, "elements")
		if document := e.documents[t.Obj()]; document != nil {
			switch {
			case document.API() != "":
				c.Errorf(pos, "the elements of %s are %s, whose documents are of the %s API, and so are their fields: declare a type of your own for the elements", queue[0].List.Name(), t.Obj().Name(), document.API())
			case slices.ContainsFunc(document.Document.Roles, func(t *facts.Tagged) bool { return t.Computed != "" }):
				c.Errorf(pos, "the elements of %s are %s, which has computed properties, and the service computes none within elements: declare a type of your own for the elements", queue[0].List.Name(), t.Obj().Name())
			}
			continue
		}
		key := types.TypeString(t, nil)
		owner := e.owners[key]
		if owner == nil {
			owner, e.owners[key] = c, c
			found := property.OfElements(c.Document, t)
			queue = append(queue, found.Elements...)
			x := templates.Element{Properties: found.Properties}
			x.Type, _ = gotypes.Of(t, c.Unit.Types)
			x.Name = nameOf(x.Type)
			x.Guard = s.guardElement(r, t, found.Used)
			if names[x.Name] {
				c.Errorf(pos, "the fields of elements of two types would both be called %sFields: declare a type of your own for one of them, as in type %sOf%s %s", x.Name, x.Name, c.Name(), types.TypeString(t, (*types.Package).Name))
			}
			names[x.Name] = true
			r.Elements = append(r.Elements, x)
		}
		if owner != c && constraintOf(owner) != "" && constraintOf(owner) != constraintOf(c) {
			c.Errorf(pos, "the fields of the elements of %s are in the file of %s, which is part of other builds: declare a type of your own for the elements", queue[0].List.Name(), owner.Name())
		}
	}
}

// nameOf returns the name of a type followed by those of its arguments: PageEuro.
func nameOf(t pk.GoType) string {
	names := []string{t.Name}
	for _, arg := range t.Args {
		names = append(names, goname.UpperFirst(nameOf(arg)))
	}
	return strings.Join(names, "")
}

// guardElement returns the guard of an element type, in addition to the guard of the document.
func (d *subject) guardElement(r *templates.Type, t *types.Named, used [][]*types.Var) templates.Guard {
	g := newGuarding(d, t)
	for _, path := range used {
		g.add(path, false)
	}
	guarded := func(s templates.GuardedStruct) bool {
		same := func(other templates.GuardedStruct) bool { return other.Name.String() == s.Name.String() }
		return slices.ContainsFunc(r.Guard.Structs, same) || slices.ContainsFunc(r.Elements, func(x templates.Element) bool { return slices.ContainsFunc(x.Guard.Structs, same) })
	}
	g.guard.Structs = slices.DeleteFunc(g.guard.Structs, guarded)
	return g.guard
}

func constraintOf(c *Candidate) string { return source.ConstraintOf(c.File) }
