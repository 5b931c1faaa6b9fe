package table

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table/internal/entity"
	"github.com/cosmos-pkgen/pkgen/table/internal/odata"
	"github.com/cosmos-pkgen/pkgen/table/internal/wire"
)

// Documents are the documents of type T in one table, by keys of type K. Generated repositories
// embed it. It is safe for concurrent use.
//
// Its operations are those of [documents.Collection]:
//
//   - Get and Exists send one point read, GetMany one per key, 32 at once.
//   - Create, Upsert, Replace and Delete send one request each. Replace and Upsert store the
//     whole entity. If the layout of the key is ambiguous, Upsert, Delete, and Replace of a
//     document without an ETag read first.
//   - CreateAll, UpsertAll and DeleteAll send one request per item, or with
//     [documents.InBatches] one entity group transaction for up to 100 items. Cosmos DB charges
//     the sum of the items; Azure Storage counts each operation. A batch in which one item
//     fails costs three requests, and one in which several fail at most two more than its
//     items; each creation with a conflicting document costs one more point read. Upserts and
//     deletes that read first are sent alone.
//
// A value that tables cannot store is a *[documents.FieldError], before any request.
//
// # Requests that arrive twice
//
// A proxy may send a request twice. If Create finds its row key taken, or Replace finds that
// the document has changed, it therefore reads that document, with one point read. If it equals
// doc, and was not written more than 5 seconds before the call, the error also matches
// documents.ErrUnclear. If the connection broke before, or doc's key has a random suffix,
// Create succeeds if the document equals doc.
type Documents[T any, K generated.Key] struct {
	*documents.Collection[T, K]
	spec  api.Container[T, K]
	table *wire.Table
}

// Option changes how a repository works. Package documents has the functions that make one.
type Option = documents.Option

// New returns the documents of a model in a table. It sends nothing. If the options or the type
// are invalid, every operation returns the error.
func New[T any, K generated.Key](service *Service, name string, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	s := api.SettingsOf(opts)
	codec, err := codecOf(model)
	if err != nil {
		s.Refuse(err)
	}
	t := &wire.Table{Codec: codec, Name: name, Service: service}
	if service == nil {
		s.Refuse(failure.Says("the service is nil: make one by aztables.NewServiceClient and table.Configure"))
	} else {
		t.Client = service.NewClient(name)
	}
	if model.Draft {
		t.SetDraft(sealing(reflect.TypeFor[T]()))
	}
	spec := api.Container[T, K]{Model: model, ID: model.ID, IDProperty: odata.Row, Name: name, Settings: s, Twice: true}
	if model.Row != nil {
		spec.ID = model.Row
	}
	spec.Driver = wire.Driver[T]{Table: t, Settings: &s}
	return &Documents[T, K]{documents.New(spec), spec, t}
}

func codecOf[T any, K generated.Key](model *generated.Model[T, K]) (*entity.Codec, error) {
	shape, err := flat.Of[T]()
	if err != nil {
		return nil, err
	}
	if model.Properties == nil || model.Text == nil {
		return nil, fmt.Errorf("%s is not a type of the Table API: run go generate with the tag api=table", model.Type)
	}
	return entity.New(shape, *model.Properties, model.Row != nil)
}

// sealing is the command that seals the layout of a type, for errors.
func sealing(typ reflect.Type) string {
	path := typ.PkgPath()
	if path == "main" || strings.HasSuffix(path, "_test") || !strings.Contains(path, "/") {
		path = "./..." // less exact than the package, but valid everywhere
	}
	return fmt.Sprintf("go tool pkgen seal -type %s %s", typ.Name(), path)
}

// DeleteIfMatch deletes doc if it has not changed since it was read: one request. Errors:
// documents.ErrNotFound, documents.ErrPreconditionFailed.
func (d *Documents[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	return documents.DeleteIfMatch(ctx, d.Collection, doc)
}

// FindInBuckets returns the document with a row key under one of keys: one request for each of
// them, up to 32 at once. Generated code calls it for keys with a random suffix. Errors:
// documents.ErrNotFound; documents.ErrAmbiguous if several documents have the row key.
func FindInBuckets[T any, K generated.Key](ctx context.Context, d *Documents[T, K], row string, keys generated.Keys) (*T, error) {
	return documents.FindInBuckets(ctx, d.Collection, row, keys)
}
