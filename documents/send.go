package documents

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// create sends a new document. If the request was sent before, or may have arrived twice, the
// conflicting document shows whether it was stored.
func (c *Collection[T, K]) create(ctx context.Context, op string, at api.Place, doc *T, r call) (string, error) {
	version, unclear, err := api.AttemptWrite(ctx, func(ctx context.Context) (string, error) {
		return c.spec.Driver.Insert(ctx, at, doc)
	})
	unclear = unclear || r.unclear
	sure := unclear || c.spec.Model.Random != nil
	if errors.Is(err, failure.ErrAlreadyExists) && (sure || c.spec.Twice && !r.anew) {
		stored, perhaps := c.settled(ctx, at, doc, r)
		if sure && stored != nil {
			return stored.Version, nil
		}
		// Another document was stored before this one, or after it was changed or removed.
		unclear = unclear || c.spec.Twice && !r.anew && perhaps
	}
	return version, c.fail(op, at, unclear, err)
}

// settled reads the document that made a write of doc fail, and returns it if it equals doc.
// perhaps reports that the write may have stored it: the document is equal and was not written
// before the call, or was removed, or could not be read.
func (c *Collection[T, K]) settled(ctx context.Context, at api.Place, doc *T, r call) (stored *api.Stored[T], perhaps bool) {
	found, err := c.read(ctx, at)
	if err != nil {
		return nil, true
	}
	if same, err := c.spec.Driver.Same(found, at, doc); err != nil || !same {
		return nil, false
	}
	return &found, api.MayBeOf(r.began, found.Age)
}

// replace sends a document in place of a version, or of any. An equal stored document does not
// prove that doc was stored: two programs that count the same event make the same change to the
// same document. So an attempt that finds another version after an unclear one stays unclear,
// and so does a refusal that an earlier arrival of the same request may have caused.
func (c *Collection[T, K]) replace(ctx context.Context, op string, at api.Place, doc *T, version string, r call) (string, error) {
	written, unclear, err := api.AttemptWrite(ctx, func(ctx context.Context) (string, error) {
		return c.spec.Driver.Replace(ctx, at, doc, version)
	})
	if !unclear && c.spec.Twice && !r.anew && errors.Is(err, failure.ErrPreconditionFailed) {
		_, unclear = c.settled(ctx, at, doc, r)
	}
	return written, c.fail(op, at, unclear, err)
}

// remove removes a document. A second attempt that finds none has succeeded.
func (c *Collection[T, K]) remove(ctx context.Context, at api.Place, version string, r call) error {
	_, unclear, err := api.AttemptWrite(ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, c.spec.Driver.Remove(ctx, at, version)
	})
	unclear = unclear || r.unclear
	if unclear && errors.Is(err, failure.ErrNotFound) {
		return nil
	}
	return c.fail(opDelete, at, unclear, err)
}

// read reads the document at a place.
func (c *Collection[T, K]) read(ctx context.Context, at api.Place) (api.Stored[T], error) {
	return api.Attempt(ctx, func(ctx context.Context) (api.Stored[T], error) { return c.spec.Driver.Read(ctx, at) })
}

// looking reads a document, and then writes on condition that it is unchanged. If it has
// changed, looking starts over, at most ten times. It is for keys that other components can
// make. found is nil if there is no document. If requests may arrive twice and the document
// has changed to that of w, the write has succeeded: the first of two requests stored it, or
// another program stored the same document.
func (c *Collection[T, K]) looking(ctx context.Context, op string, w pending[T, K], r call, write func(*api.Stored[T], call) (string, error)) (string, error) {
	at := w.at
	for n := 1; ; n++ {
		refused := n > 1 && c.spec.Twice // perhaps after it took effect
		stored, err := c.read(ctx, at)
		found := &stored
		switch {
		case errors.Is(err, failure.ErrNotFound):
			found = nil
		case err != nil:
			return "", c.fail(op, at, refused, sentNothing(err))
		case c.stranger(stored.Doc, w.key):
			kind := failure.ErrNotFound
			if op == opUpsert {
				kind = failure.ErrAlreadyExists
			}
			return "", c.fail(op, at, false, &failure.Answer{Kind: kind, Err: errStranger})
		case refused && w.doc != nil:
			if same, err := c.spec.Driver.Same(stored, at, w.doc); err == nil && same {
				return stored.Version, nil
			}
		}
		version, err := write(found, call{began: r.began, anew: n < backoff.MaxAttempts})
		overtaken := errors.Is(err, failure.ErrPreconditionFailed) || found != nil && errors.Is(err, failure.ErrNotFound) ||
			op == opUpsert && errors.Is(err, failure.ErrAlreadyExists)
		if err == nil || errors.Is(err, failure.ErrUnclear) || !overtaken || n == backoff.MaxAttempts {
			return version, err
		}
		if pauseErr := backoff.Pause(ctx, n); pauseErr != nil {
			return "", c.fail(op, at, c.spec.Twice, errors.Join(err, pauseErr))
		}
	}
}

// sentNothing returns the failure of a read as the failure of a write that was not sent.
func sentNothing(err error) error {
	a := *failure.AnswerOf(err)
	a.Unanswered = false
	a.Unsent = true
	return &a
}
