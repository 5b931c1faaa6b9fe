package mongo

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// position is the end of a page: after a document, by the orders of the query and then by _id.
// Seen are the logical partitions in which that _id was on earlier pages.
type position struct {
	Values []bson.RawValue `bson:"v,omitempty"` // of the orders; null if a document has none
	ID     string          `bson:"i"`
	Seen   []string        `bson:"s"` // the partition keys
}

func (p *position) text() (string, error) {
	raw, err := bson.Marshal(p)
	return base64.RawURLEncoding.EncodeToString(raw), err
}

// open parses a position. Its holder can forge a cursor, so values that are not scalars are
// refused.
func open(text string, orders int) (*position, error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = bson.Raw(raw).Validate()
	}
	p := new(position)
	if err == nil {
		err = bson.Unmarshal(raw, p)
	}
	if err == nil && (len(p.Values) != orders || len(p.Seen) == 0) {
		err = errors.New("it does not have the values of this query")
	}
	if err == nil {
		for _, v := range p.Values {
			switch v.Type {
			case bson.TypeNull, bson.TypeString, bson.TypeBoolean, bson.TypeInt32, bson.TypeInt64, bson.TypeDouble, bson.TypeDateTime, bson.TypeDecimal128, bson.TypeObjectID:
			default:
				err = errors.New("a value has no order")
			}
		}
	}
	if err != nil {
		return nil, &failure.Answer{Kind: failure.ErrCursor, Err: failure.Says("its position is damaged or made up: begin again without a cursor")}
	}
	return p, nil
}

// Page sends one find, for one document more than size, which shows whether there is another
// page.
func (c *collection[T]) Page(ctx context.Context, sel api.Selection, after string, size int) ([]api.Stored[T], string, error) {
	parts := chunks(sel)
	if err := together(parts, "a page"); err != nil || len(parts) == 0 {
		return nil, "", err
	}
	filter, err := c.selection(sel, parts[0])
	if err != nil {
		return nil, "", err
	}
	orders := slices.DeleteFunc(c.sorted(sel.Orders), func(e bson.E) bool { return e.Key == "_id" })
	sort := c.sorted(sel.Orders)
	var from *position
	if after != "" {
		if from, err = open(after, len(orders)); err != nil {
			return nil, "", err
		}
		filter = append(filter, bson.E{Key: "$or", Value: c.beyond(from, orders, sort[len(sort)-1].Value == -1, !sel.All && len(sel.Keys) == 1)})
	}
	size = min(size, 1<<20)
	find := options.Find().SetSort(sort).SetLimit(int64(size) + 1).SetBatchSize(int32(size) + 1)

	type result struct {
		docs []api.Stored[T]
		last *position
		more bool
	}
	// A repeat starts with the find: a page is small, and starts where the last one ended.
	page, err := api.Attempt(ctx, func(ctx context.Context) (r result, err error) {
		err = c.sends.one(ctx, func(ctx context.Context) error {
			r = result{last: from}
			cursor, err := c.docs.Find(ctx, filter, find)
			if err != nil {
				return err
			}
			defer closed(ctx, cursor)
			for cursor.Next(ctx) {
				if len(r.docs) == size {
					r.more = true
					break
				}
				s, err := c.codec.decode(cursor.Current)
				if err != nil {
					return &failure.Answer{Err: err}
				}
				r.docs = append(r.docs, s)
				r.last = following(r.last, cursor.Current, s.Place, orders)
			}
			return cursor.Err()
		})
		return r, err
	})
	if err != nil {
		return nil, "", err
	}
	if !page.more {
		return page.docs, "", nil
	}
	next, err := page.last.text()
	return page.docs, next, err
}

// following returns the position after a document that comes after last.
func following(last *position, raw bson.Raw, at api.Place, orders bson.D) *position {
	p := &position{ID: at.ID, Seen: []string{at.Partition}}
	for _, o := range orders {
		v, err := raw.LookupErr(strings.Split(o.Key, ".")...)
		if err != nil {
			v = bson.RawValue{Type: bson.TypeNull}
		}
		v.Value = slices.Clone(v.Value) // the cursor's memory is used again
		p.Values = append(p.Values, v)
	}
	if last != nil && last.ID == p.ID && slices.EqualFunc(last.Values, p.Values, bson.RawValue.Equal) {
		p.Seen = append(slices.Clone(last.Seen), at.Partition)
	}
	return p
}

// beyond returns the alternatives of the condition that a document comes after a position. For
// orders a and b they are: a is after the position's; a is equal and b after it; both are equal
// and the _id is after it; all are equal, and the partition key was not seen.
func (c *collection[T]) beyond(p *position, orders bson.D, descending, one bool) bson.A {
	var alternatives bson.A
	var equal bson.A
	for i, o := range orders {
		if next := past(o.Key, p.Values[i], o.Value == -1); next != nil {
			alternatives = append(alternatives, and(equal, next))
		}
		equal = append(equal, bson.D{{Key: o.Key, Value: bson.D{{Key: "$eq", Value: p.Values[i]}}}})
	}
	operator := "$gt"
	if descending {
		operator = "$lt"
	}
	alternatives = append(alternatives, and(equal, bson.D{{Key: "_id", Value: bson.D{{Key: operator, Value: p.ID}}}}))
	if one || c.codec.shard == "_id" {
		return alternatives // one document has this _id
	}
	return append(alternatives, and(equal, bson.D{
		{Key: "_id", Value: p.ID},
		{Key: c.codec.shard, Value: bson.D{{Key: "$nin", Value: p.Seen}}},
	}))
}

// past returns the filter of the values after v, nil if there are none. MongoDB sorts documents
// without a value first.
func past(name string, v bson.RawValue, descending bool) bson.D {
	null := v.Type == bson.TypeNull
	switch {
	case null && descending:
		return nil
	case null:
		return bson.D{{Key: name, Value: bson.D{{Key: "$ne", Value: nil}}}}
	case descending:
		return bson.D{{Key: "$or", Value: bson.A{
			bson.D{{Key: name, Value: bson.D{{Key: "$lt", Value: v}}}},
			bson.D{{Key: name, Value: bson.D{{Key: "$eq", Value: nil}}}},
		}}}
	}
	return bson.D{{Key: name, Value: bson.D{{Key: "$gt", Value: v}}}}
}

// and returns the conjunction of terms and last.
func and(terms bson.A, last bson.D) bson.D {
	if len(terms) == 0 {
		return last
	}
	return bson.D{{Key: "$and", Value: append(terms[:len(terms):len(terms)], last)}}
}

var _ api.Driver[struct{}] = (*collection[struct{}])(nil)
