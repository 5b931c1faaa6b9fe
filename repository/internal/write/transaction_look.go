package write

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// WithLook returns i as an operation that looks before the transaction is sent: a read
// says whose document is there, and the operation is sent on the condition that it is
// unchanged. Means is that of verify.
func (i Operation) WithLook(means func(doc any) bool) Operation {
	i.looks, i.means = true, means
	return i
}

// WithStamps returns i, which stores w, with a look that says what its stamps are.
func (i Operation) WithStamps(s *Writer, w Document) Operation {
	if s.Stamps.Carries() {
		i.looks, i.stamped = true, &w
		i.Once = s.Stamps.Version != "" && !s.Stamps.tells()
	}
	return i
}

// looked returns the operations as they can be sent now.
func (tx *Transaction) looked(ctx context.Context) ([]wire.Operation, *CommitError) {
	seen, err := tx.sights(ctx)
	var own *wire.OperationError
	if errors.As(err, &own) {
		return nil, &CommitError{OperationError: own, Operation: wire.NoOperation}
	}
	operations := make([]wire.Operation, len(tx.Operations))
	for n := range tx.Operations {
		i := &tx.Operations[n]
		operations[n] = i.Operation
		if !i.looks {
			continue
		}
		tag, err := judge(i.writer, i.Op, i.place, seen[i.ID], i.means, i.Op == wire.OpUpsert)
		if errors.As(err, &own) {
			return nil, &CommitError{OperationError: own, Operation: n}
		}
		if i.Unchanged != "" && i.Unchanged != azcore.ETagAny && i.Unchanged != tag {
			err = i.writer.changedError(i.Op, i.place)
			errors.As(err, &own)
			return nil, &CommitError{OperationError: own, Operation: n}
		}
		if i.stamped != nil {
			if err := i.restamp(seen[i.ID]); errors.As(err, &own) {
				return nil, &CommitError{OperationError: own, Operation: n}
			}
		}
		operations[n] = i.Given(tag)
	}
	return operations, nil
}

// restamp stamps the document of an operation as the one that takes the place of the
// document that a look has seen.
func (i *Operation) restamp(seen sight) error {
	w, err := Restamp(i.writer, i.Op, *i.stamped, seen.raw)
	i.Body = w.Body
	return err
}

// tookEffect reports whether the documents with stamps are stored as the transaction sent
// them last, which shows that it took effect, if they have the times of their last writes.
// Else it takes that for shown which settle does. It returns the ETags of what is stored as
// results.
func (tx *Transaction) tookEffect(ctx context.Context) ([]azcosmos.TransactionalBatchResult, bool) {
	results := make([]azcosmos.TransactionalBatchResult, len(tx.Operations))
	shown := false
	for n := range tx.Operations {
		i := &tx.Operations[n]
		if i.stamped == nil {
			continue
		}
		if !i.writer.Stamps.tells() && !tx.proven() {
			return nil, false
		}
		response, err := i.writer.ReadStored(ctx, OpCommit, i.place)
		sent := Document{Body: i.Body, Stamp: i.stamped.Stamp}
		if err != nil || !sent.tookEffect(response.Value) {
			return nil, false
		}
		results[n].ETag, shown = response.ETag, true
	}
	for n, i := range tx.Operations {
		if shown && i.stamped == nil && i.Body != nil {
			results[n].ETag, _ = tx.stored(ctx, i)
		}
	}
	return results, shown
}

// sights returns the documents at the places of operations that look, by their ids:
// by a point read for one of them, by one query for several.
func (tx *Transaction) sights(ctx context.Context) (map[string]sight, error) {
	var look []*Operation
	var ids []string
	whole := false
	for n := range tx.Operations {
		if i := &tx.Operations[n]; i.looks {
			look, ids, whole = append(look, i), append(ids, i.ID), whole || i.writer.Ambiguous
		}
	}
	switch len(look) {
	case 0:
		return nil, nil
	case 1:
		one := look[0]
		response, err := one.writer.Fetch(ctx, one.Op, one.place)
		if errors.Is(err, wire.ErrNotFound) {
			return nil, nil
		}
		return map[string]sight{one.ID: {response.Value, response.ETag}}, err
	}
	return lookAtAll(ctx, look[0].writer, OpCommit, tx.Place, ids, whole)
}

// ofOtherType returns the error of an operation that was refused because the
// document is of another type, hidden or of another form, of which the service says that
// a condition does not hold: that of a patch. Else it returns nil. A mark is refused in
// no form.
func (tx *Transaction) ofOtherType(ctx context.Context, f *CommitError) *wire.OperationError {
	if f.Operation == wire.NoOperation || !errors.Is(f.OperationError, wire.ErrPreconditionFailed) {
		return nil
	}
	i := &tx.Operations[f.Operation]
	if i.Op != wire.OpPatch && !i.Marks {
		return nil
	}
	err := i.writer.refusal(ctx, i.Op, i.place)
	if i.Marks && !errors.Is(err, wire.ErrNotFound) {
		return nil
	}
	var own *wire.OperationError
	if err != nil && !absent(err) && errors.As(err, &own) {
		return own
	}
	return nil
}

// renew brings the document of a patch to the present form of its type, if the service has
// refused the patch since the document is of an earlier one. It reports whether the patch
// may take effect now, which it does once of a document that is of the present form: somebody
// else may have brought it there.
func (tx *Transaction) renew(ctx context.Context, f *CommitError, last *bool) bool {
	if f.Operation == wire.NoOperation || !errors.Is(f.OperationError, wire.ErrPreconditionFailed) {
		return false
	}
	i := &tx.Operations[f.Operation]
	if i.Op != wire.OpPatch || i.writer.Schema == nil || *last {
		return false
	}
	renewed, err := Renew(ctx, i.writer, i.Op, i.place, i.means, nil, 0)
	var own *wire.OperationError
	if err != nil && !absent(err) && errors.As(err, &own) {
		f.OperationError = own
	}
	*last = !renewed.Stored
	if err == nil && i.Request != nil {
		err = i.renewed(renewed)
	}
	return err == nil && (renewed.Stored || i.Request == nil || !i.Request.counts) // see SendPatch
}

// renewed makes i the patch of a document that was renewed.
func (i *Operation) renewed(r Renewal) error {
	request, err := i.Request.after(r)
	if err != nil {
		return err
	}
	patch, err := request.SDK()
	if err == nil {
		i.Request, i.Patch = &request, patch
	}
	return err
}
