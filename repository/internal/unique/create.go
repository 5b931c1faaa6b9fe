package unique

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Writer is who stores a document: what it has left hidden in an attempt before is its own,
// whose id nothing blocks.
type Writer string

// NewWriter returns a writer that is no other.
func NewWriter() Writer { return Writer(newToken()) }

// Create stores w as a new document: hidden, then visible once its values are its own.
// Repeated says that it may have been sent before, by the same writer. The error matches
// ErrNotUnique if another document has one of its values.
func (s *Set) Create(ctx context.Context, by Writer, w write.Document, repeated bool) (azcore.ETag, error) {
	const op = wire.OpCreate
	wanted, err := s.wants(op, w)
	if err != nil {
		return "", err
	}
	sent := false // what an attempt before made visible may have been changed since
	for attempt := 1; ; attempt++ {
		tag, err := s.createOnce(ctx, op, by, w, wanted, repeated || sent)
		var b begun
		if !errors.As(err, &b) {
			return tag, wire.StillUnclear(err, sent)
		}
		sent = sent || errors.Is(err, wire.ErrPreconditionFailed)
		if err := again(ctx, attempt, err); err != nil {
			return "", wire.StillUnclear(err, sent)
		}
	}
}

func (s *Set) createOnce(ctx context.Context, op string, by Writer, w write.Document, wanted []reserved, repeated bool) (azcore.ETag, error) {
	w, err := s.stamped(op, w, nil)
	if err != nil {
		return "", err
	}
	hidden, err := withPending(w.Body, string(by))
	if err != nil {
		return "", s.Failure(op, w.Place, err)
	}
	tag, err := s.create(ctx, op, w.Place, hidden)
	if errors.Is(err, wire.ErrAlreadyExists) {
		var stored bool
		if tag, stored, err = s.meet(ctx, op, by, w, repeated, err); stored {
			return tag, nil
		}
	}
	if err != nil {
		return "", err
	}
	// The ETag may be of an attempt before, and reservations have to be younger than it.
	versions, err := s.reserve(ctx, op, w.Place, wanted, newToken())
	if err != nil {
		s.withdraw(ctx, op, w.Place, tag, versions)
		return "", err
	}
	visible, err := s.replace(ctx, op, w.Place, w.Body, tag)
	if err == nil {
		return visible, nil
	}
	if errors.Is(err, wire.ErrUnclear) || overtaken(err) {
		if visible, err = write.ReadBack(ctx, s.Writer, op, w, err); err == nil {
			return visible, nil
		}
	}
	switch {
	case errors.Is(err, wire.ErrUnclear):
		return "", err
	case overtaken(err): // fenced, or stored and changed since: the reservations stay for the bound
		return "", begun{err}
	}
	s.withdraw(ctx, op, w.Place, tag, versions)
	return "", err
}

// meet is told that there is a document at the place of a new one. It returns the ETag of
// that document if this writer has stored it hidden, and true as well if it is the
// document, visible and stored by an earlier attempt. A hidden document older than the
// bound is removed, so that the operation begins anew.
func (s *Set) meet(ctx context.Context, op string, by Writer, w write.Document, repeated bool, failure error) (azcore.ETag, bool, error) {
	answer, err := s.Fetch(ctx, op, w.Place)
	switch {
	case errors.Is(err, wire.ErrNotFound):
		return "", false, begun{failure}
	case err != nil:
		return "", false, err
	case !s.isPending(answer.Value):
		if repeated || errors.Is(failure, wire.ErrUnclear) {
			tag, refused := write.ReadBack(ctx, s.Writer, op, w, failure)
			if refused == nil {
				return tag, true, nil
			}
			failure = refused
		}
		if v := s.Judge(answer.Value); v.State == store.Deleted {
			failure = wire.StillUnclear(s.Refusal(op, w.Place, v, wire.ErrAlreadyExists), errors.Is(failure, wire.ErrUnclear))
		}
		return "", false, failure
	case pendingToken(answer.Value) == string(by):
		return answer.ETag, false, nil
	}
	unfinished := s.failure(op, w.Place, wire.ErrUnfinished, ErrPending)
	if !s.old(answer) {
		return "", false, unfinished
	}
	if err := s.remove(ctx, op, w.Place, answer.ETag); err != nil && !overtaken(err) {
		return "", false, err
	}
	return "", false, begun{unfinished}
}

// withdraw removes a hidden document and the reservations that were made for it.
func (s *Set) withdraw(ctx context.Context, op string, p wire.Place, tag azcore.ETag, versions []version) {
	removing, cancel := cleaning(ctx)
	defer cancel()
	if err := s.remove(removing, op, p, tag); err == nil || errors.Is(err, wire.ErrNotFound) {
		s.giveBack(ctx, op, versions)
	}
}
