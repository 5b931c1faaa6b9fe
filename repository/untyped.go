package repository

import (
	"context"
	"errors"
	"reflect"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/rekey"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// documents are Documents without the types of documents and keys, so that a
// program has their code once, and not for each document type. A document is
// passed as any, which holds a pointer to the document type.
type documents struct {
	store  *store.Store
	writer *write.Writer
	types  types
	opts   []Option
}

// newDocuments returns the documents of a container.
func newDocuments(c *azcosmos.ContainerClient, t types, opts []Option) *documents {
	settings := newSettings(opts)
	rest := t.unknownProperties()
	if rest != nil {
		settings.Unmarshal = rest.Decoding(settings.Unmarshal)
	}
	s := &store.Store{
		Container: wire.Container{Client: c, Type: t.name, Paths: t.paths, Observe: settings.observe},
		Settings:  settings.Settings, Discriminator: t.discriminator,
		Decode: t.decoding(settings.Unmarshal), Hierarchical: t.hierarchical,
	}
	if s.Unusable = settings.wrong; c == nil {
		s.Unusable = errors.New("the container of the repository is nil: make the repository with an *azcosmos.ContainerClient")
	}
	if t.places != nil {
		s.Once = t.once
	}
	if t.draft {
		s.SetDraft(sealing(reflect.TypeOf(t.fresh()).Elem()))
	}
	w := &write.Writer{
		Store: s, Unknown: rest, ReadIDs: query.ReadIDs,
		Ambiguous: t.ambiguous, Looks: t.ambiguous || t.discriminator != nil && t.prefix == "",
		Random: t.buckets > 0, Grows: t.places != nil, Synthetic: t.synthetic, Made: t.made, Written: t.written,
	}
	if t.integers {
		w.Integers = &write.Integers{Document: reflect.TypeOf(t.fresh()).Elem()}
	}
	d := &documents{s, w, t, opts}
	if t.places != nil {
		s.Moves = &store.Moves{Finish: d.finishMove}
	}
	return d
}

// finishMove finishes the move of a document whose copy this is.
func (d *documents) finishMove(ctx context.Context, raw []byte) error {
	if !d.store.Owns(raw) {
		return nil
	}
	doc, err := d.store.Decode(raw)
	if err != nil {
		return &wire.OperationError{Op: rekey.Op, Type: d.store.Type, Err: err}
	}
	places, err := d.types.places(d.writer, doc)
	if err != nil {
		return err
	}
	return places.Finish(ctx, rekey.Op)
}

// create is Documents.Create.
func (d *documents) create(ctx context.Context, doc any) error {
	const op = wire.OpCreate
	if err := d.store.JoinSession(ctx, op); err != nil {
		return err
	}
	if err := d.renewSuffix(op, doc, d.isReused); err != nil {
		return err
	}
	w, err := d.prepare(op, doc)
	if err != nil {
		return err
	}
	w, tag, err := d.createAt(ctx, doc, w, false)
	if err != nil {
		return err
	}
	d.setStoredFields(doc, w, tag)
	return nil
}

// upsert is Documents.Upsert.
func (d *documents) upsert(ctx context.Context, doc any) error {
	const op = wire.OpUpsert
	if err := d.store.JoinSession(ctx, op); err != nil {
		return err
	}
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	w, tag, err := d.upsertAt(ctx, doc, w)
	if err != nil {
		return err
	}
	d.setStoredFields(doc, w, tag)
	return nil
}

// replace is Documents.Replace.
func (d *documents) replace(ctx context.Context, doc any) error {
	const op = wire.OpReplace
	if err := d.store.JoinSession(ctx, op); err != nil {
		return err
	}
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	unchanged, err := d.checkedETag(op, w.Place, doc)
	if err != nil {
		return err
	}
	w, tag, err := d.replaceAt(ctx, doc, w, unchanged)
	if err != nil {
		return err
	}
	d.setStoredFields(doc, w, tag)
	return nil
}

// remove is Documents.Delete of the document at p.
func (d *documents) remove(ctx context.Context, p wire.Place, matches func(doc any) bool) error {
	if err := d.store.JoinSession(ctx, wire.OpDelete); err != nil {
		return err
	}
	return write.Delete(ctx, d.writer, p, matches)
}

// prepare checks doc's key and makes the JSON to store.
func (d *documents) prepare(op string, doc any) (write.Document, error) {
	if isNil(doc) {
		return write.Document{}, &wire.OperationError{Op: op, Type: d.store.Type, Err: errors.New("the document is nil")}
	}
	p, err := d.types.place(doc)
	if err != nil {
		return write.Document{}, err
	}
	w, err := write.Prepare(d.writer, op, p, doc)
	if err == nil {
		d.remember(doc, w)
	}
	return w, err
}

// isNil reports whether doc is a nil pointer.
func isNil(doc any) bool { return reflect.ValueOf(doc).IsNil() }

// prepareExisting is prepare for a document that may be stored already.
func (d *documents) prepareExisting(op string, doc any) (write.Document, error) {
	w, err := d.prepare(op, doc)
	if err != nil {
		return w, err
	}
	return w, d.checkKeyUnchanged(op, doc, w.Place)
}

// checkKeyUnchanged returns an error if doc remembers to be stored under another key
// than its fields give, which is that of p.
func (d *documents) checkKeyUnchanged(op string, doc any, p wire.Place) error {
	remembered := d.types.remembered(doc)
	if d.types.places != nil && remembered != nil {
		if places, err := d.types.places(d.writer, doc); err == nil {
			if _, known := places.From(*remembered); known {
				return nil
			}
		}
	}
	return write.CheckKeyUnchanged(d.writer, op, p, remembered)
}

// setStoredFields sets doc's synthetic and etag fields to the stored values.
func (d *documents) setStoredFields(doc any, w write.Document, tag azcore.ETag) {
	if field := d.types.remembered(doc); field != nil {
		*field = w.Text
	}
	if field := d.types.etag(doc); field != nil && tag != "" {
		*field = string(tag)
	}
}

// checkedETag returns doc's ETag, empty if doc has no ETag, or an error if no
// header can hold it.
func (d *documents) checkedETag(op string, p wire.Place, doc any) (azcore.ETag, error) {
	field := d.types.etag(doc)
	if field == nil {
		return "", nil
	}
	tag := azcore.ETag(*field)
	if err := wire.CheckETag(tag); err != nil {
		return "", d.store.Failure(op, p, err)
	}
	return tag, nil
}

// content returns the document at p that c has. If a policy of the client asks
// for answers without documents, content reads the document, by one more request.
// An answer that has lost the document does not come here: see wire.CheckWritten.
func (d *documents) content(ctx context.Context, op string, p wire.Place, c *wire.Content) (any, error) {
	if len(c.Document()) == 0 {
		doc, _, err := d.store.Read(ctx, op, p)
		return doc, wire.Noted(err, tookEffect, nil)
	}
	doc, err := d.store.Decode(c.Document())
	if err != nil {
		return nil, &wire.OperationError{Op: op, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: err, Note: tookEffect}
	}
	return doc, nil
}

// tookEffect is the note on an error after a successful write.
const tookEffect = "after the write took effect"

// createAt is write.Create, wherever the document may be. It returns the document as it
// was stored.
func (d *documents) createAt(ctx context.Context, doc any, w write.Document, repeated bool) (write.Document, azcore.ETag, error) {
	if d.types.places == nil {
		tag, err := write.Create(ctx, d.writer, w, repeated)
		return w, tag, err
	}
	places, err := d.types.places(d.writer, doc)
	if err != nil {
		return w, "", err
	}
	return places.Create(ctx, w, repeated)
}

// upsertAt is write.Upsert, wherever the document is. It returns the document as it
// was stored.
func (d *documents) upsertAt(ctx context.Context, doc any, w write.Document) (write.Document, azcore.ETag, error) {
	if d.types.places == nil {
		tag, err := write.Upsert(ctx, d.writer, w, d.matcherOf(doc))
		return w, tag, err
	}
	places, err := d.types.places(d.writer, doc)
	if err != nil {
		return w, "", err
	}
	return places.Upsert(ctx, w)
}

// replaceAt is write.Replace, wherever the document is. It returns the document as it
// was stored.
func (d *documents) replaceAt(ctx context.Context, doc any, w write.Document, unchanged azcore.ETag) (write.Document, azcore.ETag, error) {
	if d.types.places == nil {
		tag, err := write.Replace(ctx, d.writer, wire.OpReplace, w, d.matcherOf(doc), unchanged)
		return w, tag, err
	}
	places, err := d.types.places(d.writer, doc)
	if err != nil {
		return w, "", err
	}
	return places.Replace(ctx, wire.OpReplace, w, unchanged, d.rememberedText(doc))
}

// deleteUnchangedAt is Documents.DeleteIfMatch, wherever the document is.
func (d *documents) deleteUnchangedAt(ctx context.Context, doc any, unchanged azcore.ETag) error {
	places, err := d.types.places(d.writer, doc)
	if err != nil {
		return err
	}
	return places.DeleteUnchanged(ctx, unchanged, d.rememberedText(doc))
}

// rememberedText returns the key that doc remembers, or "".
func (d *documents) rememberedText(doc any) string {
	if field := d.types.remembered(doc); field != nil {
		return *field
	}
	return ""
}
