package documents

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

const opFind = "find in buckets"

var errNoID = errors.New("the model does not say which property has the id")

// FindInBuckets returns the document with an id in the logical partitions of keys, which have
// all suffixes. Generated code calls it for keys with a random suffix. The error matches
// ErrNotFound if no suffix has the id, and ErrAmbiguous, with the partition keys, if several
// do.
func FindInBuckets[T any, K generated.Key](ctx context.Context, c *Collection[T, K], id string, keys generated.Keys) (*T, error) {
	q := NewQuery(c, keys)
	if c.spec.IDProperty == "" {
		return nil, c.failed(opFind, api.Place{ID: id}, cmp.Or(c.spec.Settings.Wrong, failure.Trusted(errNoID)))
	}
	q = q.where(&condition.Comparison{Property: c.spec.IDProperty, Op: condition.Eq, Values: []any{id}})
	if err := q.ready(ctx); err != nil {
		return nil, err
	}
	var found []api.Stored[T]
	for stored, err := range c.spec.Driver.All(ctx, q.sel) {
		if err != nil {
			return nil, c.unfound(id, err)
		}
		found = append(found, stored)
	}
	switch len(found) {
	case 0:
		return nil, c.unfound(id, &failure.Answer{Kind: failure.ErrNotFound})
	case 1:
		return c.taken(found[0]), nil
	}
	var places []string
	for _, stored := range found {
		places = append(places, stored.Place.Key())
	}
	return nil, &Error{
		Op: opFind, Type: c.spec.Model.Type, ID: id, Kind: failure.ErrAmbiguous, Err: failure.ErrAmbiguous,
		Note: "in the partitions " + strings.Join(places, ", ") + ": Get one of them",
	}
}

// unfound returns the error of Find.
func (c *Collection[T, K]) unfound(id string, err error) error {
	return NewError(opFind, c.spec.Model.Type, api.Place{ID: id}, err)
}
