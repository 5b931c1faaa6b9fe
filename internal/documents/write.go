package documents

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Create stores doc as a new document. If doc's key has a random suffix that is not yet
// chosen, Create chooses it. If an attempt before the last one may have taken effect,
// the stored document tells whether it was this one.
func (c *Collection[T, K]) Create(ctx context.Context, doc *T) error {
	key := c.Model.Key(doc)
	if r := c.Model.Random; r != nil && *r.Suffix(&key) == 0 {
		*r.Suffix(&key) = 1 + rand.IntN(r.Buckets)
	}
	at, err := c.place(ctx, key)
	if err != nil {
		return err
	}
	if c.Model.Random == nil { // a new document remembers no key
		if err := c.moved("create", doc, at); err != nil {
			return err
		}
	}
	if c.Model.Random != nil {
		c.remember(doc, at, "") // so that another Create writes the same document
	}
	version, before, err := attempt(ctx, func(ctx context.Context) (string, error) {
		return c.Driver.Insert(ctx, at, doc)
	})
	if before && errors.Is(err, failure.ErrAlreadyExists) {
		stored, readErr := Attempt(ctx, func(ctx context.Context) (Stored[T], error) { return c.Driver.Read(ctx, at) })
		if readErr != nil {
			return c.fail("create", at, true, err)
		}
		same, sameErr := c.Driver.Same(stored, at, doc)
		if sameErr != nil {
			return sameErr
		}
		if same {
			version, err = stored.Version, nil
		}
		before = false
	}
	if err != nil {
		return c.fail("create", at, before, err)
	}
	c.remember(doc, at, version)
	return nil
}

// Upsert stores doc, new or not.
func (c *Collection[T, K]) Upsert(ctx context.Context, doc *T) error {
	key := c.Model.Key(doc)
	at, err := c.place(ctx, key)
	if err != nil {
		return err
	}
	if err := c.moved("upsert", doc, at); err != nil {
		return err
	}
	if c.Model.Ambiguous {
		return c.looking(ctx, "upsert", at, key, func(found *Stored[T]) error {
			if found == nil {
				return c.Create(ctx, doc)
			}
			return c.replace(ctx, "upsert", at, doc, found.Version)
		})
	}
	version, before, err := attempt(ctx, func(ctx context.Context) (string, error) {
		return c.Driver.Upsert(ctx, at, doc)
	})
	if err != nil {
		return c.fail("upsert", at, before, err)
	}
	c.remember(doc, at, version)
	return nil
}

// Replace stores doc in place of the document of its key: if doc has a version, in place
// of that version alone.
func (c *Collection[T, K]) Replace(ctx context.Context, doc *T) error {
	key := c.Model.Key(doc)
	at, err := c.place(ctx, key)
	if err != nil {
		return err
	}
	if err := c.moved("replace", doc, at); err != nil {
		return err
	}
	if version := c.version(doc); version != "" || !c.Model.Ambiguous {
		return c.replace(ctx, "replace", at, doc, version)
	}
	return c.looking(ctx, "replace", at, key, func(found *Stored[T]) error {
		if found == nil {
			return c.fail("replace", at, false, &failure.Answer{Kind: failure.ErrNotFound})
		}
		return c.replace(ctx, "replace", at, doc, found.Version)
	})
}

func (c *Collection[T, K]) replace(ctx context.Context, op string, at Place, doc *T, version string) error {
	written, before, err := attempt(ctx, func(ctx context.Context) (string, error) {
		return c.Driver.Replace(ctx, at, doc, version)
	})
	if err != nil {
		return c.fail(op, at, before, err)
	}
	c.remember(doc, at, written)
	return nil
}

// Delete removes the document of a key.
func (c *Collection[T, K]) Delete(ctx context.Context, key K) error {
	at, err := c.place(ctx, key)
	if err != nil {
		return err
	}
	if !c.Model.Ambiguous {
		return c.remove(ctx, at, "")
	}
	return c.looking(ctx, "delete", at, key, func(found *Stored[T]) error {
		if found == nil {
			return c.fail("delete", at, false, &failure.Answer{Kind: failure.ErrNotFound})
		}
		return c.remove(ctx, at, found.Version)
	})
}

// DeleteIfMatch removes doc if it has not changed since it was read.
func (c *Collection[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	at, err := c.place(ctx, c.Model.Key(doc))
	if err != nil {
		return err
	}
	version := c.version(doc)
	if version == "" {
		return errors.New("delete " + c.Model.Type + ": the document has no version, so that it cannot be compared: read it first")
	}
	return c.remove(ctx, at, version)
}

// remove removes a document. A second attempt that finds none has succeeded.
func (c *Collection[T, K]) remove(ctx context.Context, at Place, version string) error {
	_, before, err := attempt(ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, c.Driver.Remove(ctx, at, version)
	})
	if before && errors.Is(err, failure.ErrNotFound) {
		return nil
	}
	return c.fail("delete", at, before, err)
}

// looking reads what is at a place, and then writes on condition that it is unchanged:
// anew if it has changed meanwhile. It is for keys that other components can make. Found
// is nil if nothing is there.
func (c *Collection[T, K]) looking(ctx context.Context, op string, at Place, key K, write func(found *Stored[T]) error) error {
	for n := 1; ; n++ {
		stored, err := Attempt(ctx, func(ctx context.Context) (Stored[T], error) { return c.Driver.Read(ctx, at) })
		found := &stored
		switch {
		case errors.Is(err, failure.ErrNotFound):
			found = nil
		case err != nil:
			return c.fail(op, at, false, err)
		case c.stranger(stored.Doc, key):
			kind := failure.ErrNotFound
			if op == "upsert" {
				kind = failure.ErrAlreadyExists
			}
			return c.fail(op, at, false, &failure.Answer{Kind: kind, Err: errStranger})
		}
		err = write(found)
		again := errors.Is(err, failure.ErrPreconditionFailed) || op == "upsert" && (errors.Is(err, failure.ErrAlreadyExists) || errors.Is(err, failure.ErrNotFound))
		if err == nil || errors.Is(err, failure.ErrUnclear) || !again || n == backoff.MaxAttempts {
			return err
		}
		if pauseErr := backoff.Pause(ctx, n); pauseErr != nil {
			return err
		}
	}
}
