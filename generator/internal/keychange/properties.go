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
)

// propertiesOf returns the properties that Go writes for a document, in the form of the lock.
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
	within []types.Type // the struct and the structs around it

	stored   []string // the BSON names on the way
	unstored bool     // MongoDB does not store the struct
}

// propertiesIn returns the properties of a struct, and of nested structs of this package.
func propertiesIn(d *facts.Document, t types.Type, at nesting) []lock.Property {
	strct, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	at.within = append(slices.Clone(at.within), facts.Origin(t))
	var out []lock.Property
	for _, p := range facts.JSONFields(strct) {
		if d.IsComputed(&p) {
			continue
		}
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

// written is a property with its stored name.
type written struct {
	lock.Property
	json   string // its JSON pointer
	stored bool   // Pointer has BSON names
}

// dotted is the property in the notation of tags: "trip.from".
func (w written) dotted() string { return strings.Join(jsonpointer.Names(w.Pointer), ".") }

// within reports whether the property is in another one.
func (w written) within(pointer string) bool { return strings.HasPrefix(w.Pointer, pointer+"/") }

// namedBy returns properties by their names in JSON or, if stored, by their names in MongoDB,
// without properties that it does not store.
func namedBy(stored bool, all []lock.Property) []written {
	var out []written
	for _, p := range all {
		w := written{p, p.Pointer, stored}
		if stored {
			w.Pointer = p.Stored
		}
		if w.Pointer != lock.Unstored {
			out = append(out, w)
		}
	}
	return out
}

// noteNarrowed notes a property whose Go type no longer holds all numbers.
func noteNarrowed(d *facts.Document, was, now written) {
	found := ""
	if d.API() == "" {
		found = "pkgen-data verify finds them; "
	}
	d.Report.Notef(propertyPosition(d, now), "the property %s of type %s was %s and is now %s: stored documents whose number does not fit no longer decode; %ssee %s",
		now.Pointer, d.Name(), article(was.Number), article(now.Number), found, evolutionPage)
}

// article returns a JSON type, or a Go type of numbers, with its article.
func article(kind string) string {
	if strings.ContainsRune("aio", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

// propertyPosition returns the declaration of a property, or of the type.
func propertyPosition(d *facts.Document, p written) token.Position {
	if ref := d.ByPropertyPath(jsonpointer.Names(p.json)); ref != nil {
		if pos := d.DeclaredAt(ref); pos.IsValid() {
			return pos
		}
	}
	return d.Position()
}
