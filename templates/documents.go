package templates

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// This file writes what the model says of documents besides their key: which
// documents are of the type, and which field keeps unknown properties.

// discriminators tell the documents of a type from those of others in the container.
var discriminators = feature{
	in:    func(t *Type) bool { return t.Discriminator != nil },
	model: func(f *file) members { return members{{"Discriminator", f.Discriminator.model()}} },
}

// rest keeps unknown properties in a field.
var rest = feature{
	in: func(t *Type) bool { return t.Rest != nil },
	model: func(f *file) members {
		return members{
			{"Rest", f.pointerTo(*f.Rest, restType(), addr(jen.Id(f.doc).Dot(f.Rest.Selector)))},
			{"Known", rows(jen.Index().String(), codes(f.Properties, func(p Property) jen.Code { return jen.Lit(jsonpointer.Names(p.Pointer)[0]) })...)},
		}
	},
}

// model writes what tells documents of the type from others.
//
//	&generated.Discriminator{Property: "type", Value: "reading"}
//
// If the type has no value of its own, Others are those of the other types.
func (d *Discriminator) model() *jen.Statement {
	items := []jen.Code{named("Property", jen.Lit(d.Property))}
	if d.Value != "" {
		items = append(items, named("Value", jen.Lit(d.Value)))
	} else {
		items = append(items, named("Others", texts(d.Others)))
	}
	return addr(jen.Qual(generatedPath, "Discriminator").Values(items...))
}

// ofType says which documents are of the type. It ends a sentence.
func (f *file) ofType() string {
	d := f.Discriminator
	if d == nil {
		return "."
	}
	is := "is " + strconv.Quote(d.Value)
	if d.Value == "" {
		others := make([]string, len(d.Others))
		for i, other := range d.Others {
			others[i] = strconv.Quote(other)
		}
		is = "is not " + strings.Join(others, " or ")
	}
	look := "Upsert, Replace, and Delete"
	if f.Deleted != nil { // the mark has the type in its condition
		look = "Upsert and Replace"
	}
	ids := "In a logical partition an id is one document's, whatever its type, so " + look + " look first whose it is. Where the id of each type has a prefix= in its tag, they need not."
	if !f.shares() {
		ids = "Their ids begin with " + strconv.Quote(f.Prefix) + "."
	}
	return ": those whose property " + d.Property + " " + is + ". " + ids
}

// restType is the type of a pointer to the unknown properties.
//
//	*map[string]json.RawMessage
func restType() *jen.Statement {
	return ptr(jen.Map(jen.String()).Qual(jsonPath, "RawMessage"))
}
