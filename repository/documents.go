package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Documents reads and writes the documents of type T in one container, by keys
// of type K. Generated repositories embed it. It is safe for concurrent use.
type Documents[T any, K generated.Key] struct {
	source[T]
	model *generated.Model[T, K]
}

// source is what queries need of Documents: all but the key type.
type source[T any] struct {
	container *azcosmos.ContainerClient
	typ       string
	settings  settings
}

// New returns the documents of the container c that the model describes.
// Generated constructors call it.
func New[T any, K generated.Key](c *azcosmos.ContainerClient, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	return &Documents[T, K]{
		source: source[T]{container: c, typ: model.Type, settings: newSettings(opts)},
		model:  model,
	}
}

// A write is a document on its way to the service.
type write struct {
	id      string
	text    string // the key as text, empty where it is not a string
	key     azcosmos.PartitionKey
	keyName string // for errors
	body    []byte
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
	if err := d.chooseSuffix(op, doc); err != nil {
		return err
	}
	w, err := d.prepare(op, doc)
	if err != nil {
		return err
	}
	callCtx, done := measure(ctx)
	response, err := d.container.CreateItem(callCtx, w.key, w.body, nil)
	done(response.RequestCharge, err)
	if err != nil {
		err = requestError(op, d.typ, w.id, w.keyName, err)
		if d.model.Random == nil || !errors.Is(err, ErrAlreadyExists) {
			return err
		}
		tag, same := d.readBack(ctx, w)
		if !same {
			return err
		}
		response.ETag = tag
	}
	d.stored(doc, w, response.ETag)
	return nil
}

// Upsert stores doc, whether its logical partition holds its id already or not:
// one write, whatever doc's ETag says. It returns a *partition.KeyError, without
// a request, if doc's key cannot be stored.
//
// Upsert finds the document to overwrite by the key that doc's fields give now.
// If a field that makes the key was changed since doc was read, this is another
// logical partition, and the document there would be a second copy: with a
// synthetic field, which remembers the stored key, Upsert returns ErrKeyChanged
// instead; without one it cannot know.
//
// After success, doc's synthetic and etag fields hold the stored values.
func (d *Documents[T, K]) Upsert(ctx context.Context, doc *T) error {
	const op = "upsert"
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	callCtx, done := measure(ctx)
	response, err := d.container.UpsertItem(callCtx, w.key, w.body, nil)
	done(response.RequestCharge, err)
	if err != nil {
		return requestError(op, d.typ, w.id, w.keyName, err)
	}
	d.stored(doc, w, response.ETag)
	return nil
}

// Replace stores doc in place of the document that has its key: one write. It
// returns ErrNotFound if there is none, and a *partition.KeyError, without a
// request, if doc's key cannot be stored.
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
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	var options azcosmos.ItemOptions
	if field := d.etag(doc); field != nil && *field != "" {
		tag := azcore.ETag(*field)
		options.IfMatchEtag = &tag
	}
	callCtx, done := measure(ctx)
	response, err := d.container.ReplaceItem(callCtx, w.key, w.id, w.body, &options)
	done(response.RequestCharge, err)
	if err != nil {
		return requestError(op, d.typ, w.id, w.keyName, err)
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
	id := d.model.ID(key)
	_, value, name := d.partitionKey(key)
	callCtx, done := measure(ctx)
	response, err := d.container.ReadItem(callCtx, value, id, nil)
	done(response.RequestCharge, err)
	if err != nil {
		return nil, requestError(op, d.typ, id, name, err)
	}
	doc, err := d.decode(response.Value)
	if err != nil {
		return nil, &Error{Op: op, Type: d.typ, ID: id, PartitionKey: name, Err: err}
	}
	return doc, nil
}

// Delete removes the document that key identifies: one write. It returns
// ErrNotFound if there is none, and a *partition.KeyError, without a request, if
// there cannot be one.
func (d *Documents[T, K]) Delete(ctx context.Context, key K) error {
	if err := key.Validate(); err != nil {
		return err
	}
	id := d.model.ID(key)
	_, value, name := d.partitionKey(key)
	callCtx, done := measure(ctx)
	response, err := d.container.DeleteItem(callCtx, value, id, nil)
	done(response.RequestCharge, err)
	if err != nil {
		return requestError("delete", d.typ, id, name, err)
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
	w := write{id: d.model.ID(key)}
	w.text, w.key, w.keyName = d.partitionKey(key)
	var err error
	if w.body, err = marshal(doc, w.id); err == nil && d.model.Synthetic {
		w.body, err = setText(w.body, d.model.Path, w.text)
	}
	if err != nil {
		return write{}, &Error{Op: op, Type: d.typ, ID: w.id, PartitionKey: w.keyName, Err: err}
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
			Op: op, Type: d.typ, ID: w.id, PartitionKey: w.keyName, kind: ErrKeyChanged,
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

// partitionKey returns key's partition key as text where it is text, as the SDK
// wants it, and as errors name it.
func (d *Documents[T, K]) partitionKey(key K) (text string, value azcosmos.PartitionKey, name string) {
	if d.model.Text == nil {
		value, name = partitionKeyOf(d.model.Value(key))
		return "", value, name
	}
	text = d.model.Text(key)
	value, name = partitionKeyOf(text)
	return text, value, name
}

// partitionKeyOf returns the partition key of a string, number or boolean, and
// how errors name it.
func partitionKeyOf(v any) (azcosmos.PartitionKey, string) {
	switch v := v.(type) {
	case string:
		return azcosmos.NewPartitionKeyString(v), strconv.Quote(v)
	case float64:
		return azcosmos.NewPartitionKeyNumber(v), strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return azcosmos.NewPartitionKeyBool(v), strconv.FormatBool(v)
	}
	panic(fmt.Sprintf("repository: partition key of type %T; generated code passes string, float64 or bool", v))
}

// decode makes a document of its JSON.
func (s *source[T]) decode(raw []byte) (*T, error) {
	doc := new(T)
	if err := json.Unmarshal(raw, doc); err != nil {
		return nil, err
	}
	return doc, nil
}
