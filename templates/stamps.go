package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// stamp is a stamp that a type has: what the run time calls it, and its field.
type stamp struct {
	name  string
	field *Field
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

// carries reports whether a write that replaces a document must know that document: the
// time when it was created stays, its version grows, or it may be marked as deleted.
func (f *plan) carries() bool {
	return f.Deleted != nil || f.Stamps != nil && (f.Stamps.Created != nil || f.Stamps.Version != nil)
}

// costStore is the cost of a write that stores a document in place of another.
func (f *plan) costStore() cost {
	if f.carries() || f.Schema != nil {
		return f.face().Costs.Verified
	}
	return f.costChange()
}

// stampsModel tells the run time about the stamps.
//
//	&generated.Stamps[Order]{
//		Created: "createdAt",
//		Version: "version",
//		Set: func(o *Order, stored generated.Stamp) {
//			o.CreatedAt = repository.NewTime(stored.Created)
//			o.Version = int(stored.Version)
//		},
//	}
func (f *file) stampsModel() *jen.Statement {
	var items, set []jen.Code
	for _, s := range f.stamps() {
		items = append(items, jen.Id(s.name).Op(":").Lit(dotted(s.field.Pointer)))
		value := jen.Id("stored").Dot(s.name)
		if s.field.Value == Time {
			value = jen.Qual(repositoryPath, "NewTime").Call(value)
		} else {
			value = goType(s.field.Type).Call(value)
		}
		set = append(set, jen.Id(f.doc).Dot(s.field.Selector).Op("=").Add(value))
	}
	items = append(items, jen.Id("Set").Op(":").Func().Params(
		jen.Id(f.doc).Op("*").Id(f.Name), jen.Id("stored").Qual(generatedPath, "Stamp"),
	).Block(set...))
	return jen.Op("&").Qual(generatedPath, "Stamps").Types(jen.Id(f.Name)).Custom(multiLine, items...)
}

// stampsDoc says which fields a write sets, and which a write that replaces keeps. It is
// empty for types without stamps.
func (f *file) stampsDoc(replaces bool) string {
	var sets, keeps []string
	for _, s := range f.stamps() {
		at := f.doc + "." + s.field.Selector
		if replaces && s.name == "Created" {
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
