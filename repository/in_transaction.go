package repository

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// InTransaction calls change with a new transaction in the logical partition of key, and
// commits it. Change reads with [TransactionOf.Read], decides, and adds writes:
//
//	err := orders.InTransaction(ctx, key, func(tx *repository.Transaction) error {
//		order, err := orders.In(tx).Read(ctx, key)
//		if err != nil {
//			return err
//		}
//		order.Lines++
//		return errors.Join(orders.In(tx).Replace(order), lines.In(tx).Create(line))
//	})
//
// A write of a document that the transaction has read takes effect only if the document is
// unchanged, or still absent. Otherwise InTransaction calls change again with a new
// transaction, at most ten times with growing pauses; then the error matches
// ErrPreconditionFailed. So change must be safe to repeat. Documents that are read but not
// written may have changed meanwhile.
//
// It costs one point read per read, and the costs of [Transaction.Commit]. If change adds no
// operation, nothing is sent. If change returns an error, InTransaction returns it, and stores
// nothing. The other errors are those of Commit. If the outcome is unclear, change is not
// called again; to call InTransaction again, a program needs an [IdempotencyToken]. Key only
// names the logical partition: no document with key needs to exist.
func (d *scope[T, K]) InTransaction(ctx context.Context, key K, change func(tx *Transaction) error, options ...TransactionOption) error {
	var o transactionOptions
	wrong := api.Apply(&o, options, "a TransactionOption")
	if change == nil {
		wrong = errors.New("the function is nil")
	}
	if wrong != nil {
		return &Error{Op: write.OpCommit, Type: d.model.Type, Err: wrong}
	}
	if err := d.untyped.RefuseTransaction(); err != nil {
		return err
	}
	if err := d.allows(write.OpCommit, key); err != nil {
		return err
	}
	p, err := placeOf(d.model, key)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		tx := NewTransaction()
		tx.core.Fixed = p.Name
		if err := o.begin(ctx, tx); err != nil {
			return err
		}
		before := tx.Len()
		if err := change(tx); err != nil {
			return o.unlessUsed(ctx, err)
		}
		if tx.Len() == before && tx.refused == nil {
			return nil
		}
		err := tx.Commit(ctx)
		if err == nil || !tx.overtaken(err) {
			return o.unlessRefused(ctx, err)
		}
		if err := write.Anew(ctx, attempt, err); err != nil {
			return err
		}
	}
}

// TransactionOption is an option of [Documents.InTransaction].
type TransactionOption func(*transactionOptions)

// transactionOptions are the options of one call. Without a token both functions are nil.
type transactionOptions struct {
	used func(context.Context) error // ErrAlreadyCommitted if the token is stored
	add  func(*Transaction) error    // adds the creation of the token
}

// IdempotencyToken lets [Documents.InTransaction] take effect once, however often it is called
// with a document with this key, such as one whose id is the idempotency key of an HTTP
// request:
//
//	err := orders.InTransaction(ctx, key, change, repository.IdempotencyToken(requests, &Request{ID: id, Customer: customer}))
//	if errors.Is(err, repository.ErrAlreadyCommitted) {
//		return answerOf(ctx, key) // as the first call has answered
//	}
//
// The token is a document of a type that the program declares. The transaction creates it in
// its logical partition, as its first operation. The type shares the container, and its type=
// hides the token from queries and feeds of other types. The service removes the token after
// the type's time to live, from ttl= or a ttl field; until then a call with the token returns
// ErrAlreadyCommitted.
//
// InTransaction reads the token before each call of change, and does not call change if the
// token exists. A transaction whose response is lost is sent again, even with a patch that must
// not run twice. If it is then refused, InTransaction reads the token, whose random text
// identifies the call that stored it. After an error that matches ErrUnclear, such as that of
// an ended context, call InTransaction again with the same token.
//
// The token costs a point read and a write, about 6 request units, and one of the hundred
// operations. If change adds no operation, nothing is stored, not even the token.
func IdempotencyToken[T any, K generated.Key](in scoped[T, K], token *T) TransactionOption {
	return func(o *transactionOptions) {
		d := in.whole()
		o.used = func(ctx context.Context) error {
			switch {
			case token == nil:
				return &Error{Op: write.OpCommit, Type: d.model.Type, Err: errors.New("the token is nil")}
			case d.model.Random != nil:
				return &Error{Op: write.OpCommit, Type: d.model.Type, Err: errors.New("the type of the token has a random suffix, so that each call would have another key: give it a key that a repeated call makes again")}
			}
			key := d.model.Key(token)
			_, err := d.Get(ctx, key)
			switch {
			case err == nil || errors.Is(err, ErrDeleted):
				return &Error{Op: write.OpCommit, Type: d.model.Type, ID: d.model.ID(key), Kind: ErrAlreadyExists, Err: ErrAlreadyCommitted}
			case errors.Is(err, ErrNotFound) && !errors.Is(err, ErrOtherType):
				return nil
			}
			return err
		}
		o.add = func(tx *Transaction) error {
			return d.In(tx).add(wire.OpCreate, token, (*untyped.Documents).AddToken)
		}
	}
}

// begin adds the token to a new transaction, or returns ErrAlreadyCommitted if it is stored.
func (o *transactionOptions) begin(ctx context.Context, tx *Transaction) error {
	if o.used == nil {
		return nil
	}
	if err := o.used(ctx); err != nil {
		return err
	}
	return o.add(tx)
}

// unlessUsed returns ErrAlreadyCommitted in place of err, the error of change, if another call
// stored the token after it was read: change may have seen its writes.
func (o *transactionOptions) unlessUsed(ctx context.Context, err error) error {
	if o.used == nil {
		return err
	}
	if used := o.used(ctx); errors.Is(used, ErrAlreadyCommitted) {
		return used
	}
	return err
}

