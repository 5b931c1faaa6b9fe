package model

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	cosmos "github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// first returns the top-level property of a pointer.
func first(pointer string) string { return jsonpointer.Names(pointer)[0] }

// properties returns the properties of an entry: those of the document, except those of the run
// time and the service, and without patches.
func (x *indexing) properties(of *templates.Index) []templates.Property {
	var out []templates.Property
	for _, p := range x.source.Properties {
		name := first(p.Pointer)
		switch {
		case x.kept(name) || !has(of.Selected, name):
			continue
		case name == facts.IDProperty:
			p.Pointer = jsonpointer.Of(entryID)
		case name == entryID:
			ref := x.ByProperty(name)
			x.Errorf(x.JSONPosition(ref, x.DeclaredAt(ref)), "field %s has the property %q, where the index %s has the id of a document: give it another JSON name", ref.Selector, entryID, x.name())
		}
		out = append(out, p)
	}
	return unpatched(out)
}

// has reports whether an index has a property. Without a selection it has all; it always has the
// id.
func has(selected []string, name string) bool {
	return selected == nil || name == facts.IDProperty || slices.Contains(selected, name)
}

// unpatched returns a copy of properties without patches. The container of an index has no search
// policies.
func unpatched(properties []templates.Property) []templates.Property {
	out := slices.Clone(properties)
	for i := range out {
		p := &out[i]
		switch p.Patch = (templates.FieldKind{}); p.Kind.Name {
		case "Vector":
			p.Kind.Name, p.Vector = "List", nil
		case "FullText":
			p.Kind.Name, p.Language = "String", ""
		}
		if p.Properties != nil {
			p.Properties = unpatched(p.Properties)
		}
	}
	return out
}

// kept reports whether an entry does not show a property, because the run time or the service uses
// it, or the service computes it.
func (x *indexing) kept(name string) bool {
	r := x.source
	switch {
	case x.of.isComputed(name):
		return true
	case name == facts.ETagProperty || slices.Contains(facts.HiddenProperties, name):
		return true
	case r.Stored != nil && r.Stored.Pointer == jsonpointer.Of(name):
		return true
	case r.Deleted != nil && r.Deleted.Field.Pointer == jsonpointer.Of(name):
		return true
	case r.Schema != nil && r.Schema.Field.Pointer == jsonpointer.Of(name):
		return true
	}
	return slices.ContainsFunc(x.of.Roles, func(t *facts.Tagged) bool {
		return t.Indexed != "" && slices.Equal(t.Ref.Property, []string{name})
	})
}

// selected returns the properties in the definition of the index, nil for all: those that the tag
// names, those of both keys, and those by which the run time decides which documents reads show.
// Each entry has the id implicitly.
func (x *indexing) selected(of *templates.Index) []string {
	if x.Options.Select == nil || !x.projects() {
		return nil
	}
	wanted := slices.Concat(x.selectedByTag(), x.carried(of))
	if x.Failed {
		return nil
	}
	var out, names []string
	add := func(name string) {
		if name != facts.IDProperty && !slices.Contains(out, name) {
			x.definable(name)
			out = append(out, name)
		}
	}
	for _, p := range x.source.Properties {
		name := first(p.Pointer)
		names = append(names, name)
		if slices.Contains(wanted, name) {
			add(name)
			for _, alias := range p.Aliases {
				add(alias)
			}
		}
	}
	for _, name := range wanted { // names without a field
		if !slices.Contains(names, name) {
			add(name)
		}
	}
	return out
}

// projects reports whether the type's code can read a part of a document.
func (x *indexing) projects() bool {
	reason := ""
	switch s := x.source.Schema; {
	case s != nil && (s.Number > 1 || s.Next > 0):
		reason = "a method upgrades documents of other forms, and needs the whole document"
	case facts.ReadsJSON(x.Named):
		reason = "the method UnmarshalJSON needs the whole document"
	}
	if reason != "" {
		x.Errorf(x.Options.Word("select"), "the index %s cannot have only a part of each document, because %s: remove \"select\"", x.name(), reason)
	}
	return reason == ""
}

// selectedByTag returns the properties that the tag names, and reports unknown ones.
func (x *indexing) selectedByTag() []string {
	pos := x.Options.Value("select")
	var names []string
	for _, p := range x.source.Properties {
		names = append(names, first(p.Pointer))
	}
	for _, name := range x.Options.Select {
		switch {
		case name == facts.IDProperty || slices.Contains(facts.SystemProperties, name) && name != facts.TTLProperty:
			x.Errorf(pos, "the index %s always has the property %q: remove it from \"select\"", x.name(), name)
		case !slices.Contains(names, name):
			near := spelling.Nearest(name, names)
			if ref := x.ByName(name); ref != nil && len(ref.Property) > 0 {
				near = ref.Property[0]
			}
			advice := "name JSON properties of the document itself"
			if near != "" {
				advice = "did you mean " + strconv.Quote(near) + "?"
			}
			x.Errorf(pos, "type %s has no property %q: %s", x.Name(), name, advice)
		case x.of.isComputed(name):
			x.Errorf(pos, "the service computes the property %q when a query reads it, and an index has what documents store: remove it from \"select\"", name)
		case x.holdsKey(name):
			x.Errorf(pos, "the property %q holds the text of a key, which entries do not show: remove it from \"select\"", name)
		}
	}
	return x.Options.Select
}

