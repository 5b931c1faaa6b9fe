package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// formerModel writes which properties old documents have under other names. It returns
// nil if there are none.
//
//	Former: []generated.Former{
//		{Property: "name", Names: []string{"fullName"}},
//	}
func (f *file) formerModel() *jen.Statement {
	var all []jen.Code
	for _, p := range f.Properties {
		if p.Former == nil {
			continue
		}
		names := make([]jen.Code, len(p.Former))
		for i, name := range p.Former {
			names[i] = jen.Lit(name)
		}
		all = append(all, jen.Values(
			jen.Id("Property").Op(":").Lit(jsonpointer.Names(p.Pointer)[0]),
			jen.Id("Names").Op(":").Index().String().Values(names...),
		))
	}
	if all == nil {
		return nil
	}
	return jen.Id("Former").Op(":").Index().Qual(generatedPath, "Former").Custom(multiLine, all...)
}
