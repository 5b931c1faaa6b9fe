package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Limits of a transaction, from "Performing entity group transactions". Cosmos DB accepts 2 MB
// ("Frequently asked questions about Azure Cosmos DB for Table").
const (
	maxOperations = 100
	maxBody       = 4 << 20
	overhead      = 700 // maximum bytes of an operation's headers and boundaries
)

// Operation is one operation of a transaction.
type Operation struct {
	Name, Type string // for errors
	Action     aztables.TransactionType
	At         api.Place
	Entity     []byte // nil if it stores nothing
	Version    string // the required stored version, or ""

	// Loose reports that the operation may overwrite any stored document.
	Loose bool

	// Repeated reports that the operation creates a document that an earlier transaction may
	// have created under the same key.
	Repeated bool

	// Same reports whether a stored document equals the operation's.
	Same func(stored any) (bool, error)

	// Read reads the document at the place. age is the Age of api.Stored.
	Read func(context.Context) (stored any, version string, age time.Duration, err error)

	// Stored is called with the version of the stored document.
	Stored func(version string)
}

// again reports whether the operation may be sent twice.
func (o Operation) again() bool { return o.Entity != nil && o.Loose }

// Transaction is operations of one logical partition of a table.
type Transaction struct {
	Table      *Table
	Partition  string
	Operations []Operation

	size int
}

// Is reports whether both are the same table.
func (t *Table) Is(other *Table) bool { return t.Name == other.Name && t.Service == other.Service }

// Add adds an operation, or returns an error if it cannot.
func (tx *Transaction) Add(t *Table, o Operation) error {
	size := tx.size + len(o.Entity) + len(o.At.Partition) + len(o.At.ID) + overhead
	switch {
	case len(tx.Operations) == maxOperations:
		return &failure.Answer{Kind: failure.ErrTooLarge, Err: failure.Says(fmt.Sprintf("a transaction has at most %d operations", maxOperations))}
	case size > maxBody:
		return &failure.Answer{Kind: failure.ErrTooLarge, Err: failure.Says("a transaction has at most 4 MB")}
	case len(tx.Operations) == 0:
		tx.Table, tx.Partition = t, o.At.Partition
	case !tx.Table.Is(t):
		return failure.Says(fmt.Sprintf("the transaction is in table %s, and the document in table %s: a transaction has documents of one table", tx.Table.Name, t.Name))
	case tx.Partition != o.At.Partition:
		return failure.Says(fmt.Sprintf("the transaction is in partition %q: a transaction has documents of one logical partition", tx.Partition))
	}
	if slices.ContainsFunc(tx.Operations, func(other Operation) bool { return other.At == o.At }) {
		return failure.Says("the transaction already has an operation on this document, and a table accepts one per document")
	}
	tx.size = size
	tx.Operations = append(tx.Operations, o)
	return nil
}

// Commit sends the transaction. If an operation failed, failed is its index, otherwise -1.
func (tx *Transaction) Commit(ctx context.Context) (failed int, err error) {
	actions, mended, err := tx.actions(ctx)
	if err != nil {
		return -1, err
	}
	began := time.Now()
	repeatable := !slices.ContainsFunc(tx.Operations, func(o Operation) bool { return !o.again() })
	failed, unclear := -1, false
	answers, err := api.Attempt(ctx, func(ctx context.Context) ([]part, error) {
		parts, at, err := tx.once(ctx, actions, mended)
		failed = at
		if a := failure.AnswerOf(err); err != nil && a.Unanswered {
			unclear = true
			if !repeatable {
				final := *a
				final.Unanswered, final.Unsent = false, false
				return nil, &final
			}
		}
		return parts, err
	})
	switch {
	case err == nil:
	case unclear && !repeatable:
		return -1, tx.look(ctx, err)
	case unclear: // an earlier attempt may have taken effect, whatever the last answer was
		return failed, unanswered(err)
	case failed >= 0 && tx.Operations[failed].Repeated && errors.Is(err, failure.ErrAlreadyExists):
		if tx.look(ctx, err) == nil {
			return -1, nil
		}
		return failed, err
	case tx.refused(failed, err) && tx.perhaps(ctx, failed, err, began):
		return failed, unanswered(err)
	default:
		return failed, err
	}
	for i, o := range tx.Operations {
		if o.Stored != nil {
			o.Stored(answers[i].etag)
		}
	}
	return -1, nil
}

