package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// writeOperations writes the operations that the table says generated code has. They call the
// methods of the embedded Documents, and their comments say what these do for this type.
//
//	func (r *VehicleEventRepository) Create(ctx context.Context, e *VehicleEvent) error {
//		return r.Documents.Create(ctx, e)
//	}
func (f *file) writeOperations() {
	for i := range operations.Operations {
		o := &operations.Operations[i]
		if !o.Written || o.Generated() || !f.has(o) {
			continue
		}
		argument, typ := o.Parameters, jen.Id(f.keyName())
		if o.Parameters == "document" {
			argument, typ = f.doc, ptr(jen.Id(f.Name))
		}
		result := jen.Error()
		if o.Reads {
			result = jen.Params(ptr(jen.Id(f.Name)), jen.Error())
		}
		f.declare(f.operationDoc(o.Cost), f.repositoryMethod(o.Name).Params(f.ctx(), jen.Id(argument).Add(typ)).Add(result).Block(
			jen.Return(jen.Id("r").Dot("Documents").Dot(o.Name).Call(jen.Id("ctx"), jen.Id(argument))),
		))
	}
}

// operationDoc is the comment of an operation.
func (f *file) operationDoc(c operations.Cost) string {
	switch c {
	case operations.Create:
		return prose.Sentences(f.createDoc(), f.uniqueDoc(), f.markedDoc("ErrAlreadyExists"), f.stampsDoc(false), f.schemaWriteDoc(false))
	case operations.Upsert:
		return prose.Sentences(f.upsertDoc(), f.uniqueDoc(), f.markedDoc("ErrAlreadyExists"), f.stampsDoc(true), f.schemaWriteDoc(true))
	case operations.Replace:
		return prose.Sentences(f.replaceDoc(), f.uniqueDoc(), f.markedDoc("ErrNotFound"), f.stampsDoc(true), f.schemaWriteDoc(true))
	case operations.Read:
		return prose.Sentences(f.getDoc(), f.markedDoc("ErrNotFound"), f.schemaReadDoc())
	}
	return f.deleteDoc()
}
