package table

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table/internal/entity"
	"github.com/cosmos-pkgen/pkgen/table/internal/wire"
)

// Documents are the documents of type T in one table, by keys of type K. Generated
// repositories embed it. It is safe for concurrent use.
//
// A request that the service was too busy for is repeated up to nine times, with the
// pauses that it asks for. A request without an answer is repeated up to three times if
// that is safe. Errors are [*Error], and match the sentinels of this package.
type Documents[T any, K generated.Key] struct {
	inner *documents.Collection[T, K]
	table *wire.Table
}

// New returns the documents of a model in a table. It sends nothing. Every operation
// returns what is wrong with the options or the type.
func New[T any, K generated.Key](service *Service, name string, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	s := settings{documents.NewSettings()}
	for _, o := range opts {
		o(&s)
	}
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
	id := model.ID
	if model.Row != nil {
		id = model.Row
	}
	inner := &documents.Collection[T, K]{Model: model, ID: id, Name: name, Settings: s.Settings, Twice: true}
	inner.Driver = wire.Driver[T]{Table: t, Settings: &inner.Settings}
	return &Documents[T, K]{inner, t}
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

// sealing is the command that seals the layout of a type, as errors say it.
func sealing(typ reflect.Type) string {
	path := typ.PkgPath()
	if path == "main" || strings.HasSuffix(path, "_test") || !strings.Contains(path, "/") {
		path = "./..." // less exact than the package, but valid everywhere
	}
	return fmt.Sprintf("go tool pkgen seal -type %s %s", typ.Name(), path)
}

// Create stores doc as a new document: one insert. It writes the ETag and the partition
// key into doc's fields for them, if there are any. If doc's key has a random suffix that
// is not yet chosen, Create chooses it. Errors: ErrAlreadyExists, ErrTooLarge,
// ErrNoContainer, and a *[FieldError] for a value that tables do not have.
//
// If the connection breaks, Create sends doc again. If its row key is then taken, Create
// reads that document, and succeeds if it is doc.
//
// If the row key is taken at once, Create reads that document too, by one point read: a
// proxy may have sent doc twice. If the document is equal to doc, and was not written more
// than 5 seconds before the call, the error matches ErrUnclear as well. If doc's key has a
// random suffix, Create succeeds if the document is equal to doc.
func (d *Documents[T, K]) Create(ctx context.Context, doc *T) error {
	return fault(d.inner.Create(ctx, doc))
}

// Upsert stores doc, new or not, whoever has changed it: one request that replaces the
// whole entity. If the layout of the key is ambiguous, a read comes first. Errors:
// ErrTooLarge, ErrNoContainer; ErrKeyChanged if doc is stored under another key;
// *[FieldError].
func (d *Documents[T, K]) Upsert(ctx context.Context, doc *T) error {
	return fault(d.inner.Upsert(ctx, doc))
}

// Replace stores doc in place of the document of its key: one request that replaces the
// whole entity. If doc has an ETag, it replaces that version alone. Errors: ErrNotFound;
// ErrPreconditionFailed if the document has changed since; ErrKeyChanged; ErrTooLarge;
// *[FieldError].
//
// If the document has changed, Replace reads it, by one point read: a proxy may have sent
// doc twice. If it is equal to doc, and was not written more than 5 seconds before the call,
// the error matches ErrUnclear as well.
func (d *Documents[T, K]) Replace(ctx context.Context, doc *T) error {
	return fault(d.inner.Replace(ctx, doc))
}

// Get returns the document of a key: one point read. Error: ErrNotFound.
func (d *Documents[T, K]) Get(ctx context.Context, key K) (*T, error) {
	found, err := d.inner.Get(ctx, key)
	return found, fault(err)
}

// Exists reports whether there is a document that Get would return. It costs what Get costs.
func (d *Documents[T, K]) Exists(ctx context.Context, key K) (bool, error) {
	found, err := d.inner.Exists(ctx, key)
	return found, fault(err)
}

// GetMany returns the documents of keys, in their order: one point read each, 32 at once.
// A key without a document has nil.
func (d *Documents[T, K]) GetMany(ctx context.Context, keys []K) ([]*T, error) {
	found, err := d.inner.GetMany(ctx, keys)
	return found, fault(err)
}

// Delete removes the document of a key, whoever has changed it: one request. Error:
// ErrNotFound.
func (d *Documents[T, K]) Delete(ctx context.Context, key K) error {
	return fault(d.inner.Delete(ctx, key))
}

// DeleteIfMatch removes doc if it has not changed since it was read: one request. Errors:
// ErrNotFound, ErrPreconditionFailed.
func (d *Documents[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	return fault(d.inner.DeleteIfMatch(ctx, doc))
}
