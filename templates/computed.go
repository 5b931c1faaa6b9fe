package templates

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// computing are properties that the service computes when a query reads them: of the type, or of
// others that share its container.
var computing = feature{
	in:    func(t *Type) bool { return t.Computed != nil },
	model: func(f *file) members { return members{{"Computed", f.computedModel()}} },
	words: func(f *file, c operations.Cost) string {
		names := f.computedFields()
		if c != operations.Read || names == nil {
			return ""
		}
		them := "it"
		if len(names) > 1 {
			them = "them"
		}
		return "It leaves " + prose.Enumerate(names) + " zero: the service computes " + them + " in queries, and repository.Select reads " + them + "."
	},
}

// computedFields returns the names of the fields that the service computes.
func (t *Type) computedFields() []string {
	var names []string
	for _, p := range t.Properties {
		if p.Computed != "" {
			names = append(names, p.Name)
		}
	}
	return names
}

// computedModel writes the computed properties of the container, the type's own first.
//
//	&generated.Computed{
//		Own: 1,
//		Properties: []generated.ComputedProperty{
//			{Name: "lowerEmail", Query: "SELECT VALUE LOWER(c.email) FROM c"},
//		},
//		Same: generated.SameQuery,
//	}
func (f *file) computedModel() *jen.Statement {
	var own, others []jen.Code
	for _, c := range f.Computed {
		item := jen.Values(named("Name", jen.Lit(c.Name)), named("Query", quotedText(c.Query)))
		if c.Own {
			own = append(own, item)
		} else {
			others = append(others, item)
		}
	}
	items := []jen.Code{named("Properties", rows(jen.Index().Add(generated("ComputedProperty")), append(own, others...)...)), named("Same", generated("SameQuery"))}
	if own != nil {
		items = append([]jen.Code{named("Own", jen.Lit(len(own)))}, items...)
	}
	return addr(rows(generated("Computed"), items...))
}

// quotedText writes a text, in back quotes if it has quotes itself.
func quotedText(s string) *jen.Statement {
	if strings.Contains(s, `"`) && !strings.Contains(s, "`") {
		return raw("`" + s + "`")
	}
	return jen.Lit(s)
}

// Included returns the path that indexes the property, which no wildcard covers.
func (c Computed) Included() string { return "/" + c.Name + "/?" }
