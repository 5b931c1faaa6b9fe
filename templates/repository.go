package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// repository writes the repository and its constructor.
//
//	type VehicleEventRepository struct {
//		*repository.Documents[VehicleEvent, VehicleEventKey]
//	}
//
//	func NewVehicleEventRepository(c *azcosmos.ContainerClient, opts ...repository.Option) *VehicleEventRepository {
//		return &VehicleEventRepository{repository.New(c, &vehicleEventModel, opts...)}
//	}
//
// With several containers it takes a database, and calls repository.NewIn.
func (f *file) repository() {
	switch {
	case f.Own != nil:
		f.tiers()
		return
	case f.API != NoSQL:
		f.otherRepository()
		return
	}
	of := "one container"
	client, arg, created := "ContainerClient", "c", jen.Qual(repositoryPath, "New")
	doc := f.constructorName() + " returns the repository of the container c, which " + f.containerName() + " describes. It sends nothing."
	if f.Containers != nil {
		of = "the containers " + f.Container + " of one database"
		client, arg, created = "DatabaseClient", "db", jen.Qual(repositoryPath, "NewIn")
		doc = f.constructorName() + " returns the repository of the containers of db that " + f.containerName() + " describes. It sends nothing."
	}
	f.declare(f.repositoryName()+" reads and writes the "+f.Name+" documents of "+of+f.ofType()+" It is safe for concurrent use. "+
		"Create, Upsert, Replace, Get and Delete are those of repository.Documents; their comments say what they cost and return here.",
		jen.Type().Id(f.repositoryName()).Struct(
			jen.Op("*").Add(f.documentsType()),
		))
	f.declare(doc,
		jen.Func().Id(f.constructorName()).Params(
			jen.Id(arg).Op("*").Qual(azcosmosPath, client),
			jen.Id("opts").Op("...").Qual(repositoryPath, "Option"),
		).Op("*").Id(f.repositoryName()).Block(
			jen.Return(jen.Op("&").Id(f.repositoryName()).Values(
				created.Call(jen.Id(arg), jen.Op("&").Id(f.modelName()), jen.Id("opts").Op("...")),
			)),
		))
}

// operations writes the five operations on one document. They call the methods of
// the embedded Documents, and their comments say what these do for this type.
//
//	func (r *VehicleEventRepository) Create(ctx context.Context, e *VehicleEvent) error {
//		return r.Documents.Create(ctx, e)
//	}
func (f *file) operations() {
	document := func() *jen.Statement { return jen.Op("*").Id(f.Name) }
	key := func() *jen.Statement { return jen.Id(f.keyName()) }
	f.operation("Create", prose.Sentences(f.createDoc(), f.uniqueDoc(), f.markedDoc("ErrAlreadyExists"), f.stampsDoc(false), f.schemaWriteDoc(false)), f.doc, document(), jen.Error())
	f.operation("Upsert", prose.Sentences(f.upsertDoc(), f.uniqueDoc(), f.markedDoc("ErrAlreadyExists"), f.stampsDoc(true), f.schemaWriteDoc(true)), f.doc, document(), jen.Error())
	f.operation("Replace", prose.Sentences(f.replaceDoc(), f.uniqueDoc(), f.markedDoc("ErrNotFound"), f.stampsDoc(true), f.schemaWriteDoc(true)), f.doc, document(), jen.Error())
	f.operation("Get", prose.Sentences(f.getDoc(), f.markedDoc("ErrNotFound"), f.schemaReadDoc()), "key", key(), jen.Params(document(), jen.Error()))
	f.operation("Delete", f.deleteDoc(), "key", key(), jen.Error())
}

// operation writes a method that passes its argument to the method of Documents
// of the same name.
func (f *file) operation(name, doc, argument string, typ, result jen.Code) {
	f.declare(doc, f.repositoryMethod(name).Params(f.ctx(), jen.Id(argument).Add(typ)).Add(result).Block(
		jen.Return(jen.Id("r").Dot("Documents").Dot(name).Call(jen.Id("ctx"), jen.Id(argument))),
	))
}
