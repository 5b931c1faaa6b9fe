package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// stamping is fields that the run time sets with each write.
var stamping = feature{
	in:     func(t *Type) bool { return t.Stamps != nil },
	fields: func(t *Type) []*pk.Field { return collect(t.stamps(), func(s stamp) *pk.Field { return s.field }) },
	model:  func(f *file) members { return members{{"Stamps", f.stampsModel()}} },
	words:  (*file).stampsDoc,
}

// stamp is a stamp of a type: its name in the run time, and its field.
type stamp struct {
	name  string
	field *pk.Field
}

// stamps returns the stamps of a type, in a fixed order.
func (t *Type) stamps() []stamp {
	if t.Stamps == nil {
		return nil
	}
	var all []stamp
	for _, s := range []stamp{{"Created", t.Stamps.Created}, {"Updated", t.Stamps.Updated}, {"Version", t.Stamps.Version}} {
		if s.field != nil {
			all = append(all, s)
		}
	}
	return all
}

// stampsModel tells the run time about the stamps.
func (f *file) stampsModel() *jen.Statement {
	var items, set []jen.Code
	for _, s := range f.stamps() {
		items = append(items, named(s.name, jen.Lit(dotted(s.field.Pointer))))
		value := jen.Id("stored").Dot(s.name)
		if s.field.Value == pk.Time {
			value = repository("NewTime").Call(value)
		} else {
			value = goType(s.field.Type).Call(value)
		}
		set = append(set, assign(jen.Id(f.doc).Dot(s.field.Selector), value))
	}
	items = append(items, named("Set", doing(set, param(f.doc, ptr(jen.Id(f.Name))), param("stored", generated("Stamp")))))
	return addr(rows(generated("Stamps").Types(jen.Id(f.Name)), items...))
}

// stampsDoc says which fields a write sets, and which a write that replaces keeps.
func (f *file) stampsDoc(c operations.Cost) string {
	if c == operations.Read {
		return ""
	}
	var sets, keeps []string
	for _, s := range f.stamps() {
		at := f.doc + "." + s.field.Selector
		if c != operations.Create && s.name == "Created" {
			keeps = append(keeps, at)
		} else {
			sets = append(sets, at)
		}
	}
	doc := ""
	if len(sets) > 0 {
		doc = "It sets " + prose.Enumerate(sets)
	}
	switch {
	case len(keeps) > 0 && doc != "":
		doc += ", and keeps the stored " + keeps[0]
	case len(keeps) > 0:
		doc = "It keeps the stored " + keeps[0]
	}
	if doc == "" {
		return ""
	}
	return doc + "."
}
