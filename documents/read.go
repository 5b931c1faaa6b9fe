package documents

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
)

// Get returns the document with a key: one point read.
func (c *Collection[T, K]) Get(ctx context.Context, key K) (*T, error) {
	at, err := c.spec.Place(key)
	if err != nil {
		return nil, err
	}
	if err := api.Ready(ctx, c.spec.Settings.Wrong, c.spec.Stays); err != nil {
		return nil, c.failed(opGet, at, err)
	}
	stored, err := c.read(ctx, at)
	if err != nil {
		return nil, c.fail(opGet, at, false, err)
	}
	if c.stranger(stored.Doc, key) {
		return nil, c.fail(opGet, at, false, &failure.Answer{Kind: failure.ErrNotFound, Err: errStranger})
	}
	return c.taken(stored), nil
}

// Exists reports whether Get finds the document with a key.
func (c *Collection[T, K]) Exists(ctx context.Context, key K) (bool, error) {
	_, err := c.Get(ctx, key)
	return failure.Found(err)
}

// GetMany returns the documents with these keys, in the order of keys: nil for a key without a
// document. It reads each document once, with one point read, as many at once as
// [WithConcurrency] allows; a key given twice gives the same document twice. With an error,
// GetMany returns no documents. It returns the error of the first invalid key before any
// request.
func (c *Collection[T, K]) GetMany(ctx context.Context, keys []K) ([]*T, error) {
	if err := api.Ready(ctx, c.spec.Settings.Wrong, c.spec.Stays); err != nil {
		return nil, c.failed(opGetMany, api.Place{}, err)
	}
	var wanted []K // each once
	index := make(map[K]int, len(keys))
	for i, key := range keys {
		if err := key.Validate(); err != nil {
			return nil, fmt.Errorf("%s %s: key %d: %w", opGetMany, c.spec.Model.Type, i, err)
		}
		if _, known := index[key]; !known {
			index[key] = len(wanted)
			wanted = append(wanted, key)
		}
	}
	found := make([]*T, len(wanted))
	err := parallel.Each(ctx, len(wanted), c.spec.Settings.Concurrency, func(ctx context.Context, i int) error {
		doc, err := c.Get(ctx, wanted[i])
		if errors.Is(err, failure.ErrNotFound) {
			err = nil
		}
		found[i] = doc
		return err
	})
	if err != nil {
		return nil, err
	}
	docs := make([]*T, len(keys))
	for i, key := range keys {
		docs[i] = found[index[key]]
	}
	return docs, nil
}

// taken returns a stored document with its key and version set.
func (c *Collection[T, K]) taken(s api.Stored[T]) *T {
	c.spec.Remember(s.Doc, s.Place, s.Version)
	return s.Doc
}
