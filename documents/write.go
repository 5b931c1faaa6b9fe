package documents

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Names of operations, in errors.
const (
	opCreate  = "create"
	opUpsert  = "upsert"
	opReplace = "replace"
	opDelete  = "delete"
	opGet     = "get"
	opGetMany = "get many"
	opQuery   = "query"
	opPage    = "page"
	opCount   = "count"
)

// Create stores doc as a new document: one write. If doc's key has a random suffix that is not
// yet chosen, or that was chosen for other fields, Create chooses one and sets it in doc, so
// that another Create writes the same document.
//
// If the id is taken, Create reads the conflicting document, with one point read, if an earlier
// attempt may have taken effect, if the key has a random suffix, or if a proxy may repeat
// requests. In the first two cases, Create succeeds if the document equals doc. In the last
// case the error then also matches ErrUnclear, unless the document was written before the call.
func (c *Collection[T, K]) Create(ctx context.Context, doc *T) error {
	return c.run(ctx, c.creating(doc))
}

// Upsert creates or replaces doc: one write, after a read if other components can make doc's
// partition key.
func (c *Collection[T, K]) Upsert(ctx context.Context, doc *T) error {
	return c.run(ctx, c.upserting(doc))
}

// Replace replaces the stored document that has doc's key, only in doc's version if doc has
// one. It is one write, after a read if doc has no version and other components can make its
// partition key. If a proxy may repeat requests, a document with another version is read, with
// one point read: if it equals doc and was not written before the call, the error also matches
// ErrUnclear.
func (c *Collection[T, K]) Replace(ctx context.Context, doc *T) error {
	return c.run(ctx, c.replacing(doc))
}

// Delete deletes the document with a key: one write, after a read if other components can make
// the partition key.
func (c *Collection[T, K]) Delete(ctx context.Context, key K) error {
	return c.run(ctx, c.deleting(key))
}

// DeleteIfMatch deletes doc if it has not changed since it was read: one write. The packages of
// APIs with versions of documents call it. The error matches ErrPreconditionFailed, or
// ErrNotFound if the API distinguishes it.
func DeleteIfMatch[T any, K generated.Key](ctx context.Context, c *Collection[T, K], doc *T) error {
	w := pending[T, K]{op: opDelete, doc: doc}
	if w.err = c.identify(&w); w.err == nil {
		w.err = c.unmoved(&w)
	}
	if w.err == nil && w.version == "" {
		w.err = c.failed(opDelete, w.at, errNoVersion)
	}
	w.send = func(ctx context.Context, r call) (string, error) {
		return "", c.remove(ctx, w.at, w.version, r)
	}
	return c.run(ctx, w)
}

var errNoVersion = failure.Says("the document has no version to compare: read it first")

// pending is a write that was checked but not yet sent. The caller's goroutine makes it and
// calls [Collection.settle]; any goroutine may send it.
type pending[T any, K comparable] struct {
	op      string
	doc     *T // nil if only the key is known
	key     K
	at      api.Place
	version string // of doc
	err     error  // if it cannot be sent

	send func(context.Context, call) (version string, err error)
}

// call describes the earlier requests of a write, and how its caller treats a refusal.
type call struct {
	began   time.Time // before its first request
	unclear bool      // an earlier batch with this write may have taken effect
	anew    bool      // after a refusal, the caller reads the document and writes again
}

// run sends one write.
func (c *Collection[T, K]) run(ctx context.Context, w pending[T, K]) error {
	if w.err != nil {
		return w.err
	}
	if err := api.Ready(ctx, c.spec.Settings.Wrong, c.spec.Stays); err != nil {
		return c.failed(w.op, w.at, err)
	}
	version, err := w.send(ctx, call{began: time.Now()})
	c.settle(w, version, err)
	return err
}

// settle sets the stored values in a document.
func (c *Collection[T, K]) settle(w pending[T, K], version string, err error) {
	if err == nil && w.doc != nil && w.op != opDelete {
		c.spec.Remember(w.doc, w.at, version)
	}
}

// identify sets the key and the place of w, and the version of its document.
func (c *Collection[T, K]) identify(w *pending[T, K]) error {
	if w.doc == nil {
		return c.failed(w.op, api.Place{}, errNil)
	}
	w.key = c.spec.Model.Key(w.doc)
	w.version = c.spec.Version(w.doc)
	return c.locate(w)
}