// perhaps reports whether a transaction may have taken effect although it was refused, because
// the same request arrived earlier. It reads one document that the transaction stores: the
// document of the failed operation, or the first one if that operation is unknown or stores
// nothing.
func (tx *Transaction) perhaps(ctx context.Context, failed int, cause error, began time.Time) bool {
	i := failed
	if i < 0 || tx.Operations[i].Entity == nil && errors.Is(cause, failure.ErrNotFound) {
		i = slices.IndexFunc(tx.Operations, func(o Operation) bool { return o.Entity != nil })
	}
	if i < 0 || tx.Operations[i].Entity == nil {
		return false
	}
	stored, _, age, err := tx.Operations[i].Read(ctx)
	if err != nil {
		return true
	}
	same, err := tx.Operations[i].Same(stored)
	return err == nil && same && api.MayBeOf(began, age)
}

// refused reports whether a transaction has failed in the way in which a second arrival of the
// same request fails.
func (tx *Transaction) refused(failed int, err error) bool {
	return errors.Is(err, failure.ErrAlreadyExists) || errors.Is(err, failure.ErrPreconditionFailed) ||
		errors.Is(err, failure.ErrNotFound) && (failed < 0 || tx.Operations[failed].Entity == nil)
}

// unanswered returns the failure of a transaction that may have taken effect.
func unanswered(err error) error {
	a := *failure.AnswerOf(err)
	a.Unanswered = true
	return &a
}

// once sends a transaction once. If an operation failed, failed is its index, otherwise -1.
func (tx *Transaction) once(ctx context.Context, actions []aztables.TransactionAction, mended bool) (parts []part, failed int, err error) {
	if mended {
		ctx = context.WithValue(ctx, mendKey{}, true)
	}
	response, err := tx.Table.call(ctx, nil, true, func(ctx context.Context) error {
		return tx.Table.submit(ctx, actions)
	})
	if response != nil && response.StatusCode == http.StatusAccepted {
		return tx.parts(response)
	}
	return nil, -1, err
}

// submit sends a transaction. If its answer is cut off early, aztables 1.4.1 panics with an
// index out of range.
func (t *Table) submit(ctx context.Context, actions []aztables.TransactionAction) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			err = &failure.Answer{Unanswered: true, Err: errors.Join(p, io.ErrUnexpectedEOF)}
		default:
			panic(p)
		}
	}()
	_, err = t.Client.SubmitTransaction(ctx, actions, nil)
	return err
}

// proven reports whether stored documents that equal those of the transaction prove that it
// took effect. A document that it creates proves it. A document that it stores in place of a
// version does not: another program may have made the same change to that version.
func (tx *Transaction) proven() bool {
	return slices.ContainsFunc(tx.Operations, func(o Operation) bool { return o.Action == aztables.TransactionTypeAdd }) ||
		!slices.ContainsFunc(tx.Operations, func(o Operation) bool { return o.Entity != nil && o.Version != "" })
}

// look reads the documents that a transaction may have stored. It returns nil if all of them
// are stored, and prove that the transaction has stored them.
func (tx *Transaction) look(ctx context.Context, cause error) error {
	if !tx.proven() {
		return unanswered(cause)
	}
	versions := make([]string, len(tx.Operations))
	for i, o := range tx.Operations {
		stored, version, _, err := o.Read(ctx)
		switch {
		case o.Entity == nil && errors.Is(err, failure.ErrNotFound):
			continue
		case err != nil || o.Entity == nil:
			return unanswered(cause)
		}
		if same, err := o.Same(stored); err != nil || !same {
			return unanswered(cause)
		}
		versions[i] = version
	}
	for i, o := range tx.Operations {
		if o.Stored != nil {
			o.Stored(versions[i])
		}
	}
	return nil
}

// actions returns the operations for aztables, and whether the request must be mended:
// aztables 1.4.1 does not escape apostrophes in keys.
func (tx *Transaction) actions(ctx context.Context) (actions []aztables.TransactionAction, mended bool, err error) {
	for _, o := range tx.Operations {
		mended = mended || hasApostrophe(o.At)
	}
	if mended && !tx.Table.mends(ctx, tx.Operations[0].At) {
		return nil, false, failure.Says("a key has an apostrophe, which aztables does not escape in a transaction: make the client with table.Configure, which does")
	}
	for _, o := range tx.Operations {
		action := aztables.TransactionAction{ActionType: o.Action, Entity: o.Entity}
		if o.Entity == nil {
			action.Entity = keysAlone(o.At)
		}
		if mended {
			action.Entity = double(action.Entity)
		}
		if o.Version != "" {
			tag := azcore.ETag(o.Version)
			action.IfMatch = &tag
		} else if o.Action == aztables.TransactionTypeUpdateReplace {
			tag := azcore.ETagAny // without an ETag, the service would create the entity
			action.IfMatch = &tag
		}
		actions = append(actions, action)
	}
	return actions, mended, nil
}
