package keychange

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/generator/internal/property"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// propertiesOf returns the properties that Go writes for a document, as the lock has
// them.
func propertiesOf(m *model.Model) []lock.Property {
	out := propertiesIn(m.Document, m.Named, nesting{})
	for i := range out {
		if out[i].Stored != "" && out[i].Pointer == jsonpointer.Of(facts.IDProperty) {
			out[i].Stored = storedID
		}
	}
	slices.SortFunc(out, func(a, b lock.Property) int { return strings.Compare(a.Pointer, b.Pointer) })
	return out
}

// nesting is the place of a struct in the JSON of a document.
type nesting struct {
	names  []string     // the properties on the way to it
	within []types.Type // the struct, and those around it

	stored   []string // the properties on the way, by the names of MongoDB
	unstored bool     // MongoDB does not have the struct
}

// propertiesIn returns the properties of a struct, and of the structs of this
// package within it.
func propertiesIn(d *facts.Document, t types.Type, at nesting) []lock.Property {
	strct, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	at.within = append(slices.Clone(at.within), facts.Origin(t))
	var out []lock.Property
	for _, p := range facts.JSONFields(strct) {
		inner := nesting{names: append(slices.Clone(at.names), p.Name), within: at.within, unstored: at.unstored}
		elem, _ := facts.Pointee(p.Field().Type())
		kind, number := facts.JSONKind(elem), facts.NumberType(elem)
		if p.Quoted {
			kind, number = "string", ""
		}
		written := lock.Property{Pointer: jsonpointer.Of(inner.names...), JSON: kind, Number: number}
		if d.API() == annotations.Mongo {
			names := facts.BSONNames(strct, p.Path)
			inner.stored = append(slices.Clone(at.stored), names...)
			inner.unstored = at.unstored || names == nil
			if written.Stored = jsonpointer.Of(inner.stored...); inner.unstored {
				written.Stored = lock.Unstored
			}
		}
		out = append(out, written)
		if kind == "object" && property.Opens(d, elem, inner.names, inner.within) {
			out = append(out, propertiesIn(d, elem, inner)...)
		}
	}
	return out
}

// noteProperties notes properties that are renamed, removed, of another JSON type, not
// read under an alias any more, or unique. It notes them once, since the lock has
// the new properties afterwards. It notes none of drafts, which have no stored
// documents, nor of types whose key changes, which is reported already.
func (f *comparedFolder) noteProperties() {
	for _, e := range f.entries {
		was, known := f.old.Find(e.Type)
		if !known || was.Draft || was.Properties == nil || !was.SameKey(e) && was.StepTo(e) != lock.Marked {
			continue
		}
		d := f.docs[e.Type].Model
		noteChanges(d, was.Properties, e.Properties)
		noteAliases(d, was, e)
		noteUnique(d, was, e)
	}
}

// noteChanges notes the properties that have changed.
func noteChanges(d *model.Model, was, now []lock.Property) {
	stored := d.API() == annotations.Mongo && !slices.ContainsFunc(was, func(p lock.Property) bool { return p.Stored == "" })
	compareProperties(d, namedBy(stored, was), namedBy(stored, now))
}

// written is a property by the name that documents have for it.
type written struct {
	lock.Property
	json string // its JSON pointer
}

// namedBy returns properties by their names in JSON or, if stored, by those that MongoDB
// has for them, without those that it leaves out.
func namedBy(stored bool, all []lock.Property) []written {
	var out []written
	for _, p := range all {
		w := written{p, p.Pointer}
		if stored {
			w.Pointer = p.Stored
		}
		if w.Pointer != lock.Unstored {
			out = append(out, w)
		}
	}
	return out
}

// compareProperties does the work of noteChanges.
func compareProperties(d *model.Model, was, now []written) {
	find := func(in []written, pointer string) (written, bool) {
		i := slices.IndexFunc(in, func(p written) bool { return p.Pointer == pointer })
		if i < 0 {
			return written{}, false
		}
		return in[i], true
	}
	outermost := func(all []written, p written) bool {
		return !slices.ContainsFunc(all, func(around written) bool { return strings.HasPrefix(p.Pointer, around.Pointer+"/") })
	}
	var removed, added []written
	for _, p := range was {
		if same, ok := find(now, p.Pointer); !ok {
			removed = append(removed, p)
		} else if same.JSON != p.JSON && same.JSON != "any" {
			noteRetyped(d.Document, p, same)
		} else if same.Narrows(p.Property) {
			noteNarrowed(d.Document, p, same)
		}
	}
	for _, p := range now {
		if _, ok := find(was, p.Pointer); !ok {
			added = append(added, p)
		}
	}
	removed = slices.DeleteFunc(removed, func(p written) bool { return renamed(d, p.json) })
	for _, p := range removed {
		if outermost(removed, p) {
			noteRemoved(d, p, added)
		}
	}
}

// renamed reports whether a property, or the one that it is in, has another name now, and
// documents that have it under its alias are still read.
func renamed(d *model.Model, pointer string) bool {
	name := jsonpointer.Names(pointer)[0]
	return slices.ContainsFunc(d.Rendered.Properties, func(p templates.Property) bool { return slices.Contains(p.Aliases, name) })
}

// noteRemoved notes a property that is gone. It may have another name now.
func noteRemoved(d *model.Model, p written, added []written) {
	lose := fate(d)
	var like []written
	for _, a := range added {
		if a.JSON == p.JSON && jsonpointer.Parent(a.Pointer) == jsonpointer.Parent(p.Pointer) {
			like = append(like, a)
		}
	}
	if len(like) == 1 {
		d.Report.Notef(propertyPosition(d.Document, like[0]), "the property %s of type %s is gone, and %s is new, %s as well: if it has another name now, stored documents keep the old one, read as if they had no %s, and %s; see %s",
			p.Pointer, d.Name(), like[0].Pointer, article(p.JSON), like[0].Pointer, lose, evolutionPage)
		return
	}
	d.Report.Notef(d.Position(), "the property %s of type %s is gone: stored documents that have it %s; see %s", p.Pointer, d.Name(), lose, evolutionPage)
}

// noteRetyped notes a property that has another JSON type.
func noteRetyped(d *facts.Document, was, now written) {
	what := "was " + article(was.JSON)
	if was.JSON == "any" {
		what = "was what code made of it"
	}
	d.Report.Notef(propertyPosition(d, now), "the property %s of type %s %s in JSON, and is %s: stored documents that have something else there do not decode any more, and predicates do not find them; see %s",
		now.Pointer, d.Name(), what, article(now.JSON), evolutionPage)
}

// noteNarrowed notes a property whose Go type does not hold all numbers of the one before.
func noteNarrowed(d *facts.Document, was, now written) {
	found := ""
	if d.API() == "" {
		found = "pkgen-data verify finds them; "
	}
	d.Report.Notef(propertyPosition(d, now), "the property %s of type %s was %s, and is %s: stored documents whose number there does not fit do not decode any more; %ssee %s",
		now.Pointer, d.Name(), article(was.Number), article(now.Number), found, evolutionPage)
}

// article returns a JSON type, or a Go type of numbers, with its article.
func article(kind string) string {
	if strings.ContainsRune("aio", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

// propertyPosition returns where a property is declared, or the type.
func propertyPosition(d *facts.Document, p written) token.Position {
	if ref := d.ByPropertyPath(jsonpointer.Names(p.json)); ref != nil {
		if pos := d.DeclaredAt(ref); pos.IsValid() {
			return pos
		}
	}
	return d.Position()
}
