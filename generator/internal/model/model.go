package model

import (
	"go/types"
	"path/filepath"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/property"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Model is the model of a document: the rendered type, and facts for messages. It is immutable once
// made.
type Model struct {
	*facts.Document
	Rendered  *templates.Type // without Reserved and Draft, see Type
	Ambiguity string          // an example, if the key is ambiguous

	elements []property.Element // the element types that queries have conditions on
}

// Type returns the type to render, with the identifiers that its package has taken, and a layout
// that is a draft or not.
func (d *Model) Type(reserved []string, draft bool) *templates.Type {
	t := *d.Rendered
	t.Reserved, t.Draft = reserved, draft
	return &t
}

// model makes the model of a document, and reports contradictory facts. It returns nil if too
// little is known for the later phases.
func (d *member) model() *Model {
	if isEdge(d.Stated) {
		return d.edge()
	}
	id, etag := d.id(), d.etag()
	d.systemFields()
	rest := d.rest()
	k := d.key(id)
	if k == nil {
		return nil
	}
	if !k.combines() {
		return nil
	}
	stored := k.stored()
	k.place(stored)
	k.apiPath(k.PathPosition())
	d.apiContainer()
	d.stores()
	if n := utf8.RuneCountInString(d.Container()); n > maxContainerID && !d.Placed() {
		d.Errorf(d.Position(), "the container of %s would be called by its name, which has %d characters, and Cosmos DB allows %d: name it by `_ struct{}` with `cosmos:\"container=…\"`", d.Name(), n, maxContainerID)
	}
	if d.Failed {
		return nil
	}
	m := &Model{Document: d.Document}
	r := k.template()
	r.ID, r.ETag, r.Rest, r.Stored = id, etag, rest, stored
	k.kept(r)
	if r.API == templates.NoSQL {
		r.Written = k.written(id.Selector)
	}
	if !k.tellAmbiguous(m, r) {
		return nil
	}
	r.Ambiguous = k.noteHashedID(id) || r.Ambiguous
	r.Tenant = k.tenant()
	r.Own = k.own(r.Tenant)
	k.noteUnremembered(stored)
	r.Parsed = k.parsed()
	d.queries(r)
	if d.Failed {
		return nil
	}
	examples(r)
	d.document(k, r)
	r.Prefix = d.idPrefix()
	r.Composites = d.indexes()
	of := property.Of(d.Document)
	r.Properties, m.elements = of.Properties, of.Elements
	r.Unique = d.unique(r)
	if r.API == templates.NoSQL {
		r.Indexes = d.globalIndexes(k, r)
	}
	protect(r)
	r.Guard = d.guard(r, of.Used)
	if r.API == templates.NoSQL {
		r.Integers = d.integers(k.Levels)
	}
	m.Rendered = r
	return m
}

// kept adds the fields that the run time sets.
func (k *key) kept(r *templates.Type) {
	r.Stamps = k.stamps(r)
	r.Deleted = k.deleted(r)
	r.Schema = k.schema(r)
}

// document adds what documents of the NoSQL API have besides their key.
func (d *member) document(k *key, r *templates.Type) {
	if r.API == templates.NoSQL {
		r.Discriminator = d.discriminator(k.Levels)
		d.otherCase(k.Levels, r.Discriminator)
		d.systemTypes()
		r.TTL = d.expiry()
		r.Conflict = d.conflict(r)
		r.Vectors, r.Texts = d.search(r.Paths())
		r.Computed = d.computed()
		d.freeComputed(r)
	}
	r.Leases, r.Directory = d.companions()
	d.aliasSystem(k, r)
}

// systemFields checks the fields for the service's properties, which other APIs lack.
func (d *member) systemFields() {
	if d.API() == "" {
		d.timestamp()
	} else {
		d.lacks()
	}
}

// tellAmbiguous records in m and r that different components can make the same key. It returns
// false if that is refused.
func (k *key) tellAmbiguous(m *Model, r *templates.Type) bool {
	a, found := ambiguous(r)
	if !found {
		return true
	}
	if k.refuseAmbiguous(a) || !k.visible(r.Layout()) {
		return false
	}
	r.Ambiguous, m.Ambiguity = true, a.example
	if !a.bySign { // a number such as a year is never negative, and generated code checks anyway
		k.Note(annotations.NoteAmbiguous, k.KeyPosition(), a.note())
	}
	return true
}

// examples sets the examples of a key, a row key and the ids of containers.
func examples(r *templates.Type) {
	r.ExampleKey, r.ExampleRow = ExampleKey(r.Key, r.Kind == templates.Hierarchical), exampleRow(r.Row, r.Escape)
	r.ExampleContainer, r.ExampleOwn = exampleContainer(r.Containers, r.ContainerSeparators()), exampleContainer(r.Own, "")
}

// template returns the part of the rendered type that follows from the key and the declaration.
func (k *key) template() *templates.Type {
	t := &templates.Type{
		Package:     k.Unit.Name,
		PackagePath: k.Unit.Path,
		Source:      filepath.Base(k.File.Path),
		Constraint:  source.ConstraintOf(k.File),
		Name:        k.Name(),
		API:         apiOf(k.API()),
		Row:         k.row,
		Container:   k.Container(),
		Containers:  k.containers,
		NoMethods:   k.Options.NoMethods,
		Kind:        k.kind,
		Key:         k.Key,
	}
	if t.API == templates.Gremlin {
		t.Container, t.Label = "", label(k.Stated)
	}
	return t
}

// parsed reports whether a function can parse the key, and notes why not.
func (k *key) parsed() bool {
	if !k.Escape {
		return false
	}
	why := ""
	for _, c := range k.Components() {
		if ref := k.ByName(c.Selector); ref != nil && c.Value.Marshaled() && !types.Implements(types.NewPointer(ref.Field().Type()), facts.TextUnmarshaler) {
			why = "the type of " + c.Selector + " has no UnmarshalText method"
		}
	}
	if k.leveled {
		why = "the key has several values"
	}
	if why != "" {
		k.Note(annotations.NoteNoParse, k.Options.At(k.Options.Offset("escape")), "no function takes the key apart: "+why)
	}
	return why == ""
}

// queries reports two queries with one name.
func (d *subject) queries(m *templates.Type) {
	seen := make(map[string]bool)
	for _, method := range m.Methods() {
		if seen[method.Name] {
			d.Errorf(d.KeyPosition(), "two queries would be called %s: rename a Go field of the key, and keep its JSON name", method.Name)
			return
		}
		seen[method.Name] = true
	}
}

// maxContainerID is the maximum length of a container's id in characters, from the service quotas
// of Azure Cosmos DB. https://learn.microsoft.com/azure/cosmos-db/concepts-limits
const maxContainerID = 255
