package documents

import (
	"context"
	"errors"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

const opFind = "find in buckets"

var errNoID = errors.New("the model does not say which property has the id")

// Find returns the document of an id in the logical partitions of keys: those of all
// suffixes. The error is failure.ErrNotFound if none has it, and failure.ErrAmbiguous, with
// the partition keys, if several do.
func Find[T any, K generated.Key](ctx context.Context, c *Collection[T, K], id string, keys generated.Keys) (*T, error) {
	q := NewQuery(c, keys)
	if c.Model.Properties == nil {
		return nil, c.failed(opFind, Place{ID: id}, failure.Trusted(errNoID))
	}
	q = q.Where(&condition.Comparison{Property: c.Model.Properties.ID, Op: condition.Eq, Values: []any{id}})
	if err := q.ready(ctx); err != nil {
		return nil, err
	}
	var found []Stored[T]
	for stored, err := range c.Driver.All(ctx, q.sel) {
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
		places = append(places, quoted(stored.Place.Partition))
	}
	return nil, &failure.Error{
		Op: opFind, Type: c.Model.Type, ID: id, Kind: failure.ErrAmbiguous, Err: failure.ErrAmbiguous,
		Note: "in the partitions " + strings.Join(places, ", ") + ": Get one of them",
	}
}

// unfound returns the error of Find.
func (c *Collection[T, K]) unfound(id string, err error) error {
	a := failure.AnswerOf(err)
	return &failure.Error{Op: opFind, Type: c.Model.Type, ID: id, Code: a.Code, Err: err, Kind: a.Kind}
}
