package repository

import (
	"context"
	"errors"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Documents reads and writes the documents of type T in one container, by keys
// of type K. Generated repositories embed it. It is safe for concurrent use.
//
// # Layouts in which keys can collide
//
// A layout such as {deviceId}-{date} of two free texts makes one partition key
// of different fields: "a-b" and "c" give "a-b-c", and so do "a" and "b-c". Two
// documents of such fields that have one id as well are the same item to Cosmos
// DB, so only one of them can be stored. pkgen notes such layouts, and for them
// nobody's document is returned, overwritten or deleted in place of another's:
//
//   - Create returns ErrAlreadyExists, as for any document of that id.
//   - Get looks at what it has read, at no cost, and returns ErrNotFound.
//   - Delete, and Replace of a document without an ETag, read the document first
//     and then write on condition that it is unchanged: about 1 request unit and
//     one round trip more. They return ErrNotFound.
//   - Upsert does the same, and creates the document if there is none. It returns
//     ErrAlreadyExists: the stored document stays, and doc has no place under
//     this id.
//
// If the document changes between the two requests, both are sent again, ten
// times at most with growing pauses; then the error is that of the last write,
// such as ErrPreconditionFailed. Where the account's consistency lets the read be
// behind, an operation may fail for it; it does not hit another document.
//
// # Buckets
//
// Documents whose hashed fields differ can share a bucket, and with it a logical
// partition, in which an id is one document's. Get looks at what it has read and
// returns ErrNotFound for another's; Create returns ErrAlreadyExists. Upsert,
// Replace and Delete do not look, so give such documents ids that differ, as
// for any that share a logical partition.
type Documents[T any, K generated.Key] struct {
	*store
	model *generated.Model[T, K]
}

// New returns the documents of the container c that the model describes.
// Generated constructors call it.
func New[T any, K generated.Key](c *azcosmos.ContainerClient, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	paths := model.Paths
	if paths == nil {
		paths = []string{model.Path}
	}
	return &Documents[T, K]{
		store: &store{container: c, typ: model.Type, paths: paths, settings: newSettings(opts)},
		model: model,
	}
}

// A write is a document on its way to the service.
type write struct {
	place
	body []byte
}

// Create stores doc as a new document: one write. It returns ErrAlreadyExists
// if doc's logical partition holds its id already, and a *partition.KeyError,
// without a request, if its key cannot be stored.
//
// Where the type has a random suffix and doc has none yet, Create chooses one
// and keeps it in doc before it sends anything. Repeated after a failure whose
// outcome is unclear, it therefore meets the document that the first attempt may
// have stored: it reads that one back, one more request, and succeeds if both
// are equal.
//
// After success, doc's synthetic and etag fields hold the stored values.
func (d *Documents[T, K]) Create(ctx context.Context, doc *T) error {
	const op = "create"
	if err := d.joinSession(ctx, op); err != nil {
		return err
	}
	if err := d.chooseSuffix(op, doc); err != nil {
		return err
	}
	w, err := d.prepare(op, doc)
	if err != nil {
		return err
	}
	callCtx, done := d.begin(ctx, w.event(op))
	response, err := d.container.CreateItem(callCtx, w.key, w.body, writeOptions(ctx))
	done(response.RequestCharge, err)
	if err != nil {
		failure := requestError(op, d.typ, w.id, w.name, err)
		if d.model.Random == nil || !errors.Is(failure, ErrAlreadyExists) {
			return failure
		}
		tag, same := d.readBack(ctx, w)
		if !same {
			return failure
		}
		response.ETag = tag
	}
	d.stored(doc, w, response.ETag)
	return nil
}

// Upsert stores doc, whether its logical partition holds its id already or not:
// one write, after a read where keys can collide, whatever doc's ETag says. It returns a *partition.KeyError, without
// a request, if doc's key cannot be stored.
//
// Upsert finds the document to overwrite by the key that doc's fields give now.
// If a field that makes the key was changed since doc was read, this is another
// logical partition, and the document there would be a second copy: with a
// synthetic field, which remembers the stored key, or the level of it that is
// made, Upsert returns ErrKeyChanged instead; without one it cannot know.
//
// After success, doc's synthetic and etag fields hold the stored values.
func (d *Documents[T, K]) Upsert(ctx context.Context, doc *T) error {
	const op = "upsert"
	if err := d.joinSession(ctx, op); err != nil {
		return err
	}
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	if d.model.Ambiguous {
		tag, err := d.upsertVerified(ctx, op, w, d.model.Key(doc))
		if err != nil {
			return err
		}
		d.stored(doc, w, tag)
		return nil
	}
	callCtx, done := d.begin(ctx, w.event(op))
	response, err := d.container.UpsertItem(callCtx, w.key, w.body, writeOptions(ctx))
	done(response.RequestCharge, err)
	if err != nil {
		return requestError(op, d.typ, w.id, w.name, err)
	}
	d.stored(doc, w, response.ETag)
	return nil
}

// Replace stores doc in place of the document that has its key: one write, after
// a read where keys can collide and doc has no ETag. It returns ErrNotFound if
// there is none, and a *partition.KeyError, without a request, if doc's key
// cannot be stored.
//
// If doc has an etag field and that is set, Replace sends it as If-Match and
// returns ErrPreconditionFailed if the stored document has changed since.
//
// If a field that makes the key was changed since doc was read, Replace returns
// ErrKeyChanged where a synthetic field remembers the stored key, and
// ErrNotFound where none does.
//
// After success, doc's synthetic and etag fields hold the stored values.
func (d *Documents[T, K]) Replace(ctx context.Context, doc *T) error {
	const op = "replace"
	if err := d.joinSession(ctx, op); err != nil {
		return err
	}
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	options := azcosmos.ItemOptions{PriorityLevel: demandsOf(ctx).priority}
	if field := d.etag(doc); field != nil && *field != "" {
		tag := azcore.ETag(*field)
		options.IfMatchEtag = &tag
	}
	if d.model.Ambiguous && (options.IfMatchEtag == nil || *options.IfMatchEtag == azcore.ETagAny) {
		tag, err := d.replaceVerified(ctx, op, w, d.model.Key(doc))
		if err != nil {
			return err
		}
		d.stored(doc, w, tag)
		return nil
	}
	callCtx, done := d.begin(ctx, w.event(op))
	response, err := d.container.ReplaceItem(callCtx, w.key, w.id, w.body, &options)
	done(response.RequestCharge, err)
	if err != nil {
		return requestError(op, d.typ, w.id, w.name, err)
	}
	d.stored(doc, w, response.ETag)
	return nil
}

// Get returns the document that key identifies: one point read, 1 request unit
// for 1 KB. It returns ErrNotFound if there is none, and a *partition.KeyError,
// without a request, if there cannot be one.
func (d *Documents[T, K]) Get(ctx context.Context, key K) (*T, error) {
	const op = "get"
	if err := key.Validate(); err != nil {
		return nil, err
	}
	p := d.place(key)
	doc, _, err := d.read(ctx, op, p)
	if err == nil && !d.is(doc, key) {
		return nil, d.foreign(op, p, ErrNotFound)
	}
	return doc, err
}

// read reads the document at p, whose ETag it returns as well.
func (d *Documents[T, K]) read(ctx context.Context, op string, p place) (*T, azcore.ETag, error) {
	if err := d.joinSession(ctx, op); err != nil {
		return nil, "", err
	}
	callCtx, done := d.begin(ctx, p.event(op))
	response, err := d.container.ReadItem(callCtx, p.key, p.id, readOptions(ctx))
	done(response.RequestCharge, err)
	if err != nil {
		return nil, "", requestError(op, d.typ, p.id, p.name, err)
	}
	doc, err := decode[T](d.settings.unmarshal, response.Value)
	if err != nil {
		return nil, "", &Error{Op: op, Type: d.typ, ID: p.id, PartitionKey: p.name, Err: err}
	}
	return doc, response.ETag, nil
}

// Delete removes the document that key identifies: one write, after a read where
// keys can collide. It returns ErrNotFound if there is none, and a
// *partition.KeyError, without a request, if there cannot be one.
func (d *Documents[T, K]) Delete(ctx context.Context, key K) error {
	const op = "delete"
	if err := key.Validate(); err != nil {
		return err
	}
	if err := d.joinSession(ctx, op); err != nil {
		return err
	}
	p := d.place(key)
	if d.model.Ambiguous {
		return d.deleteVerified(ctx, op, p, key)
	}
	callCtx, done := d.begin(ctx, p.event(op))
	response, err := d.container.DeleteItem(callCtx, p.key, p.id, writeOptions(ctx))
	done(response.RequestCharge, err)
	if err != nil {
		return requestError(op, d.typ, p.id, p.name, err)
	}
	return nil
}

// prepare checks doc's key and makes the JSON to be stored.
func (d *Documents[T, K]) prepare(op string, doc *T) (write, error) {
	if doc == nil {
		return write{}, &Error{Op: op, Type: d.typ, Err: errors.New("the document is nil")}
	}
	key := d.model.Key(doc)
	if err := key.Validate(); err != nil {
		return write{}, err
	}
	w := write{place: d.place(key)}
	var err error
	if w.body, err = marshal(doc, w.id); err == nil {
		w.body, err = d.setKey(w.body, w.place)
	}
	if err != nil {
		return write{}, &Error{Op: op, Type: d.typ, ID: w.id, PartitionKey: w.name, Err: err}
	}
	return w, nil
}

// prepareExisting is prepare for a document that may be stored already.
func (d *Documents[T, K]) prepareExisting(op string, doc *T) (write, error) {
	w, err := d.prepare(op, doc)
	if err != nil {
		return w, err
	}
	if field := d.remembered(doc); field != nil && *field != "" && *field != w.text {
		return w, &Error{
			Op: op, Type: d.typ, ID: w.id, PartitionKey: w.name, kind: ErrKeyChanged,
			Err: errors.New("it is stored under " + strconv.Quote(*field)),
		}
	}
	return w, nil
}

// stored notes in doc's own fields what the service holds now.
func (d *Documents[T, K]) stored(doc *T, w write, tag azcore.ETag) {
	if field := d.remembered(doc); field != nil {
		*field = w.text
	}
	if field := d.etag(doc); field != nil && tag != "" {
		*field = string(tag)
	}
}

// remembered returns doc's synthetic field, or nil.
func (d *Documents[T, K]) remembered(doc *T) *string {
	if d.model.Stored == nil {
		return nil
	}
	return d.model.Stored(doc)
}

// etag returns doc's etag field, or nil.
func (d *Documents[T, K]) etag(doc *T) *string {
	if d.model.ETag == nil {
		return nil
	}
	return d.model.ETag(doc)
}

// unmarshaller is json.Unmarshal or what does the same.
type unmarshaller = func([]byte, any) error

// decode makes a document of its JSON.
func decode[T any](unmarshal unmarshaller, raw []byte) (*T, error) {
	doc := new(T)
	if err := unmarshal(raw, doc); err != nil {
		return nil, err
	}
	return doc, nil
}