// unchosen returns the error of a document that got no suffix: that of its present key.
func (c *Collection[T, K]) unchosen(doc *T, err error) error {
	if invalid := (*partition.KeyError)(nil); errors.As(err, &invalid) {
		return err
	}
	return c.failed(opCreate, api.Place{ID: c.spec.ID(c.spec.Model.Key(doc))}, err)
}

var errNil = failure.Says("the document is nil")

// locate sets the place of w.
func (c *Collection[T, K]) locate(w *pending[T, K]) error {
	at, err := c.spec.Place(w.key)
	w.at = at
	return err
}

// creating prepares Create.
func (c *Collection[T, K]) creating(doc *T) pending[T, K] {
	w := pending[T, K]{op: opCreate, doc: doc}
	if doc != nil {
		if err := c.spec.ChooseSuffix(doc, ""); err != nil {
			w.err = c.unchosen(doc, err)
			return w
		}
	}
	w.err = c.identify(&w)
	w.send = func(ctx context.Context, r call) (string, error) { return c.create(ctx, opCreate, w.at, doc, r) }
	return w
}

// upserting prepares Upsert.
func (c *Collection[T, K]) upserting(doc *T) pending[T, K] {
	w := c.existing(opUpsert, doc)
	w.send = func(ctx context.Context, r call) (string, error) {
		if c.spec.Model.Ambiguous {
			return c.looking(ctx, opUpsert, w, r, func(found *api.Stored[T], r call) (string, error) {
				if found == nil {
					return c.create(ctx, opUpsert, w.at, doc, r)
				}
				return c.replace(ctx, opUpsert, w.at, doc, found.Version, r)
			})
		}
		version, unclear, err := api.AttemptWrite(ctx, func(ctx context.Context) (string, error) {
			return c.spec.Driver.Upsert(ctx, w.at, doc)
		})
		return version, c.fail(opUpsert, w.at, unclear || r.unclear, err)
	}
	return w
}

// replacing prepares Replace.
func (c *Collection[T, K]) replacing(doc *T) pending[T, K] {
	w := c.existing(opReplace, doc)
	w.send = func(ctx context.Context, r call) (string, error) {
		if w.version != "" || !c.spec.Model.Ambiguous {
			return c.replace(ctx, opReplace, w.at, doc, w.version, r)
		}
		return c.looking(ctx, opReplace, w, r, func(found *api.Stored[T], r call) (string, error) {
			if found == nil {
				return "", c.fail(opReplace, w.at, false, &failure.Answer{Kind: failure.ErrNotFound})
			}
			return c.replace(ctx, opReplace, w.at, doc, found.Version, r)
		})
	}
	return w
}

// existing prepares a write of a document that may be stored already.
func (c *Collection[T, K]) existing(op string, doc *T) pending[T, K] {
	w := pending[T, K]{op: op, doc: doc}
	if w.err = c.identify(&w); w.err == nil {
		w.err = c.unmoved(&w)
	}
	return w
}

// deleting prepares Delete.
func (c *Collection[T, K]) deleting(key K) pending[T, K] {
	w := pending[T, K]{op: opDelete, key: key}
	w.err = c.locate(&w)
	w.send = func(ctx context.Context, r call) (string, error) {
		if !c.spec.Model.Ambiguous {
			return "", c.remove(ctx, w.at, "", r)
		}
		return c.looking(ctx, opDelete, w, r, func(found *api.Stored[T], r call) (string, error) {
			if found == nil {
				return "", c.fail(opDelete, w.at, false, &failure.Answer{Kind: failure.ErrNotFound})
			}
			return "", c.remove(ctx, w.at, found.Version, r)
		})
	}
	return w
}

// unmoved returns ErrKeyChanged if the document of w remembers that it is stored under another
// key.
func (c *Collection[T, K]) unmoved(w *pending[T, K]) error {
	field := c.spec.Stored(w.doc)
	if field == nil || *field == "" || *field == w.at.Partition {
		return nil
	}
	return &Error{
		Op: w.op, Type: c.spec.Model.Type, ID: w.at.ID, PartitionKey: w.at.Key(), Kind: failure.ErrKeyChanged,
		Err: errors.New("it is stored under another key"), Note: "which is " + strconv.Quote(*field),
	}
}
