package untyped

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"sync"
	"weak"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
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
	tiers    *tiers   // of a type whose tenants may have their own container; nil for others
	shown    showing
}

// Settings are the settings of a repository.
type Settings struct {
	store.Settings
	Observe func(context.Context, wire.Event) // nil without observers
	Wrong   error                             // the error of the settings

	ShowsDeleted bool // see store.Store
	fenced       bool // tenants move from the containers

	Containers ContainerSettings
}

// New returns the documents of a container.
func New(c *wire.Client, t Types, given Settings) *Documents {
	s, rest := newStore(c, t, given)
	settings := s.Settings
	if t.Places != nil {
		s.Once = t.once
	}
	s.Moving = t.Places != nil || given.fenced
	if !s.Moving {
		s.Hedge = settings.Hedge
	}
	w := &write.Writer{
		Store: s, Unknown: rest, ReadIDs: query.ReadIDs,
		Ambiguous: t.Ambiguous, Looks: t.Ambiguous || t.Discriminator != nil && t.Prefix == "" || t.Unique != nil || t.Deleted != nil,
		Random: t.Buckets > 0, Synthetic: t.Synthetic, Made: t.Made, Written: t.Written, Vectors: t.Vectors, Indexed: t.Indexed, Computed: t.computed(),
	}
	if t.Integers {
		w.Integers = &write.Integers{Document: reflect.TypeOf(t.Fresh()).Elem()}
	}
	if t.Stamps != nil {
		stamps := *t.Stamps
		stamps.Clock = settings.Clock
		w.Stamps = &stamps
	}
	if t.Deleted != nil {
		deleted := *t.Deleted
		deleted.Clock = settings.Clock
		w.Deleted = &deleted
	}
	s.Resolves, s.Relies = t.Resolves, t.relies(w)
	d := &Documents{Store: s, Writer: w, Types: t, settings: given, strategy: plain{w}}
	if t.Unique != nil {
		d.Unique = &unique.Set{Writer: w, Properties: t.Unique}
		values := reserving{plain{w}, d.Unique}
		d.strategy = values
		if t.Deleted != nil {
			d.strategy = keeping{values}
		}
	}
	if t.Places != nil {
		s.Moves = &store.Moves{Finish: d.finishMove}
		d.strategy = growing{plain{w}, &d.Types}
	}
	return d
}

// newStore returns the store of a container whose documents do not move, and the keeper of
// unknown properties.
func newStore(c *wire.Client, t Types, given Settings) (*store.Store, *write.Unknown) {
	settings := given.Settings
	rest := t.unknownProperties()
	if rest != nil {
		settings.Unmarshal = rest.Decoding(settings.Unmarshal)
	}
	s := &store.Store{
		Container: wire.Container{Client: c, Type: t.Name, Paths: t.Paths, Observe: given.Observe},
		Settings:  settings, Discriminator: t.Discriminator, Rules: t.rules(given.fenced), Aliases: t.Aliases, Schema: t.Schema, ShowsDeleted: given.ShowsDeleted,
		Decode: t.Decoding(settings.Unmarshal), Hierarchical: t.Hierarchical,
	}
	if names := t.computed(); names != nil {
		all, same := ComputedOf(t.Computed)
		s.Computed = store.NewComputed(all[:len(names)], same)
	}
	if s.Unusable = given.Wrong; c == nil {
		s.Unusable = errors.New("the container of the repository is nil: make the repository with an *azcosmos.ContainerClient")
	}
	if t.Seal != "" {
		s.SetDraft(t.Seal)
	}
	return s, rest
}

// KnowingMarks returns d for a container from which or to which a migration moves
// documents.
func (d *Documents) KnowingMarks() *Documents {
	d = New(d.Store.Client, d.Types, d.settings)
	d.Store.Decode = write.DecodingMarks(d.Store.Decode)
	d.Store.Moving, d.Store.Hedge = true, nil
	return d
}

// Undecoded returns the documents as stored JSON: reads return a []byte.
func (d *Documents) Undecoded() *Documents {
	d = New(d.Store.Client, d.Types, d.settings)
	d.Store.Decode = func(raw []byte) (any, error) { return raw, nil }
	return d
}

