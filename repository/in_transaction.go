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

// InTransaction calls change with a new transaction of the logical partition of key, and
// commits it. Change reads by [TransactionOf.Read], decides, and adds writes:
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
// still the same, or still absent. If another program was faster, InTransaction calls change
// again with a new transaction, ten times at most with growing pauses; then the error matches
// ErrPreconditionFailed. So change must be safe to repeat. Documents that are read and not
// written may have changed meanwhile.
//
// It costs what the reads cost, one point read each, and what [Transaction.Commit] costs.
// Nothing is sent if change adds no operation. An error of change ends it, and is returned;
// nothing is stored. The other errors are those of Commit. If the outcome is unclear, change
// is not called again, and a program that calls InTransaction again needs an
// [IdempotencyToken]. No document of key itself need be there: key names the logical
// partition.
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

// transactionOptions are the options of one call. Both functions are nil without a token.
type transactionOptions struct {
	used func(context.Context) error // ErrAlreadyCommitted if the document of the token is there
	add  func(*Transaction) error    // its creation
}

// IdempotencyToken lets [Documents.InTransaction] take effect once, however often it is called
// with a document of this key, such as one whose id is the idempotency key of an HTTP request:
//
//	err := orders.InTransaction(ctx, key, change, repository.IdempotencyToken(requests, &Request{ID: id, Customer: customer}))
//	if errors.Is(err, repository.ErrAlreadyCommitted) {
//		return answerOf(ctx, key) // as the first call has answered
//	}
//
// The token is stored as a document of a type of your own, in the logical partition of the
// transaction, which creates it as its first operation. The type shares the container, so
// that its type= hides it from the queries and feeds of other types. The service removes it
// after the type's time to live, by ttl= or a field ttl; until then a call with the token
// returns ErrAlreadyCommitted.
//
// Before each call of change the token is read, and change is not called if it is there. A
// transaction whose answer is lost is sent again, also if it has a patch that must not run
// twice, and after a refusal the token is read: it has a random text that tells whose it is.
// After an error that matches ErrUnclear, such as that of a context that has ended, call
// InTransaction again with the same token.
//
// It costs a point read and the write of the token, about 6 request units, and one of the
// hundred operations. Nothing is stored, not even the token, if change adds no operation.
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

// begin adds the token to a new transaction, unless it is there.
func (o *transactionOptions) begin(ctx context.Context, tx *Transaction) error {
	if o.used == nil {
		return nil
	}
	if err := o.used(ctx); err != nil {
		return err
	}
	return o.add(tx)
}

// unlessUsed returns err, the error of a function that may have seen what another call with
// the token has stored since the token was read: if so, ErrAlreadyCommitted.
func (o *transactionOptions) unlessUsed(ctx context.Context, err error) error {
	if o.used == nil {
		return err
	}
	if used := o.used(ctx); errors.Is(used, ErrAlreadyCommitted) {
		return used
	}
	return err
}

// unlessRefused is unlessUsed for the error of a commit, which says whether it was refused
// because of the token.
func (o *transactionOptions) unlessRefused(ctx context.Context, err error) error {
	var failed *TransactionError
	if errors.As(err, &failed) && failed.Operation == 1 && errors.Is(err, ErrAlreadyExists) && !errors.Is(err, ErrUnclear) {
		return o.unlessUsed(ctx, err)
	}
	return err
}

// overtaken reports whether the transaction has failed since a document that it read has
// changed since.
func (tx *Transaction) overtaken(err error) bool {
	var failed *TransactionError
	return errors.As(err, &failed) && tx.core.Overtaken(failed.Operation-1, failed)
}

// Read returns the document that key identifies as it is now: one point read, 1 request unit
// for 1 KB. If the transaction writes the document afterwards, that takes effect only if the
// document is still the same; after ErrNotFound, only if there is still none. Otherwise the
// transaction fails, and [Documents.InTransaction] begins anew. The errors are those of
// [Documents.Get]; none of them keeps the transaction from being committed.
//
// [TransactionOf.Get] reads within the transaction, and so after its writes.
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

// Restore reads the document that key identifies, which is marked as deleted, and adds an
// operation that takes the mark away, as [Restore] does: one point read now. If the document
// changes before the commit, the transaction fails with ErrPreconditionFailed, and
// [Documents.InTransaction] begins anew. It has the options and the errors of [Restore]. To have
// the restored document after the commit, add [TransactionOf.Get].
func (o TransactionOf[T, K]) Restore(ctx context.Context, key K, options ...DeletedOption) error {
	return o.overMarked(ctx, write.OpRestore, key, options)
}

// Purge is to [Purge] what [TransactionOf.Restore] is to [Restore].
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

// UpdateOrCreate is Update for a document that need not be there: change then gets a zero
// document, and fills in all of it, with the fields of key. It returns what is stored. It
// costs a point read and a write, about 6 request units for 1 KB. If another program creates
// or deletes the document in between, UpdateOrCreate begins anew, ten times at most.
//
// In a type without a field tagged created or updated, a document that is equal to the new one
// is taken for that of another program, also if the request has arrived twice: change then sees
// it, as [Documents.Update] has it.
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
