package untyped

import (
	"context"
	"errors"
	"reflect"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/rekey"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/unique"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Documents are the documents of one type in a container.
type Documents struct {
	Store    *store.Store
	Writer   *write.Writer
	Types    Types
	Unique   *unique.Set // nil without unique properties
	strategy strategy
	settings Settings
	several  *several // of a type with several containers; nil for others
	tiers    *tiers   // of a type whose tenants may have a container of their own; nil for others
	shown    showing
}

// Settings are those of a repository.
type Settings struct {
	store.Settings
	Observe func(context.Context, wire.Event) // nil without observers
	Wrong   error                             // what is wrong with them

	ShowsDeleted bool // see store.Store
	fenced       bool // tenants move from the containers

	Containers ContainerSettings
}

// New returns the documents of a container.
func New(c *azcosmos.ContainerClient, t Types, given Settings) *Documents {
	settings := given.Settings
	rest := t.unknownProperties()
	if rest != nil {
		settings.Unmarshal = rest.Decoding(settings.Unmarshal)
	}
	s := &store.Store{
		Container: wire.Container{Client: c, Type: t.Name, Paths: t.Paths, Observe: given.Observe},
		Settings:  settings, Discriminator: t.Discriminator, Rules: t.rules(given.fenced), Former: t.Former, ShowsDeleted: given.ShowsDeleted,
		Decode: t.Decoding(settings.Unmarshal), Hierarchical: t.Hierarchical,
	}
	if s.Unusable = given.Wrong; c == nil {
		s.Unusable = errors.New("the container of the repository is nil: make the repository with an *azcosmos.ContainerClient")
	}
	if err := settings.Hedge.Fits(c); err != nil && s.Unusable == nil {
		s.Unusable = err
	}
	if t.Places != nil {
		s.Once = t.once
	} else { // reads of documents that move have to see each step
		s.Hedge = settings.Hedge
	}
	if t.Seal != "" {
		s.SetDraft(t.Seal)
	}
	w := &write.Writer{
		Store: s, Unknown: rest, ReadIDs: query.ReadIDs,
		Ambiguous: t.Ambiguous, Looks: t.Ambiguous || t.Discriminator != nil && t.Prefix == "" || t.Unique != nil || t.Deleted != nil,
		Random: t.Buckets > 0, Synthetic: t.Synthetic, Made: t.Made, Written: t.Written, Vectors: t.Vectors,
	}
	if t.Integers {
		w.Integers = &write.Integers{Document: reflect.TypeOf(t.Fresh()).Elem()}
	}
	if stamps := t.Stamps; stamps != nil {
		w.Stamps = &write.Stamps{Created: stamps.Created, Updated: stamps.Updated, Version: stamps.Version, Now: settings.Now, Given: settings.Given}
	}
	if del := t.Deleted; del != nil {
		w.Deleted = &write.Deleted{Property: del.Property, Seconds: del.Seconds, OwnTTL: del.OwnTTL, Now: settings.Now, Given: settings.Given}
	}
	if t.Schema != nil {
		s.Schema = &t.Schema.Schema
	}
	d := &Documents{Store: s, Writer: w, Types: t, settings: given, strategy: plain{w}}
	if t.Unique != nil {
		d.Unique = &unique.Set{Writer: w, Properties: t.Unique}
		d.strategy = reserving{plain{w}, d.Unique}
	}
	if t.Places != nil {
		s.Moves = &store.Moves{Finish: d.finishMove}
		d.strategy = growing{plain{w}, &d.Types}
	}
	return d
}

// KnowingMarks returns d for a container in which documents move to another one or come
// from there.
func (d *Documents) KnowingMarks() *Documents {
	d = New(d.Store.Client, d.Types, d.settings)
	d.Store.Decode = write.DecodingMarks(d.Store.Decode)
	d.Store.Hedge = nil // reads of documents that move have to see each step
	return d
}

// Undecoded returns the documents as their stored JSON: what reads return is of type []byte.
func (d *Documents) Undecoded() *Documents {
	d = New(d.Store.Client, d.Types, d.settings)
	d.Store.Decode = func(raw []byte) (any, error) { return raw, nil }
	return d
}

// finishMove finishes the move of a document whose copy this is.
func (d *Documents) finishMove(ctx context.Context, raw []byte) error {
	if !d.Store.Owns(raw) {
		return nil
	}
	doc, err := d.Store.Decode(raw)
	if err != nil {
		return &wire.OperationError{Op: rekey.Op, Type: d.Store.Type, Err: err}
	}
	places, err := d.Types.Places(d.Writer, doc)
	if err != nil {
		return err
	}
	return places.Finish(ctx, rekey.Op)
}

// Create is Documents.Create.
func (d *Documents) Create(ctx context.Context, doc any) error {
	const op = wire.OpCreate
	d, err := d.ofNew(op, doc)
	if err != nil {
		return err
	}
	if err := d.Store.JoinSession(ctx, op); err != nil {
		return err
	}
	if err := d.renewSuffix(op, doc, d.isReused); err != nil {
		return err
	}
	w, err := d.prepare(op, doc)
	if err != nil {
		return err
	}
	at, err := d.targetOf(op, doc, w.Place)
	if err != nil {
		return err
	}
	w, tag, err := d.strategy.create(ctx, at, w, false)
	if err != nil {
		return err
	}
	d.SetStoredFields(doc, w, tag)
	return nil
}

// Upsert is Documents.Upsert.
func (d *Documents) Upsert(ctx context.Context, doc any) error {
	const op = wire.OpUpsert
	d, err := d.ofNew(op, doc)
	if err != nil {
		return err
	}
	if err := d.Store.JoinSession(ctx, op); err != nil {
		return err
	}
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	at, err := d.targetOf(op, doc, w.Place)
	if err != nil {
		return err
	}
	w, tag, err := d.strategy.upsert(ctx, at, w)
	if err != nil {
		return err
	}
	d.SetStoredFields(doc, w, tag)
	return nil
}

// Replace is Documents.Replace.
func (d *Documents) Replace(ctx context.Context, doc any) error {
	const op = wire.OpReplace
	d, err := d.of(op, doc)
	if err != nil {
		return err
	}
	if err := d.Store.JoinSession(ctx, op); err != nil {
		return err
	}
	w, err := d.prepareExisting(op, doc)
	if err != nil {
		return err
	}
	unchanged, err := d.CheckedETag(op, w.Place, doc)
	if err != nil {
		return err
	}
	at, err := d.targetOf(op, doc, w.Place)
	if err != nil {
		return err
	}
	w, tag, err := d.strategy.replace(ctx, at, w, unchanged)
	if err != nil {
		return err
	}
	d.SetStoredFields(doc, w, tag)
	return nil
}

// targetOf returns what identifies doc, whose place is p, in an operation.
func (d *Documents) targetOf(op string, doc any, p wire.Place) (Target, error) {
	return d.strategy.target(op, doc, Target{Place: p, Means: d.matcherOf(doc)})
}

// Get reads a document. Whether it is the one of the key, the caller finds out.
func (d *Documents) Get(ctx context.Context, at Target) (write.Found, error) {
	return d.strategy.read(ctx, d.Store, wire.OpGet, at)
}

// Delete is Documents.Delete.
func (d *Documents) Delete(ctx context.Context, at Target) error {
	if err := d.Store.JoinSession(ctx, wire.OpDelete); err != nil {
		return err
	}
	return d.strategy.remove(ctx, at, false)
}

// Patch sends a patch of a document, and returns where that is. What is stored then goes to c.
func (d *Documents) Patch(ctx context.Context, at Target, request write.Patch, c *wire.Content) (wire.Place, error) {
	return d.strategy.patch(ctx, at, request, c)
}

// prepare checks doc's key and makes the JSON to store.
func (d *Documents) prepare(op string, doc any) (write.Document, error) {
	if isNil(doc) {
		return write.Document{}, &wire.OperationError{Op: op, Type: d.Store.Type, Err: errors.New("the document is nil")}
	}
	p, err := d.Types.Place(doc)
	if err != nil {
		return write.Document{}, err
	}
	w, err := write.Prepare(d.Writer, op, p, doc)
	if err == nil {
		d.remember(doc, w)
	}
	return w, err
}

// isNil reports whether doc is a nil pointer.
func isNil(doc any) bool { return reflect.ValueOf(doc).IsNil() }

// prepareExisting is prepare for a document that may be stored already.
func (d *Documents) prepareExisting(op string, doc any) (write.Document, error) {
	w, err := d.prepare(op, doc)
	if err != nil {
		return w, err
	}
	return w, d.checkKeyUnchanged(op, doc, w.Place)
}

// checkKeyUnchanged returns an error if doc remembers to be stored under another key
// than its fields give, which is that of p.
func (d *Documents) checkKeyUnchanged(op string, doc any, p wire.Place) error {
	remembered := d.Types.Remembered(doc)
	if remembered != nil && d.strategy.remembers(doc, *remembered) {
		return nil
	}
	return write.CheckKeyUnchanged(d.Writer, op, p, remembered)
}

// SetStoredFields sets doc's synthetic and etag fields, its stamps and its schema number,
// to the stored values.
func (d *Documents) SetStoredFields(doc any, w write.Document, tag azcore.ETag) {
	if field := d.Types.Remembered(doc); field != nil {
		*field = w.Text
	}
	if field := d.Types.ETag(doc); field != nil && tag != "" {
		*field = string(tag)
	}
	if d.Types.Schema != nil {
		d.Types.Schema.Set(doc)
	}
	if w.Stamp != nil {
		d.Types.Stamps.Set(doc, *w.Stamp)
	}
	if d.Types.Deleted != nil {
		d.Types.Deleted.Clear(doc)
	}
}

// CheckedETag returns doc's ETag, empty if doc has no ETag, or an error if no
// header can hold it.
func (d *Documents) CheckedETag(op string, p wire.Place, doc any) (azcore.ETag, error) {
	field := d.Types.ETag(doc)
	if field == nil {
		return "", nil
	}
	tag := azcore.ETag(*field)
	if err := wire.CheckETag(tag); err != nil {
		return "", d.Store.Failure(op, p, err)
	}
	return tag, nil
}

// Content returns the document at p that c has. If a policy of the client asks
// for answers without documents, Content reads the document, by one more request.
// An answer that has lost the document does not come here: see wire.CheckWritten.
func (d *Documents) Content(ctx context.Context, op string, p wire.Place, c *wire.Content) (any, error) {
	if len(c.Document()) == 0 {
		doc, _, err := d.Store.Read(ctx, op, p)
		return doc, wire.Noted(err, tookEffect, nil)
	}
	doc, err := d.Store.Decode(c.Document())
	if err != nil {
		return nil, &wire.OperationError{Op: op, Type: d.Store.Type, ID: p.ID, PartitionKey: p.Name, Err: err, Note: tookEffect}
	}
	return doc, nil
}

// tookEffect is the note on an error after a successful write.
const tookEffect = "after the write took effect"
