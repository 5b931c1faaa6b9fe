package untyped

import (
	"context"
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/unique"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Target identifies the document of an operation.
type Target struct {
	wire.Place
	Means      func(doc any) bool // reports whether a document there is the one meant; nil if keys cannot collide
	Places     write.Places       // all places where it may be, if the bucket count grows
	Remembered string             // the key that the caller's document remembers, or ""
	by         unique.Writer      // identifies the operation, for a type with unique properties
}

// strategy reads and writes the documents of a type. It is chosen when the repository is
// made, so that operations need not check the features of the type. Functions that store a
// document return it as stored, with its ETag. Repeated says that an operation may have
// been sent before.
type strategy interface { //nolint:interfacebloat // as many as there are operations
	// target completes the Target of doc for an operation.
	target(op string, doc any, at Target) (Target, error)
	// remembers reports whether doc may be stored under another key than its fields make
	// now.
	remembers(doc any, key string) bool

	// read reads the document with a store that may show more than writes see.
	read(ctx context.Context, s *store.Store, op string, at Target) (write.Found, error)
	create(ctx context.Context, at Target, w write.Document, repeated bool) (write.Document, azcore.ETag, error)
	upsert(ctx context.Context, at Target, w write.Document) (write.Document, azcore.ETag, error)
	// replace stores w. If unchanged is not empty, the stored document must have this ETag.
	replace(ctx context.Context, at Target, w write.Document, unchanged azcore.ETag) (write.Document, azcore.ETag, error)
	// change stores w over the document that was read. Last says that the caller does not
	// read again if the document has changed. The stored document goes to c.
	change(ctx context.Context, op string, at Target, f write.Found, w write.Document, last bool, c *wire.Content) (write.Document, azcore.ETag, error)
	// patch returns the place of the document.
	patch(ctx context.Context, at Target, request write.Patch, c *wire.Content) (wire.Place, error)
	remove(ctx context.Context, at Target, repeated bool) error
	removeUnchanged(ctx context.Context, at Target, unchanged azcore.ETag, repeated bool) error
	purge(ctx context.Context, at Target, unchanged azcore.ETag) error

	// bulk restricts b to what the type allows for several documents in one request.
	bulk(b *write.Bulk)
	// joins returns an error if a transaction cannot have this operation.
	joins(op string) error
	// moves returns an error if Move cannot change the key of a document; toMove says how
	// to change it instead.
	moves() error
	toMove() string
}

// plain is the strategy for documents with one place, written by one request of package
// write.
type plain struct{ *write.Writer }

func (plain) target(_ string, _ any, at Target) (Target, error) { return at, nil }

func (plain) remembers(any, string) bool { return false }

func (s plain) read(ctx context.Context, st *store.Store, op string, at Target) (write.Found, error) {
	doc, response, err := st.Read(ctx, op, at.Place)
	return write.Found{Site: write.Site{Place: at.Place, Writer: s.Writer}, Doc: doc, ETag: response.ETag, Raw: response.Value}, err
}

func (s plain) create(ctx context.Context, _ Target, w write.Document, repeated bool) (write.Document, azcore.ETag, error) {
	tag, err := write.Create(ctx, s.Writer, w, repeated)
	return w, tag, err
}

func (s plain) upsert(ctx context.Context, at Target, w write.Document) (write.Document, azcore.ETag, error) {
	tag, err := write.Upsert(ctx, s.Writer, w, at.Means)
	return w, tag, err
}

func (s plain) replace(ctx context.Context, at Target, w write.Document, unchanged azcore.ETag) (write.Document, azcore.ETag, error) {
	tag, err := write.Replace(ctx, s.Writer, wire.OpReplace, w, at.Means, unchanged)
	return w, tag, err
}

func (plain) change(ctx context.Context, op string, _ Target, f write.Found, w write.Document, last bool, c *wire.Content) (write.Document, azcore.ETag, error) {
	w, err := restamped(op, f, w)
	if err != nil {
		return w, "", err
	}
	var answer wire.Answer
	tag, err := write.Send(ctx, f.Writer, op, w.Place, write.ReplaceRequest(f.Writer, op, w, last, func(ctx context.Context) (_ wire.Answer, err error) {
		answer, err = put(ctx, f.Writer, w, f.ETag, c)
		return answer, err
	}))
	if err == nil {
		err = f.Settle(ctx, op, answer)
	}
	return w, tag, err
}

// restamped returns w with the stamps that follow those of the document read.
func restamped(op string, f write.Found, w write.Document) (write.Document, error) {
	if w.Stamp == nil {
		return w, nil
	}
	return write.Restamp(f.Writer, op, w, f.Raw)
}

// put stores w over the document with an ETag. The stored document goes to c.
func put(ctx context.Context, s *write.Writer, w write.Document, unchanged azcore.ETag, c *wire.Content) (wire.Answer, error) {
	return c.Keep(s.ReplaceItem(ctx, w.Key, w.ID, w.Body, c.Options(wire.IfMatch(ctx, unchanged))))
}

func (s plain) patch(ctx context.Context, at Target, request write.Patch, c *wire.Content) (wire.Place, error) {
	return at.Place, write.SendPatch(ctx, s.Writer, at.Place, at.Means, request, c)
}

func (s plain) remove(ctx context.Context, at Target, repeated bool) error {
	return unlessGone(repeated, write.Delete(ctx, s.Writer, at.Place, at.Means))
}

// unlessGone returns err, or nil if an earlier attempt may have removed the document.
func unlessGone(repeated bool, err error) error {
	if repeated && errors.Is(err, wire.ErrNotFound) {
		return nil
	}
	return err
}

func (s plain) removeUnchanged(ctx context.Context, at Target, unchanged azcore.ETag, repeated bool) error {
	return write.DeleteUnchanged(ctx, s.Writer, at.Place, unchanged, repeated)
}

func (s plain) purge(ctx context.Context, at Target, unchanged azcore.ETag) error {
	return write.Purge(ctx, s.Writer, at.Place, at.Means, unchanged, nil)
}

func (s plain) bulk(b *write.Bulk) {
	switch b.Op {
	case wire.OpUpsert:
		b.Looks = s.Knows()
	case wire.OpDelete:
		b.Looks = s.Ambiguous || s.Looks && s.Deleted == nil
	}
}

func (plain) joins(string) error { return nil }

func (plain) moves() error { return nil }

func (plain) toMove() string { return "use Move" }

// reserving is the strategy for unique properties, whose values are reserved in other
// logical partitions.
type reserving struct {
	plain
	set *unique.Set
}

func (s reserving) target(op string, _ any, at Target) (Target, error) {
	if op == wire.OpCreate || op == wire.OpUpsert {
		at.by = unique.NewWriter()
	}
	return at, nil
}

func (s reserving) create(ctx context.Context, at Target, w write.Document, repeated bool) (write.Document, azcore.ETag, error) {
	tag, err := s.set.Create(ctx, at.by, w, repeated || s.Random)
	return w, tag, err
}

func (s reserving) upsert(ctx context.Context, at Target, w write.Document) (write.Document, azcore.ETag, error) {
	tag, err := s.set.Upsert(ctx, at.by, w, at.Means)
	return w, tag, err
}

func (s reserving) replace(ctx context.Context, at Target, w write.Document, unchanged azcore.ETag) (write.Document, azcore.ETag, error) {
	tag, err := s.set.Replace(ctx, w, at.Means, unchanged)
	return w, tag, err
}

func (s reserving) change(ctx context.Context, op string, _ Target, f write.Found, w write.Document, last bool, c *wire.Content) (write.Document, azcore.ETag, error) {
	w, err := restamped(op, f, w)
	if err != nil {
		return w, "", err
	}
	tag, err := s.set.Change(ctx, op, w, f.Raw, f.ETag, unique.As{Last: last}, func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error) {
		return put(ctx, s.Writer, w, unchanged, c)
	})
	return w, tag, err
}