// finishMove finishes the move of a document, given its copy.
func (d *Documents) finishMove(ctx context.Context, raw []byte) error {
	if !d.Store.Owns(raw) {
		return nil
	}
	doc, err := d.Store.Decode(raw)
	if err != nil {
		return &documents.Error{Op: rekey.Op, Type: d.Store.Type, Err: err}
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

// targetOf returns the Target of doc, whose place is p.
func (d *Documents) targetOf(op string, doc any, p wire.Place) (Target, error) {
	return d.strategy.target(op, doc, Target{Place: p, Means: d.matcherOf(doc)})
}

// Get reads a document. The caller must check that it is the one of the key.
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

// Patch patches a document, and returns its place. The stored document goes to c.
func (d *Documents) Patch(ctx context.Context, at Target, request write.Patch, c *wire.Content) (wire.Place, error) {
	return d.strategy.patch(ctx, at, request, c)
}

// prepare checks the key of doc and returns its JSON to store.
func (d *Documents) prepare(op string, doc any) (write.Document, error) {
	if isNil(doc) {
		return write.Document{}, &documents.Error{Op: op, Type: d.Store.Type, Err: errors.New("the document is nil")}
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
	if err := d.checkForm(op, doc, w.Place); err != nil {
		return w, err
	}
	return w, d.checkKeyUnchanged(op, doc, w.Place)
}

// checkForm returns an error if doc was read from a document of the next form.
func (d *Documents) checkForm(op string, doc any, p wire.Place) error {
	if s := d.Types.Schema; s.ReadsNext() && s.IsNext(doc) {
		return d.Store.Failure(op, p, s.NewerError(s.Next))
	}
	return nil
}

// checkKeyUnchanged returns an error if doc remembers another key than p, which its fields
// make.
func (d *Documents) checkKeyUnchanged(op string, doc any, p wire.Place) error {
	remembered := d.Types.Remembered(doc)
	if remembered != nil && d.strategy.remembers(doc, *remembered) {
		return nil
	}
	return write.CheckKeyUnchanged(d.Writer, op, p, remembered)
}

// SetStoredFields sets the synthetic and etag fields, the stamps and the schema number of
// doc to the stored values, and clears its deletion.
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

// CheckedETag returns the ETag of doc, or "" if it has none. It returns an error if no
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

// DeleteIfMatch is Documents.DeleteIfMatch.
func (d *Documents) DeleteIfMatch(ctx context.Context, doc any) error {
	const op = wire.OpDelete
	d, err := d.of(op, doc)
	if err != nil {
		return err
	}
	p, unchanged, err := d.unchangedAt(op, doc)
	if err != nil {
		return err
	}
	if err := d.Store.JoinSession(ctx, op); err != nil {
		return err
	}
	at, err := d.targetOf(op, doc, p)
	if err != nil {
		return err
	}
	return d.strategy.removeUnchanged(ctx, at, unchanged, false)
}

// unchangedAt returns the place of doc and the ETag that the stored document must have, or
// an error if either is unknown.
func (d *Documents) unchangedAt(op string, doc any) (wire.Place, azcore.ETag, error) {
	if isNil(doc) {
		return wire.Place{}, "", &documents.Error{Op: op, Type: d.Store.Type, Err: errors.New("the document is nil")}
	}
	p, err := d.Types.Place(doc)
	if err != nil {
		return wire.Place{}, "", err
	}
	if err := d.checkKeyUnchanged(op, doc, p); err != nil {
		return p, "", err
	}
	unchanged, err := d.IfMatchOf(op, p, doc)
	if err == nil && unchanged == "" {
		reason := "the document has no ETag: read it first, or use Delete"
		if d.Types.ETag(doc) == nil {
			reason = "the type has no field for the ETag, or a nil pointer leads to it: tag a string field etag, or use Delete"
		}
		err = d.Store.Failure(op, p, errors.New(reason))
	}
	return p, unchanged, err
}

// IfMatchOf returns the ETag of doc, whose place is p, for If-Match. It is empty if the
// stored document may have any.
func (d *Documents) IfMatchOf(op string, p wire.Place, doc any) (azcore.ETag, error) {
	tag, err := d.CheckedETag(op, p, doc)
	if tag == azcore.ETagAny {
		tag = ""
	}
	return tag, err
}

// OpUpdate names an update in errors and events.
const OpUpdate = "update"

// Update is one call of Documents.Update.
type Update struct {
	*Documents
	At      Target        // Place is where the document was found
	Content *wire.Content // receives the stored document; may be nil
	Matches func(doc any) bool
	Stays   func(doc any) bool // reports whether the changed document still has the key
	Change  func(doc any) error

	refused error // the error that Change returned
}

// Spoken returns err for a span, without the text of an error of the caller's function,
// which may hold anything.
func (u *Update) Spoken(err error) error {
	if err != nil && u.refused != nil {
		return failure.Reworded("the function of the update returned an error", err)
	}
	return err
}

// Run reads, changes and replaces the document, again while other programs are faster.
func (u *Update) Run(ctx context.Context) error {
	if u.Change == nil {
		return u.failure(errors.New("the function is nil"))
	}
	open := false // the refused write may have taken effect itself
	for attempt := 1; ; attempt++ {
		found, err := u.read(ctx)
		if err != nil {
			return wire.StillUnclear(err, open && write.MayHaveStored(err))
		}
		if u.refused = u.Change(found.Doc); u.refused != nil {
			return u.refused
		}
		last := attempt == backoff.MaxAttempts // a refusal of the last attempt is settled by a read
		err = u.replaceIfMatch(ctx, found, last)
		withdrawn := len(u.At.Places.All) > 1 && errors.Is(err, wire.ErrNotFound) // or deleted: another read shows that
		if !withdrawn && !errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrUnclear) {
			return err
		}
		open = !last && (open || !u.Writer.Proves())
		if err := write.Anew(ctx, attempt, err); err != nil {
			return wire.StillUnclear(err, open)
		}
	}
}

// read reads the document, and records its place.
func (u *Update) read(ctx context.Context) (write.Found, error) {
	f, err := u.strategy.read(ctx, u.Writer.Store, OpUpdate, u.At)
	if err == nil && !u.Matches(f.Doc) {
		err = u.Store.ForeignError(OpUpdate, u.At.Place, wire.ErrNotFound)
	}
	if err == nil && u.Writer.Schema.ReadsNext() {
		if err = u.Writer.Schema.Newer(f.Raw); err != nil {
			err = u.failure(err)
		}
	}
	u.At.Place = f.Place
	return f, err
}

// replaceIfMatch stores the changed document, if the stored one is unchanged. Last says
// that no attempt follows.
func (u *Update) replaceIfMatch(ctx context.Context, f write.Found, last bool) error {
	if !u.Stays(f.Doc) {
		failure := u.failure(errors.New("the change makes it the document of another key: " + u.strategy.toMove()))
		failure.Kind = wire.ErrKeyChanged
		return failure
	}
	w, err := u.prepareExisting(OpUpdate, f.Doc)
	if err != nil {
		return err
	}
	w, tag, err := u.strategy.change(ctx, OpUpdate, u.At, f, w, last, u.Content)
	if err == nil {
		u.SetStoredFields(f.Doc, w, tag)
	}
	return err
}

func (u *Update) failure(err error) *documents.Error {
	return u.Store.Failure(OpUpdate, u.At.Place, err)
}

// chooseSuffix gives doc a random suffix if its type has one and doc has none. If the key
// is valid, it stores the suffix in the synthetic field of doc, so that a second attempt
// uses the same logical partition.
func (d *Documents) chooseSuffix(op string, doc any) error {
	if d.Types.Suffix(doc) != 0 {
		return nil
	}
	p, err := d.Types.Suffixed(doc, 1+chance.IntN(d.Types.Buckets))
	field := d.Types.Remembered(doc)
	switch {
	case field == nil:
		return &documents.Error{
			Op: op, Type: d.Store.Type, ID: p.ID,
			Err: errors.New("a nil pointer leads to the synthetic field, which must remember the random suffix: set the pointer first"),
		}
	case err != nil:
		return err
	}
	*field = p.Text
	return nil
}

// renewSuffix is chooseSuffix, and also replaces a suffix of another document. It keeps a
// suffix that was chosen for this document, so that a second attempt finds the stored
// document of the first.
func (d *Documents) renewSuffix(op string, doc any, another func(doc any, remembered string) bool) error {
	if d.Types.Buckets == 0 || isNil(doc) {
		return nil
	}
	old := ""
	field := d.Types.Remembered(doc)
	if field != nil && *field != "" && another(doc, *field) {
		old, *field = *field, ""
	}
	err := d.chooseSuffix(op, doc)
	if err != nil && old != "" {
		*field = old
	}
	return err
}

// isOutdated reports whether the fields of doc make another base than the remembered key
// has.
func (d *Documents) isOutdated(doc any, remembered string) bool {
	p, err := d.Types.Place(doc)
	return err != nil || remembered != p.Text
}

// isReused reports whether the remembered suffix of doc certainly belongs to another
// document: the struct was stored under another id, or its fields make another base. Create
// then chooses a new suffix.
//
// A struct that was read, or copied from another one, has no last use. Create keeps its
// bucket, because it may be the document there.
func (d *Documents) isReused(doc any, remembered string) bool {
	p, err := d.Types.Place(doc)
	if err != nil || remembered != p.Text {
		return true
	}
	last, known := lastUse(doc)
	return known && last.remembered == remembered && last.Identity != wire.Identity{ID: p.ID, Partition: p.Name}
}

// remember records w as the last use of doc.
func (d *Documents) remember(doc any, w write.Document) {
	if d.Types.Buckets > 0 {
		noteUse(doc, use{wire.Identity{ID: w.ID, Partition: w.Name}, w.Text})
	}
}

// use is the document as which a struct was stored, and the key that the struct remembered.
type use struct {
	wire.Identity
	remembered string
}

// lastUses has the last use of each live struct of a type with a random suffix, by a weak
// pointer. The struct has no field for it. Create needs it because a second attempt must
// keep the suffix, and another document must get a new one.
var lastUses sync.Map

// addressOf returns the weak pointer that identifies doc. It points to the first byte,
// because a typed pointer would compile this code for each document type.
func addressOf(doc any) (weak.Pointer[byte], *byte) {
	first := (*byte)(reflect.ValueOf(doc).UnsafePointer())
	return weak.Make(first), first
}

// lastUse returns the last use of doc.
func lastUse(doc any) (use, bool) {
	p, _ := addressOf(doc)
	last, known := lastUses.Load(p)
	if !known {
		return use{}, false
	}
	return last.(use), true
}

// noteUse records u as the last use of doc.
func noteUse(doc any, u use) {
	p, first := addressOf(doc)
	if _, known := lastUses.Swap(p, u); !known {
		runtime.AddCleanup(first, func(p weak.Pointer[byte]) { lastUses.Delete(p) }, p)
	}
}

// showing are the documents including deleted ones. They are made once, at the first use,
// because they remember their own containers.
type showing struct {
	once sync.Once
	all  *Documents
}

// ShowingDeleted returns the documents with reads and queries that show documents marked as
// deleted. Writes are those of d.
func (d *Documents) ShowingDeleted() *Documents {
	if d.Types.Deleted == nil || d.settings.ShowsDeleted {
		return d
	}
	d.shown.once.Do(func() {
		given := d.settings
		given.ShowsDeleted = true
		if d.several != nil {
			d.shown.all = NewIn(d.several.db, d.Types, given)
			d.shown.all.several.writes = d.several
			return
		}
		d.shown.all = New(d.Store.Client, d.Types, given)
		d.shown.all.Writer, d.shown.all.strategy = d.Writer, d.strategy
		if d.tiers != nil {
			d.shown.all.settle(d.tiers.given)
		}
		if d.Unique != nil {
			d.shown.all.Unique = d.Unique.Reading(d.shown.all.Store)
		}
	})
	return d.shown.all
}

// Restore is repository.Restore. The restored document goes to c.
func (d *Documents) Restore(ctx context.Context, at Target, unchanged azcore.ETag, c *wire.Content) error {
	return write.Restore(ctx, d.Writer, at.Place, at.Means, unchanged, c)
}

// Purge is repository.Purge. Only Purge removes documents that are marked as deleted, with
// the reservations of their unique values.
func (d *Documents) Purge(ctx context.Context, at Target, unchanged azcore.ETag) error {
	return d.strategy.purge(ctx, at, unchanged)
}
