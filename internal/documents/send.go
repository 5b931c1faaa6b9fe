package documents

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// create sends a new document. If that may have been sent before, what is in its way tells
// whether it was.
func (c *Collection[T, K]) create(ctx context.Context, op string, at Place, doc *T, sent bool) (string, error) {
	version, unclear, err := attempt(ctx, func(ctx context.Context) (string, error) {
		return c.Driver.Insert(ctx, at, doc)
	})
	unclear = unclear || sent
	if (unclear || c.Model.Random != nil) && errors.Is(err, failure.ErrAlreadyExists) {
		stored, readErr := c.read(ctx, at)
		if readErr != nil {
			return "", c.fail(op, at, unclear, err)
		}
		same, sameErr := c.Driver.Same(stored, at, doc)
		if same && sameErr == nil {
			return stored.Version, nil
		}
		// The document there is another one, stored before this one or after it was changed or
		// removed: nobody can tell.
	}
	return version, c.fail(op, at, unclear, err)
}

// replace sends a document in place of a version, or of any. A document that is equal to
// doc is no sign that doc was stored: two programs that count the same event make the same
// of what they have both read. So an attempt that finds another version after an unclear
// one stays unclear.
func (c *Collection[T, K]) replace(ctx context.Context, op string, at Place, doc *T, version string) (string, error) {
	written, unclear, err := attempt(ctx, func(ctx context.Context) (string, error) {
		return c.Driver.Replace(ctx, at, doc, version)
	})
	return written, c.fail(op, at, unclear, err)
}

// remove removes a document. A second attempt that finds none has succeeded.
func (c *Collection[T, K]) remove(ctx context.Context, at Place, version string, sent bool) error {
	_, unclear, err := attempt(ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, c.Driver.Remove(ctx, at, version)
	})
	unclear = unclear || sent
	if unclear && errors.Is(err, failure.ErrNotFound) {
		return nil
	}
	return c.fail(opDelete, at, unclear, err)
}

// read reads the document at a place.
func (c *Collection[T, K]) read(ctx context.Context, at Place) (Stored[T], error) {
	return Attempt(ctx, func(ctx context.Context) (Stored[T], error) { return c.Driver.Read(ctx, at) })
}

// looking reads what is at a place, and then writes on condition that it is unchanged:
// anew if it has changed meanwhile, ten times at most. It is for keys that other components
// can make. Found is nil if nothing is there.
func (c *Collection[T, K]) looking(ctx context.Context, op string, at Place, key K, write func(found *Stored[T]) (string, error)) (string, error) {
	for n := 1; ; n++ {
		stored, err := c.read(ctx, at)
		found := &stored
		switch {
		case errors.Is(err, failure.ErrNotFound):
			found = nil
		case err != nil:
			return "", c.fail(op, at, false, sentNothing(err))
		case c.stranger(stored.Doc, key):
			kind := failure.ErrNotFound
			if op == opUpsert {
				kind = failure.ErrAlreadyExists
			}
			return "", c.fail(op, at, false, &failure.Answer{Kind: kind, Err: errStranger})
		}
		version, err := write(found)
		overtaken := errors.Is(err, failure.ErrPreconditionFailed) || found != nil && errors.Is(err, failure.ErrNotFound) ||
			op == opUpsert && errors.Is(err, failure.ErrAlreadyExists)
		if err == nil || errors.Is(err, failure.ErrUnclear) || !overtaken || n == backoff.MaxAttempts {
			return version, err
		}
		if pauseErr := backoff.Pause(ctx, n); pauseErr != nil {
			return "", c.failed(op, at, errors.Join(err, pauseErr))
		}
	}
}

// sentNothing returns the failure of a read as that of a write which was not sent.
func sentNothing(err error) error {
	a := *failure.AnswerOf(err)
	a.Unanswered = false
	a.Unsent = true
	return &a
}
