package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// This file writes the repository of a type of Table, Mongo or Gremlin, and the function
// that makes its container. Everything else of such a type is written as for NoSQL, with
// the words of its face.

// handle writes the parameter by which a program reaches the service.
//
//	service *table.Service
func (f *file) handle() *jen.Statement {
	return param(f.face().Parameter, ptr(jen.Qual(f.runtime(), f.face().Handle)))
}

// otherEnsure writes the function that creates the table or the collection. Programs make
// graphs with the tools of Azure, since Gremlin has no request for that.
//
//	func EnsureEventTable(ctx context.Context, service *table.Service) error {
//		return table.Ensure(ctx, service, "Event")
//	}
//
//	func EnsureEventCollection(ctx context.Context, db *mongo.Database, throughput mongo.Throughput) error {
//		return mongo.Ensure(ctx, db, mongo.Collection{
//			Name:     "event",
//			ShardKey: "partitionKey",
//		}, throughput)
//	}
func (f *file) otherEnsure() {
	params := []jen.Code{f.ctx(), f.handle()}
	args := []jen.Code{jen.Id("ctx"), jen.Id(f.face().Parameter)}
	var doc string
	switch f.API {
	case Table:
		doc = f.ensureName() + " creates the table " + f.Container + " of " + f.Name + " documents, unless it is there: one request."
		args = append(args, jen.Lit(f.Container))
	case Mongo:
		doc = f.ensureName() + " creates the collection " + f.Container + " of " + f.Name + " documents with its shard key, its throughput and its indexes, or checks the shard key of the one that is there and adds the indexes that it lacks."
		params = append(params, jen.Id("throughput").Qual(f.runtime(), "Throughput"))
		args = append(args, f.collection(), jen.Id("throughput"))
	default:
		return
	}
	f.declare(doc, jen.Func().Id(f.ensureName()).Params(params...).Error().Block(
		jen.Return(jen.Qual(f.runtime(), "Ensure").Call(args...)),
	))
}

// collection describes the collection.
//
//	mongo.Collection{
//		Name:     "event",
//		ShardKey: "partitionKey",
//		Indexes: [][]mongo.Index{
//			{{Name: "vin"}, {Name: "at", Descending: true}},
//		},
//	}
func (f *file) collection() *jen.Statement {
	items := []jen.Code{
		named("Name", jen.Lit(f.Container)),
		named("ShardKey", jen.Lit(f.StoredName(f.Levels[0].Path))),
	}
	if len(f.Composites) > 0 {
		indexes := make([]jen.Code, len(f.Composites))
		for i, composite := range f.Composites {
			properties := make([]jen.Code, len(composite))
			for j, path := range composite {
				index := []jen.Code{named("Name", jen.Lit(f.StoredName(path.Path)))}
				if path.Descending {
					index = append(index, named("Descending", jen.True()))
				}
				properties[j] = jen.Values(index...)
			}
			indexes[i] = jen.Values(properties...)
		}
		items = append(items, named("Indexes", rows(jen.Index().Index().Qual(f.runtime(), "Index"), indexes...)))
	}
	return rows(jen.Qual(f.runtime(), "Collection"), items...)
}

// otherRepository writes the repository and its constructor.
//
//	type EventRepository struct {
//		*table.Documents[Event, EventKey]
//	}
//
//	func NewEventRepository(service *table.Service, opts ...table.Option) *EventRepository {
//		return &EventRepository{table.New(service, "Event", &eventModel, opts...)}
//	}
//
// The second argument of gremlin.New is the label.
func (f *file) otherRepository() {
	var constructed string
	name := f.Container
	switch f.API {
	case Table:
		constructed = " returns the repository of the table " + name + " of service, which " + f.ensureName() + " creates. It sends nothing."
	case Mongo:
		constructed = " returns the repository of the collection " + name + " of db, which " + f.ensureName() + " creates. It sends nothing."
	case Gremlin:
		name = f.Label
		constructed = " returns the repository of the vertices " + name + " in the graph of g. The partition key of the graph is " + f.Levels[0].Path + ". It sends nothing."
	}
	f.declare(f.repositoryDoc(), jen.Type().Id(f.repositoryName()).Struct(
		ptr(jen.Qual(f.runtime(), "Documents").Types(jen.Id(f.Name), jen.Id(f.keyName()))),
	))
	f.construct(constructed, "New", jen.Lit(name), addr(jen.Id(f.modelName())))
}

// construct writes a constructor of the repository, which calls one of the run time.
func (f *file) construct(doc, function string, args ...jen.Code) {
	args = append([]jen.Code{jen.Id(f.face().Parameter)}, append(args, spread(jen.Id("opts")))...)
	f.declare(f.constructorName()+doc, jen.Func().Id(f.constructorName()).Params(
		f.handle(), variadic("opts", jen.Qual(f.runtime(), "Option")),
	).Add(ptr(jen.Id(f.repositoryName()))).Block(
		jen.Return(addr(jen.Id(f.repositoryName()).Values(jen.Qual(f.runtime(), function).Call(args...)))),
	))
}

// repositoryDoc is the comment of the repository.
func (f *file) repositoryDoc() string {
	stored := "of one " + f.face().Container
	if f.API == Gremlin {
		stored = "of one graph, the vertices " + f.Label
	}
	more := ""
	switch {
	case f.API == Table:
		more = "Upserts and replacements of entities are whole: no property of an older entity stays. Writes to one logical partition that take effect together, or not at all, are a " + f.in("Transaction") + ": In adds them. With " + f.in("InBatches") + ", bulk operations send up to a hundred documents of a logical partition by one request."
	case f.API == Gremlin:
		more = "Gremlin has no versions: of two programs that change one document, the last one wins. Properties of vertices that " + f.Name + " does not have stay as they are."
	}
	return prose.Sentences(
		f.repositoryName()+" reads and writes the "+f.Name+" documents "+stored+". It is safe for concurrent use.",
		"Create, Upsert, Replace, Get and Delete are those of "+f.in("Documents")+"; their comments say what they cost and return here.",
		more)
}