func (s reserving) remove(ctx context.Context, at Target, repeated bool) error {
	return s.set.Delete(ctx, at.Place, at.Means, "", repeated)
}

func (s reserving) removeUnchanged(ctx context.Context, at Target, unchanged azcore.ETag, repeated bool) error {
	return s.set.Delete(ctx, at.Place, nil, unchanged, repeated)
}

func (s reserving) purge(ctx context.Context, at Target, unchanged azcore.ETag) error {
	return write.Purge(ctx, s.Writer, at.Place, at.Means, unchanged, s.set.Releasing(write.OpPurge, at.Place))
}

func (s reserving) bulk(b *write.Bulk) { b.Batches = false }

func (reserving) joins(op string) error {
	if op == wire.OpPatch || op == wire.OpGet {
		return nil
	}
	return ErrReserves
}

func (s reserving) moves() error { return reserves(s) }

// reserves is the error of Move for a type with unique properties.
func reserves(s strategy) error {
	return errors.New("the type has unique properties, and between the two writes of a move two documents would have one value: " + s.toMove())
}

func (reserving) toMove() string { return "delete the document, and create it under its new key" }

// keeping is the strategy for unique properties if Delete only marks: a marked document
// keeps its values until it is purged.
type keeping struct{ reserving }

func (s keeping) remove(ctx context.Context, at Target, repeated bool) error {
	return s.plain.remove(ctx, at, repeated)
}