// unlessRefused is unlessUsed for the error of a commit, which shows whether the token was the
// reason.
func (o *transactionOptions) unlessRefused(ctx context.Context, err error) error {
	var failed *TransactionError
	if errors.As(err, &failed) && failed.Operation == 1 && errors.Is(err, ErrAlreadyExists) && !errors.Is(err, ErrUnclear) {
		return o.unlessUsed(ctx, err)
	}
	return err
}

// overtaken reports whether the transaction failed because a document has changed since the
// transaction read it.
func (tx *Transaction) overtaken(err error) bool {
	var failed *TransactionError
	return errors.As(err, &failed) && tx.core.Overtaken(failed.Operation-1, failed)
}

// Read returns the current document: one point read, 1 request unit for 1 KB. A later write of
// the document by this transaction takes effect only if the document is unchanged or, after
// ErrNotFound, still absent. Otherwise the transaction fails, and [Documents.InTransaction]
// starts over. The errors are those of [Documents.Get]; the transaction may be committed after
// any of them.
//
// [TransactionOf.Get] reads as part of the transaction, and so sees its earlier writes.
func (o TransactionOf[T, K]) Read(ctx context.Context, key K) (*T, error) {
	d := o.documents
	var doc *T
	err := d.reading(ctx, wire.OpGet, d.allows(wire.OpGet, key), func(ctx context.Context, in *scope[T, K]) error {
		docs, at, err := in.target(key)
		if err != nil {
			return err
		}
		ctx, end := docs.Store.StartSpan(ctx, wire.OpGet)
		found, err := docs.Read(ctx, o.transaction.inner(), at)
		end(err)
		doc, _ = found.Doc.(*T) // nil with an error
		if err == nil && !hasKey(d.model, doc, key) {
			doc, err = nil, docs.Store.ForeignError(wire.OpGet, at.Place, ErrNotFound)
		}
		return err
	})
	return d.own(wire.OpGet, doc, err)
}

// Restore reads a document that is marked as deleted, with one point read, and adds an
// operation that removes the mark, see [Restore]. If the document changes before the commit,
// the transaction fails with ErrPreconditionFailed, and [Documents.InTransaction] starts over.
// Options and errors are those of [Restore]. To get the restored document after the commit, add
// [TransactionOf.Get].
func (o TransactionOf[T, K]) Restore(ctx context.Context, key K, options ...DeletedOption) error {
	return o.overMarked(ctx, write.OpRestore, key, options)
}

// Purge adds an operation that purges a document, see [Purge]. In all else it is like
// [TransactionOf.Restore].
func (o TransactionOf[T, K]) Purge(ctx context.Context, key K, options ...DeletedOption) error {
	return o.overMarked(ctx, write.OpPurge, key, options)
}

// overMarked adds an operation on a document that is marked as deleted.
func (o TransactionOf[T, K]) overMarked(ctx context.Context, op string, key K, options []DeletedOption) error {
	d := o.documents
	unchanged, err := d.unchangedOf(op, key, options)
	if err != nil {
		return o.transaction.note(err)
	}
	err = d.reading(ctx, op, d.allows(op, key), func(ctx context.Context, in *scope[T, K]) error {
		docs, at, err := in.target(key)
		if err != nil {
			return err
		}
		return docs.AddOverMarked(ctx, o.transaction.inner(), op, at, unchanged)
	})
	return o.transaction.note(err)
}

// UpdateOrCreate is Update for a document that may be absent: change then gets a zero document,
// and must set all its fields, including those of key. It returns the stored document. It costs
// a point read and a write, about 6 request units for 1 KB. If another program creates or
// deletes the document in between, UpdateOrCreate starts over, at most ten times.
//
// In a type without a field tagged created or updated, a document that equals the new one
// counts as another program's, even if a request of UpdateOrCreate arrived twice: change is
// then called with it, see [Documents.Update].
//
// It returns ErrKeyChanged, without a write, if change gives the document another key. Its
// other errors are those of [Documents.Update] and [Documents.Create]; a document that is
// marked as deleted is ErrAlreadyExists and ErrDeleted.
func (d *scope[T, K]) UpdateOrCreate(ctx context.Context, key K, change func(*T) error) (*T, error) {
	if change == nil {
		return nil, &Error{Op: untyped.OpUpdate, Type: d.model.Type, Err: errors.New("the function is nil")}
	}
	for attempt := 1; ; attempt++ {
		var doc *T
		var refused error
		err := d.Update(ctx, key, func(found *T) error {
			doc, refused = found, change(found)
			return refused
		})
		absent := errors.Is(err, ErrNotFound) && !errors.Is(err, ErrOtherType) && !errors.Is(err, ErrUnclear)
		if refused != nil || !absent {
			return orNil(doc, err)
		}
		doc = new(T)
		if err := change(doc); err != nil {
			return nil, err
		}
		if !sameKey(d.model, d.model.Key(doc), key) {
			return nil, &Error{Op: wire.OpCreate, Type: d.model.Type, ID: d.model.ID(key), Kind: ErrKeyChanged, Err: errors.New("the change makes it the document of another key")}
		}
		err = d.Create(ctx, doc)
		again := errors.Is(err, ErrAlreadyExists) && !errors.Is(err, ErrNotUnique) && !errors.Is(err, ErrDeleted)
		if !again {
			return orNil(doc, err)
		}
		if err := write.Anew(ctx, attempt, err); err != nil {
			return nil, err
		}
	}
}

// orNil returns doc, or nil with an error.
func orNil[T any](doc *T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return doc, nil
}
