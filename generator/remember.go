package generator

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// propertiesOf returns the properties that Go writes of a document, as the lock
// has them.
func propertiesOf(d *document) []lock.Property {
	out := propertiesIn(d, d.named, nesting{})
	slices.SortFunc(out, func(a, b lock.Property) int { return strings.Compare(a.Pointer, b.Pointer) })
	return out
}

// nesting is where a struct stands in the JSON of a document.
type nesting struct {
	names  []string     // the properties on the way to it
	within []types.Type // the struct, and those around it
}

// propertiesIn returns the properties of a struct at a place, and those of the
// structs of this package within it.
func propertiesIn(d *document, t types.Type, at nesting) []lock.Property {
	strct, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	at.within = append(slices.Clone(at.within), origin(t))
	var out []lock.Property
	for _, p := range jsonFields(strct) {
		inner := nesting{names: append(slices.Clone(at.names), p.name), within: at.within}
		elem, _ := pointee(p.field().Type())
		kind := jsonKind(elem)
		if p.quoted {
			kind = "string"
		}
		out = append(out, lock.Property{Pointer: jsonPointer(inner.names), JSON: kind})
		if kind == "object" && opens(d, elem, inner.names, inner.within) {
			out = append(out, propertiesIn(d, elem, inner)...)
		}
	}
	return out
}

// jsonKind returns what encoding/json makes of a type: "any" where code decides.
func jsonKind(t types.Type) string {
	switch {
	case isTime(t) || isNamed(t, repositoryPath, "Time"):
		return "string"
	case isNamed(t, "encoding/json", "Number"):
		return "number"
	case hasMethod(t, "MarshalJSON"):
		return "any"
	case hasText(t):
		return "string"
	}
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Map:
		return "object"
	case *types.Array:
		return "array"
	case *types.Slice:
		if isBytes(u) {
			return "string"
		}
		return "array"
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return "string"
		case info&types.IsBoolean != 0:
			return "boolean"
		case info&(types.IsInteger|types.IsFloat) != 0:
			return "number"
		}
	}
	return "any"
}

// evolutionPage says how properties change in safe steps.
const evolutionPage = "https://github.com/cosmos-pkgen/pkgen/blob/main/docs/evolution.md"

// noteProperties notes properties that are renamed, removed, or something else in
// JSON, once: the lock has them as they are now afterwards. Nothing is stored by a
// draft, and a key that changes is told of in other words.
func (f *folderLock) noteProperties() {
	for _, e := range f.now {
		was, known := f.old.Find(e.Type)
		if !known || was.Draft || was.Properties == nil || !was.SameKey(e) {
			continue
		}
		noteChanges(f.docs[e.Type].model, was.Properties, e.Properties)
	}
}

// noteChanges notes what has become of properties.
func noteChanges(d *model, was, now []lock.Property) {
	find := func(in []lock.Property, pointer string) (lock.Property, bool) {
		i := slices.IndexFunc(in, func(p lock.Property) bool { return p.Pointer == pointer })
		if i < 0 {
			return lock.Property{}, false
		}
		return in[i], true
	}
	outermost := func(all []lock.Property, p lock.Property) bool {
		return !slices.ContainsFunc(all, func(around lock.Property) bool { return strings.HasPrefix(p.Pointer, around.Pointer+"/") })
	}
	var removed, added []lock.Property
	for _, p := range was {
		if same, ok := find(now, p.Pointer); !ok {
			removed = append(removed, p)
		} else if same.JSON != p.JSON && same.JSON != "any" {
			noteRetyped(d.document, p, same)
		}
	}
	for _, p := range now {
		if _, ok := find(was, p.Pointer); !ok {
			added = append(added, p)
		}
	}
	for _, p := range removed {
		if outermost(removed, p) {
			noteRemoved(d, p, added)
		}
	}
}

// noteRemoved notes a property that is no more, perhaps since it has another name.
func noteRemoved(d *model, p lock.Property, added []lock.Property) {
	lose := "lose it when Upsert, Replace or Update writes them again"
	if d.rendered.Rest != nil {
		lose = "keep it among the unknown properties"
	}
	var like []lock.Property
	for _, a := range added {
		if a.JSON == p.JSON && parent(a.Pointer) == parent(p.Pointer) {
			like = append(like, a)
		}
	}
	if len(like) == 1 {
		d.report.notef(propertyPosition(d.document, like[0]), "the property %s of type %s is gone, and %s is new, %s as well: if it has another name now, stored documents keep the old one, read as if they had no %s, and %s; see %s",
			p.Pointer, d.name(), like[0].Pointer, article(p.JSON), like[0].Pointer, lose, evolutionPage)
		return
	}
	d.report.notef(d.position(), "the property %s of type %s is gone: stored documents that have it %s; see %s", p.Pointer, d.name(), lose, evolutionPage)
}

// noteRetyped notes a property that is something else in JSON.
func noteRetyped(d *document, was, now lock.Property) {
	what := "was " + article(was.JSON)
	if was.JSON == "any" {
		what = "was what code made of it"
	}
	d.report.notef(propertyPosition(d, now), "the property %s of type %s %s in JSON, and is %s: stored documents that have something else there do not decode any more, and predicates do not find them; see %s",
		now.Pointer, d.name(), what, article(now.JSON), evolutionPage)
}

// article returns a JSON type with its article.
func article(kind string) string {
	if strings.ContainsRune("ao", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

// parent returns the pointer to the object that has a property.
func parent(pointer string) string { return pointer[:strings.LastIndexByte(pointer, '/')] }

// propertyPosition returns where a property is declared, or the type.
func propertyPosition(d *document, p lock.Property) token.Position {
	names := strings.Split(p.Pointer, "/")[1:]
	for i, name := range names {
		names[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	}
	if ref := d.byPropertyPath(names); ref != nil {
		if pos := d.declaredAt(ref); pos.IsValid() {
			return pos
		}
	}
	return d.position()
}