// holdsKey reports whether a property holds the text of a key.
func (x *indexing) holdsKey(name string) bool {
	return slices.ContainsFunc(x.of.Roles, func(t *facts.Tagged) bool {
		return (t.Indexed != "" || t.Synthetic) && slices.Equal(t.Ref.Property, []string{name})
	})
}

// carried returns the properties that each index must have: those of both keys, and those that
// distinguish or mark documents, if the type has these features.
func (x *indexing) carried(of *templates.Index) []string {
	var out []string
	add := func(given bool, names ...string) {
		if given {
			out = append(out, names...)
		}
	}
	r := x.source
	for _, c := range slices.Concat(r.Components(), x.componentsOf(of)) {
		add(true, first(c.Pointer))
	}
	if random(r) {
		add(true, first(r.Stored.Pointer))
	}
	if of.Field != nil {
		add(true, first(of.Field.Pointer))
	}
	if r.Discriminator != nil {
		add(true, r.Discriminator.Property)
	}
	add(moving(r), facts.MoveProperty)
	add(r.Unique != nil, reservation.PendingProperty, reservation.Property)
	if r.Deleted != nil {
		add(true, first(r.Deleted.Field.Pointer))
	}
	if r.Schema != nil {
		add(true, first(r.Schema.Field.Pointer))
	}
	return out
}

// definable reports a property that the definition of an index cannot name.
func (x *indexing) definable(name string) {
	reason := ""
	if _, reserved := cosmossql.Keyword(name); reserved {
		reason = "is a reserved word of SQL"
	} else if !cosmos.Indexable(name) {
		reason = "has other characters than ASCII letters, digits and \"_\""
	}
	if reason != "" {
		x.Errorf(x.Options.Word("select"), "the definition of the index %s cannot name the property %q, which %s: remove \"select\", and the index has all properties", x.name(), name, reason)
	}
}

// fields returns the fields of an entry's struct: the fields of the document's struct with
// properties of the entry.
func (x *indexing) fields(of *templates.Index) []templates.StructField {
	var out []templates.StructField
	all := x.PropertiesAt(nil)
	g := &guarding{d: x.subject}
	for i := range x.Struct.NumFields() {
		v := x.Struct.Field(i)
		if !x.shows(v, all, of) {
			continue
		}
		typ, ok := g.typeOf(v)
		if !ok {
			x.Errorf(x.Unit.Position(v.Pos()), "field %s cannot be in the entries of the index %s: generated code cannot write its type, %s; declare the field by a type with a name, or leave it out by \"select\"", v.Name(), x.name(), x.TypeString(v.Type()))
			continue
		}
		field := templates.StructField{Name: v.Name(), Type: typ, Tag: withoutCosmos(x.Struct.Tag(i))}
		if v.Embedded() {
			field.Name = ""
		}
		out = append(out, field)
	}
	return out
}

// shows reports whether the struct of an entry has a field of the document's struct. An embedded
// struct is included as a whole.
func (x *indexing) shows(v *types.Var, all []facts.Property, of *templates.Index) bool {
	var in, out []string
	for _, p := range all {
		stored := random(x.source) && jsonpointer.Of(p.Name) == x.source.Stored.Pointer // the key needs the stored suffix
		switch {
		case p.Path[0] != v || x.kept(p.Name) && !stored:
		case has(of.Selected, p.Name):
			in = append(in, p.Name)
		default:
			out = append(out, p.Name)
		}
	}
	if in != nil && out != nil {
		x.Errorf(x.Options.Value("select"), "the index %s has a part of the embedded %s, and entries embed it as a whole: add %s to \"select\", or declare the fields in %s itself", x.name(), v.Name(), strings.Join(out, "+"), x.Name())
	}
	return in != nil
}

// withoutCosmos returns a struct tag without the key cosmos.
func withoutCosmos(tag string) string {
	var kept []string
	for {
		tag = strings.TrimLeft(tag, " ")
		name, rest, found := strings.Cut(tag, ":")
		value, err := strconv.QuotedPrefix(rest)
		if !found || err != nil {
			return strings.Join(kept, " ")
		}
		if name != source.CosmosKey {
			kept = append(kept, fmt.Sprintf("%s:%s", name, value))
		}
		tag = rest[len(value):]
	}
}
