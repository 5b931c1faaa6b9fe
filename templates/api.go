package templates

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// api is an API of Cosmos DB for generated code: its run time, its words, the costs of its
// operations, and what it alone has.
type api struct {
	emitter

	number  operations.APIs
	runtime string   // import path of the run time
	in      string   // its package, in comments
	errors  string   // the package of its errors
	imports []string // what only files of the API import

	// container is the API's word for a container. handle is the run time's type that reaches the
	// service, and parameter the name of parameters of that type.
	container         string
	handle, parameter string

	fields  string // the comment of the variable of fields of a type %s, after the variable's name
	id      string // the name under which the id is stored, if it has one of its own
	checkID string // the function of package partition that checks ids, if it has one of its own
	check   string // the function of package partition that checks partition keys

	upserts  string // when Upsert returns ErrAlreadyExists, in addition
	replaces string // what Replace does without a version
	gone     string // what else ErrPreconditionFailed may mean
	removes  string // what else Delete removes

	left string // the line about a container of %[1]s documents, created by the function %[2]s, in the comment of EnsureContainers, which leaves it out

	prefixes bool // queries read all buckets of a base by the prefix of their keys
	typed    bool // times are stored as times, so they sort
	batch    int  // how many writes InBatches sends together, 0 if it has no effect
	looking  int  // the same for writes with a read before each

	costs costs
}

// emitter writes the parts of a file that differ between APIs.
type emitter interface {
	names(*Type) []string         // the names that provide declares
	provide(*file)                // patches, and the functions that describe and create the container
	references(*Type) []reference // the fields by which queries name properties
	model(*file) members          // the API's fields of the run time's model
	repository(*file)             // the repository and its constructor
}

// cost is what an operation costs.
type cost struct {
	Words           string
	Requests, Units int  // of a fan-out, for each part that it reads
	FanOut          bool // it reads several parts of the container
	ByKey           bool // the parts are logical partitions, each with a request of its own
	Inside          bool // the service reads the parts for one request
}

// costs are the costs of operations.
//
// A point read of 1 KB costs one request unit by definition. The other numbers are
// rough, and come from Microsoft's pages on request units and query performance.
type costs struct {
	write    cost
	verified cost // a write after a look
	read     cost
	many     cost // a read of several keys
	query    cost // of one logical partition
	fanOut   cost // of several
	scan     cost // of the container
	find     cost // of an id in several logical partitions; Words has %d, their number
}

// apis are the APIs by their numbers.
var apis = [...]*api{NoSQL: &nosql, Table: &table, Mongo: &mongo, Gremlin: &gremlin}

func (t *Type) api() *api { return apis[t.API] }

// lib writes a name of the run time.
func (t *Type) lib(name string) *jen.Statement { return jen.Qual(t.api().runtime, name) }

// in returns a name of the run time for a comment: documents.ErrNotFound.
func (t *Type) in(name string) string {
	if strings.HasPrefix(name, "Err") {
		return t.api().errors + "." + name
	}
	return t.api().in + "." + name
}

// StoredName returns the name of the property at a JSON pointer in shard keys and indexes of
// MongoDB. The id is always "_id".
//
//	position.lat
func (t *Type) StoredName(pointer string) string {
	if id := t.api().id; id != "" && pointer == t.ID.Pointer {
		return id
	}
	return dotted(pointer)
}

// dotted returns the name of the property at a JSON pointer in the other APIs.
//
//	position.lat
func dotted(pointer string) string { return strings.Join(jsonpointer.Names(pointer), ".") }

// repositoryOf writes a repository, which embeds a type of the run time, and its constructor,
// which calls a function of the run time.
//
//	type EventRepository struct {
//		*table.Documents[Event, EventKey]
//	}
//
//	func NewEventRepository(service *table.Service, opts ...table.Option) *EventRepository {
//		return &EventRepository{table.New(service, "Event", &eventModel, opts...)}
//	}
func (f *file) repositoryOf(doc string, embedded jen.Code, constructed string, handle jen.Code, parameter, function string, args ...jen.Code) {
	call := append([]jen.Code{jen.Id(parameter)}, append(args, spread(jen.Id("opts")))...)
	f.declare(f.repositoryName+doc, jen.Type().Id(f.repositoryName).Struct(ptr(embedded)))
	f.declare(f.constructorName+constructed+" It sends nothing.", jen.Func().Id(f.constructorName).
		Params(param(parameter, ptr(handle)), options(f.lib("Option"))).Add(ptr(jen.Id(f.repositoryName))).
		Block(jen.Return(addr(jen.Id(f.repositoryName).Values(f.lib(function).Call(call...))))))
}

// documents is the type of the run time's documents.
func (f *file) documents() *jen.Statement {
	return f.lib("Documents").Types(jen.Id(f.Name), jen.Id(f.keyName))
}

// others has the common parts of Table, Mongo and Gremlin: package documents has their queries,
// conditions and fields.
type others struct{}

func (others) names(t *Type) []string { return []string{t.names().ensureName} }

// references refers to properties by their dotted names.
func (others) references(t *Type) []reference { return namesOf(t.Properties) }

// model names the properties whose fields the run time itself reads or writes.
//
//	Properties: &generated.Properties{ID: "id", ETag: "_etag", Stored: "partitionKey"}
//	Properties: &generated.Properties{ID: "id", Label: "device"}
func (others) model(f *file) members {
	property := func(name string, field *pk.Field) jen.Code {
		if field == nil {
			return jen.Null()
		}
		return named(name, jen.Lit(dotted(field.Pointer)))
	}
	return members{{"Properties", addr(generated("Properties").Values(
		property("ID", &f.ID), property("ETag", f.ETag), property("Stored", f.Stored),
		when(f.Label != "" && f.Label != f.Name, named("Label", jen.Lit(f.Label))),
	))}}
}

// repositoryIn writes the repository of the container with a name.
func (others) repositoryIn(f *file, stored, constructed, name, more string) {
	f.repositoryOf(prose.Sentences(" reads and writes the "+f.Name+" documents of one "+stored+". It is safe for concurrent use.", more), f.documents(), " returns the repository of the "+constructed+".",
		f.lib(f.api().handle), f.api().parameter, "New", jen.Lit(name), addr(jen.Id(f.modelName)))
}

// ensureIn writes the function that creates a container by the run time's Ensure.
//
//	func EnsureEventTable(ctx context.Context, service *table.Service) error {
//		return table.Ensure(ctx, service, "Event")
//	}
func (others) ensureIn(f *file, doc string, described jen.Code, more ...string) {
	params := []jen.Code{f.ctx(), param(f.api().parameter, ptr(f.lib(f.api().handle)))}
	args := []jen.Code{jen.Id("ctx"), jen.Id(f.api().parameter), described}
	for _, name := range more {
		params, args = append(params, param(name, f.lib(goname.UpperFirst(name)))), append(args, jen.Id(name))
	}
	f.declare(f.ensureName+doc, jen.Func().Id(f.ensureName).Params(params...).Error().Block(jen.Return(f.lib("Ensure").Call(args...))))
}