func (s keeping) removeUnchanged(ctx context.Context, at Target, unchanged azcore.ETag, repeated bool) error {
	return s.plain.removeUnchanged(ctx, at, unchanged, repeated)
}

func (s keeping) bulk(b *write.Bulk) {
	if b.Op == wire.OpDelete {
		s.plain.bulk(b)
		return
	}
	s.reserving.bulk(b)
}

// joins allows a transaction to mark and restore a document, because the values do not
// change.
func (s keeping) joins(op string) error {
	if op == wire.OpDelete || op == write.OpRestore {
		return nil
	}
	return s.reserving.joins(op)
}

func (s keeping) moves() error { return reserves(s) }

func (keeping) toMove() string {
	return "delete and purge the document, and then create it under its new key"
}

// growing is the strategy for documents at several places, while the bucket count grows.
type growing struct {
	plain
	types *Types
}

func (s growing) target(_ string, doc any, at Target) (Target, error) {
	var err error
	at.Places, err = s.types.Places(s.Writer, doc)
	if field := s.types.Remembered(doc); field != nil {
		at.Remembered = *field
	}
	return at, err
}

func (s growing) remembers(doc any, key string) bool {
	places, err := s.types.Places(s.Writer, doc)
	if err != nil {
		return false
	}
	_, known := places.From(key)
	return known
}

func (s growing) read(ctx context.Context, _ *store.Store, op string, at Target) (write.Found, error) {
	return at.Places.Read(ctx, op)
}

func (s growing) create(ctx context.Context, at Target, w write.Document, repeated bool) (write.Document, azcore.ETag, error) {
	return at.Places.Create(ctx, w, repeated)
}

func (s growing) upsert(ctx context.Context, at Target, w write.Document) (write.Document, azcore.ETag, error) {
	return at.Places.Upsert(ctx, w)
}

func (s growing) replace(ctx context.Context, at Target, w write.Document, unchanged azcore.ETag) (write.Document, azcore.ETag, error) {
	return at.Places.Replace(ctx, wire.OpReplace, w, unchanged, at.Remembered)
}

func (s growing) change(ctx context.Context, op string, at Target, f write.Found, w write.Document, last bool, c *wire.Content) (write.Document, azcore.ETag, error) {
	w, err := at.Places.At(op, w, f)
	if err != nil {
		return w, "", err
	}
	return s.plain.change(ctx, op, at, f, w, last, c)
}

func (s growing) patch(ctx context.Context, at Target, request write.Patch, c *wire.Content) (wire.Place, error) {
	found, err := at.Places.Patch(ctx, request, c)
	return found.Place, err
}

func (s growing) remove(ctx context.Context, at Target, repeated bool) error {
	return unlessGone(repeated, at.Places.Delete(ctx))
}

func (s growing) removeUnchanged(ctx context.Context, at Target, unchanged azcore.ETag, repeated bool) error {
	return unlessGone(repeated, at.Places.DeleteUnchanged(ctx, unchanged, at.Remembered))
}

func (s growing) bulk(b *write.Bulk) {
	s.plain.bulk(b)
	b.Batches = false
}

func (growing) joins(string) error { return ErrGrows }

func (growing) moves() error { return ErrGrows }

// ErrGrows is the error of an operation that is not possible while the bucket count grows.
var ErrGrows = errors.New("the bucket count of the type is growing, so its documents may be in several logical partitions: " +
	"wait until the tags was and next are removed")

// ErrReserves is the error of a transaction, which cannot keep values unique.
var ErrReserves = errors.New("the type has unique properties, whose reservations are in other logical partitions: call the method of the repository outside of a transaction")

// RefuseMove returns an error if Move cannot move documents of the type.
func (d *Documents) RefuseMove() error {
	if err := d.strategy.moves(); err != nil {
		return &documents.Error{Op: write.OpMove, Type: d.Store.Type, Err: err}
	}
	return nil
}

// FitPatch adds to a patch the operations that indexes need. It returns an error if the
// patch would change a unique value, or the components of an index in a way that it cannot
// express. Key is as in write.Indexed.Complete.
func (d *Documents) FitPatch(p wire.Place, key any, request *write.Patch) error {
	for _, o := range request.Operations {
		for _, name := range d.Types.Unique {
			if o.Within(name) {
				return d.Store.Failure(wire.OpPatch, p, fmt.Errorf("the property %s is unique, and a patch does not make its reservation: use Update", name))
			}
		}
	}
	err := d.Writer.Indexed.Complete(request, key, d.Store.Settings.Unmarshal)
	var invalid *partition.KeyError
	if err == nil || errors.As(err, &invalid) {
		return err
	}
	return d.Store.Failure(wire.OpPatch, p, err)
}
