package documents

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Get returns the document of a key: one point read.
func (c *Collection[T, K]) Get(ctx context.Context, key K) (*T, error) {
	at, err := c.place(ctx, key)
	if err != nil {
		return nil, err
	}
	stored, err := Attempt(ctx, func(ctx context.Context) (Stored[T], error) { return c.Driver.Read(ctx, at) })
	if err != nil {
		return nil, c.fail("get", at, false, err)
	}
	if c.stranger(stored.Doc, key) {
		return nil, c.fail("get", at, false, &failure.Answer{Kind: failure.ErrNotFound, Err: errStranger})
	}
	return c.taken(stored), nil
}

// taken returns a stored document with its key and version in it.
func (c *Collection[T, K]) taken(s Stored[T]) *T {
	c.remember(s.Doc, s.Place, s.Version)
	return s.Doc
}
