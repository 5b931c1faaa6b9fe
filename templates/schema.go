package templates

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// schemas number the forms in which documents are stored.
var schemas = feature{
	in:     func(t *Type) bool { return t.Schema != nil },
	fields: func(t *Type) []*pk.Field { return []*pk.Field{&t.Schema.Field} },
	model:  func(f *file) members { return members{{"Schema", f.schemaModel()}} },
	words: func(f *file, c operations.Cost) string {
		if c == operations.Read {
			return f.schemaReadDoc()
		}
		return f.schemaWriteDoc(c != operations.Create)
	},
}

// aliased are properties that old documents have under other names.
var aliased = feature{
	in: func(t *Type) bool {
		return slices.ContainsFunc(t.Properties, func(p Property) bool { return p.Aliases != nil })
	},
	model: func(f *file) members { return members{{"Aliases", f.aliasModel()}} },
}

// schemaModel tells the run time about the forms of documents.
func (f *file) schemaModel() *jen.Statement {
	s, kept := f.Schema, f.keptByUpgrade()
	return addr(rows(generated("Schema").Types(jen.Id(f.Name)),
		named("Property", jen.Lit(dotted(s.Field.Pointer))),
		named("Number", jen.Lit(s.Number)),
		when(s.Number > 1, named("Upgrade", jen.Parens(ptr(jen.Id(f.Name))).Dot("Upgrade"))),
		when(s.Next > 0, named("Next", jen.Lit(s.Next))),
		when(s.Next > 0, named("Downgrade", jen.Parens(ptr(jen.Id(f.Name))).Dot("Downgrade"))),
		when(s.Next > 0, named("SetNext", jen.Func().Params(param(f.doc, ptr(jen.Id(f.Name)))).Block(assign(jen.Id(f.doc).Dot(s.Field.Selector), jen.Lit(s.Next))))),
		when(s.Next > 0, named("IsNext", jen.Func().Params(param(f.doc, ptr(jen.Id(f.Name)))).Bool().Block(jen.Return(equal(jen.Id(f.doc).Dot(s.Field.Selector), jen.Lit(s.Next)))))),
		when((s.Number > 1 || s.Next > 0) && kept != nil, named("Keep", jen.Func().Params(jen.List(jen.Id(f.doc), jen.Id("stored")).Add(ptr(jen.Id(f.Name)))).Block(kept...))),
		named("Set", jen.Func().Params(param(f.doc, ptr(jen.Id(f.Name)))).Block(assign(jen.Id(f.doc).Dot(s.Field.Selector), jen.Lit(s.Number)))),
	))
}

// keptByUpgrade restores, after a call of Upgrade, the fields that only the run time sets.
func (f *file) keptByUpgrade() []jen.Code {
	var kept []jen.Code
	keep := func(field *pk.Field) {
		kept = append(kept, assign(jen.Id(f.doc).Dot(field.Selector), jen.Id("stored").Dot(field.Selector)))
	}
	for _, s := range f.stamps() {
		keep(s.field)
	}
	if f.Deleted != nil {
		keep(&f.Deleted.Field)
	}
	return kept
}

// schemaWriteDoc says what a write does about the form of a document.
func (f *file) schemaWriteDoc(replaces bool) string {
	sets := "It sets"
	if f.Stamps != nil {
		sets = "It also sets"
	}
	doc := fmt.Sprintf("%s %s.%s to %d.", sets, f.doc, f.Schema.Field.Selector, f.Schema.Number)
	if replaces && f.Schema.Next > 0 {
		return doc + fmt.Sprintf(" It returns %s if the stored document has a greater number, including %d.", f.in("ErrNewerDocument"), f.Schema.Next)
	}
	if replaces {
		doc += " It returns " + f.in("ErrNewerDocument") + " if the stored document has a greater number."
	}
	return doc
}

// schemaReadDoc says what a read does about the form of a document.
func (f *file) schemaReadDoc() string {
	if s := f.Schema; s.Next > 0 {
		other := "Downgrade on a document of form " + fmt.Sprint(s.Next)
		if s.Number > 1 {
			other = "Upgrade on a document of an earlier form, and " + other
		}
		return fmt.Sprintf("It calls %s, and returns %s if its %s is greater.", other, f.in("ErrNewerDocument"), s.Field.Selector)
	}
	if f.Schema.Number == 1 {
		return "It returns " + f.in("ErrNewerDocument") + " if its " + f.Schema.Field.Selector + " is greater than 1."
	}
	return fmt.Sprintf("It calls Upgrade on a document of an earlier form, and returns %s if its %s is greater than %d.", f.in("ErrNewerDocument"), f.Schema.Field.Selector, f.Schema.Number)
}

// aliasModel writes which properties old documents have under other names.
//
//	Aliases: []generated.Aliased{
//		{Property: "name", Names: []string{"fullName"}},
//	}
func (f *file) aliasModel() *jen.Statement {
	var all []jen.Code
	for _, p := range f.Properties {
		if p.Aliases != nil {
			all = append(all, jen.Values(named("Property", jen.Lit(jsonpointer.Names(p.Pointer)[0])), named("Names", texts(p.Aliases))))
		}
	}
	return rows(jen.Index().Add(generated("Aliased")), all...)
}
