package repository

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// GetMany returns the documents that keys identify, in the order of keys: the
// result has one element for each, nil where there is no such document. One key
// given twice gives the same document twice. Where keys can collide, somebody
// else's document is nil, too.
//
// It sends one query for each physical partition that holds several of the
// documents, or one for each thousand of these, and a point read where there is
// one alone: about 3 request units a query, and 1 for every KB or so. A client
// made without [Configure] uses ReadManyItems of the SDK, about as many requests,
// and a point read for each document that is missing then.
//
// If a request fails for a reason that may pass, such as a throttled physical
// partition after the client's own retries, it is sent again, twice at most, and
// the others are not. An error comes without documents: a *partition.KeyError,
// before any request, for the first key that cannot be one, else an [Error] that
// names the physical partition or the document.
func (d *Documents[T, K]) GetMany(ctx context.Context, keys []K) ([]*T, error) {
	wanted := make([]wire.Identity, len(keys))
	known := map[wire.Identity]bool{}
	var values []query.Located // each once
	for i, key := range keys {
		v, err := locateKey(d, key)
		if err != nil {
			return nil, &Error{Op: query.OpGetMany, Type: d.store.Type, Err: fmt.Errorf("key %d: %w", i, err)}
		}
		wanted[i] = wire.Identity{ID: v.ID, Partition: wire.NameOf(v.Value)}
		if !known[wanted[i]] {
			known[wanted[i]] = true
			values = append(values, v)
		}
	}
	found, err := query.Many(ctx, d.store, values)
	if err != nil {
		return nil, exported(err)
	}
	docs := make([]*T, len(keys))
	for i, key := range keys {
		if doc, ok := found[wanted[i]].(*T); ok && isMeant(d, doc, key) {
			docs[i] = doc
		}
	}
	return docs, nil
}

// locateKey finds where the document of key is.
func locateKey[T any, K generated.Key](d *Documents[T, K], key K) (query.Located, error) {
	if err := key.Validate(); err != nil {
		return query.Located{}, err
	}
	p := place(d, key)
	if p.ID == "" {
		return query.Located{}, errors.New("the id is empty")
	}
	v, err := query.LocateValue(d.store, p.Value)
	v.ID = p.ID
	return v, err
}
