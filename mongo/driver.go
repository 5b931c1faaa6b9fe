package mongo

import (
	"context"
	"crypto/rand"
	"errors"
	"sync/atomic"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// collection is the api.Driver of one collection. Each filter has the shard key, except that of
// a query of the whole collection.
type collection[T any] struct {
	codec    codec[T]
	docs     *driver.Collection
	pageSize int
	sends    sends
	silent   atomic.Bool // writes get no responses
}

// fresh returns a new version, or "" if documents have none.
func (c *collection[T]) fresh() string {
	if c.codec.version == "" {
		return ""
	}
	return rand.Text()
}

// only returns the filter of the document at a place, with this version unless it is "".
func (c *collection[T]) only(at api.Place, version string) bson.D {
	filter := append(make(bson.D, 0, 3), bson.E{Key: "_id", Value: at.ID})
	if c.codec.shard != "_id" {
		filter = append(filter, bson.E{Key: c.codec.shard, Value: at.Partition})
	}
	switch version {
	case "":
	case unversioned: // no text that is a version: $gt compares with texts alone
		versions := bson.D{{Key: "$gt", Value: ""}, {Key: "$ne", Value: unversioned}}
		filter = append(filter, bson.E{Key: "$nor", Value: bson.A{bson.D{{Key: c.codec.version, Value: versions}}}})
	default:
		filter = append(filter, bson.E{Key: c.codec.version, Value: version})
	}
	return filter
}

// write sends one write. After one unacknowledged write it sends nothing: the next would not be
// acknowledged either.
func (c *collection[T]) write(ctx context.Context, f func(context.Context) error) error {
	if c.silent.Load() {
		return &failure.Answer{Err: errSilent}
	}
	return c.sends.one(ctx, f)
}

var errSilent = failure.Says("the client's write concern requests no answers to writes: use w=1 or w=majority")

// acknowledged returns an error unless the server has responded to a write. The driver does not
// expose the write concern of a collection.
func (c *collection[T]) acknowledged(ok bool) error {
	if ok {
		return nil
	}
	c.silent.Store(true)
	return &failure.Answer{Unanswered: true, Err: errSilent}
}

// Insert stores a new document.
func (c *collection[T]) Insert(ctx context.Context, at api.Place, doc *T) (string, error) {
	version := c.fresh()
	raw, err := c.codec.encode(at, doc, version)
	if err != nil {
		return "", err
	}
	return version, c.write(ctx, func(ctx context.Context) error {
		result, err := c.docs.InsertOne(ctx, raw)
		if err != nil {
			return err
		}
		return c.acknowledged(result.Acknowledged)
	})
}

// Upsert stores a document, new or not.
func (c *collection[T]) Upsert(ctx context.Context, at api.Place, doc *T) (string, error) {
	version := c.fresh()
	raw, err := c.codec.encode(at, doc, version)
	if err != nil {
		return "", err
	}
	err = c.write(ctx, func(ctx context.Context) error {
		result, err := c.docs.ReplaceOne(ctx, c.only(at, ""), raw, options.Replace().SetUpsert(true))
		if err != nil {
			return err
		}
		return c.acknowledged(result.Acknowledged)
	})
	var a *failure.Answer
	if errors.As(err, &a) && errors.Is(a, failure.ErrAlreadyExists) {
		a.Unsent = true // two upserts of a new document met: the second try replaces it
	}
	return version, err
}

// Replace stores a document in place of another one.
func (c *collection[T]) Replace(ctx context.Context, at api.Place, doc *T, version string) (string, error) {
	written := c.fresh()
	raw, err := c.codec.encode(at, doc, written)
	if err != nil {
		return "", err
	}
	return written, c.write(ctx, func(ctx context.Context) error {
		result, err := c.docs.ReplaceOne(ctx, c.only(at, version), raw)
		switch {
		case err != nil:
			return err
		case result.Acknowledged && result.MatchedCount == 0:
			return none(version)
		}
		return c.acknowledged(result.Acknowledged)
	})
}

// Remove removes a document.
func (c *collection[T]) Remove(ctx context.Context, at api.Place, version string) error {
	return c.write(ctx, func(ctx context.Context) error {
		result, err := c.docs.DeleteOne(ctx, c.only(at, version))
		switch {
		case err != nil:
			return err
		case result.Acknowledged && result.DeletedCount == 0:
			return none(version)
		}
		return c.acknowledged(result.Acknowledged)
	})
}

// none returns the error of a write that found no document with this version.
func none(version string) error {
	if version != "" {
		return &failure.Answer{Kind: failure.ErrPreconditionFailed}
	}
	return &failure.Answer{Kind: failure.ErrNotFound}
}

// Read returns the document at a place.
func (c *collection[T]) Read(ctx context.Context, at api.Place) (s api.Stored[T], err error) {
	err = c.sends.one(ctx, func(ctx context.Context) error {
		raw, err := c.docs.FindOne(ctx, c.only(at, "")).Raw()
		switch {
		case errors.Is(err, driver.ErrNoDocuments):
			return &failure.Answer{Kind: failure.ErrNotFound}
		case err != nil:
			return err
		}
		if s, err = c.codec.decode(raw); err != nil {
			return &failure.Answer{Err: err} // sending it again would not help
		}
		return nil
	})
	return s, err
}

// Same compares a stored document with the stored form of doc.
func (c *collection[T]) Same(stored api.Stored[T], at api.Place, doc *T) (bool, error) {
	a, err := c.codec.encode(stored.Place, stored.Doc, "")
	if err != nil {
		return false, err
	}
	b, err := c.codec.encode(at, doc, "")
	if err != nil {
		return false, err
	}
	return same(a, b), nil
}
