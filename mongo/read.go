package mongo

import (
	"context"
	"fmt"
	"iter"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// maxKeyBytes is the most bytes of the partition keys of one request. Cosmos DB accepts
// requests up to 2 MB, and a key has at most 2 KB (Microsoft's page "Azure Cosmos DB service
// quotas").
const maxKeyBytes = 1 << 20

// chunks divides the keys of a query among requests. A query of all documents has one chunk
// without keys, and a query of no keys has none.
func chunks(sel api.Selection) [][]string {
	if sel.All {
		return [][]string{nil}
	}
	var all [][]string
	first, size := 0, 0
	for i, key := range sel.Keys {
		if n := len(key) + 16; size+n > maxKeyBytes && i > first {
			all, first, size = append(all, sel.Keys[first:i]), i, n
		} else {
			size += n
		}
	}
	if first < len(sel.Keys) {
		all = append(all, sel.Keys[first:])
	}
	return all
}

// together refuses an ordered query of several chunks, since each has its own order.
func together(parts [][]string, why string) error {
	if len(parts) > 1 {
		return failure.Says(fmt.Sprintf("the query reads so many logical partitions that their keys take more than %d bytes, and %s needs one request: use fewer", maxKeyBytes, why))
	}
	return nil
}

// sorted returns the orders of a query in MongoDB's form, with the _id last, so that an index
// of the orders and the _id serves all pages.
func (c *collection[T]) sorted(orders []condition.Order) bson.D {
	direction := map[bool]int{false: 1, true: -1}
	sort := make(bson.D, 0, len(orders)+1)
	last := false
	for _, o := range orders {
		last = o.Descending
		name := c.codec.name(o.Property)
		sort = append(sort, bson.E{Key: name, Value: direction[last]})
		if name == "_id" {
			return sort
		}
	}
	return append(sort, bson.E{Key: "_id", Value: direction[last]})
}

// All sends a find for each chunk of keys, and a getMore for each further batch. A find is
// repeated, and a getMore is not: its cursor may have advanced.
func (c *collection[T]) All(ctx context.Context, sel api.Selection) iter.Seq2[api.Stored[T], error] {
	return func(yield func(api.Stored[T], error) bool) {
		var none api.Stored[T]
		parts := chunks(sel)
		find := options.Find()
		if len(sel.Orders) > 0 {
			if err := together(parts, "an order"); err != nil {
				yield(none, err)
				return
			}
			find.SetSort(c.sorted(sel.Orders))
		}
		if c.pageSize > 0 {
			find.SetBatchSize(batch(c.pageSize))
		}
		if sel.Limit > 0 {
			find.SetLimit(int64(sel.Limit))
		}
		for _, keys := range parts {
			filter, err := c.selection(sel, keys)
			if err != nil {
				yield(none, err)
				return
			}
			if !c.each(ctx, filter, find, yield) {
				return
			}
		}
	}
}

// batch returns n in the driver's type.
func batch(n int) int32 { return int32(min(n, 1<<20)) }

// each yields the documents of a find, and reports whether to continue.
func (c *collection[T]) each(ctx context.Context, filter bson.D, find *options.FindOptionsBuilder, yield func(api.Stored[T], error) bool) bool {
	var none api.Stored[T]
	cursor, err := api.Attempt(ctx, func(ctx context.Context) (found *driver.Cursor, err error) {
		err = c.sends.one(ctx, func(ctx context.Context) error {
			found, err = c.docs.Find(ctx, filter, find)
			return err
		})
		return found, err
	})
	if err != nil {
		yield(none, err)
		return false
	}
	defer closed(ctx, cursor)
	for {
		var more bool
		var err error
		if cursor.RemainingBatchLength() > 0 { // nothing is sent
			if more, err = cursor.Next(ctx), cursor.Err(); err != nil {
				err = c.sends.answer(err, &probe{})
			}
		} else {
			err = c.sends.one(ctx, func(ctx context.Context) error {
				more = cursor.Next(ctx)
				return cursor.Err()
			})
		}
		if err != nil {
			yield(none, err)
			return false
		}
		if !more {
			return true
		}
		s, err := c.codec.decode(cursor.Current)
		if err != nil {
			yield(none, err)
			return false
		}
		if !yield(s, nil) {
			return false
		}
	}
}

// closed ends a cursor on the server, even if the context has ended. It ignores errors: the
// server ends unused cursors.
func closed(ctx context.Context, cursor *driver.Cursor) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = cursor.Close(ctx)
}

// Count counts on the server: an aggregation for each chunk of keys.
func (c *collection[T]) Count(ctx context.Context, sel api.Selection) (int, error) {
	total := 0
	for _, keys := range chunks(sel) {
		filter, err := c.selection(sel, keys)
		if err != nil {
			return 0, err
		}
		n, err := api.Attempt(ctx, func(ctx context.Context) (n int64, err error) {
			err = c.sends.one(ctx, func(ctx context.Context) error {
				n, err = c.docs.CountDocuments(ctx, filter)
				return err
			})
			return n, err
		})
		if err != nil {
			return 0, err
		}
		total += int(n)
	}
	return total, nil
}
