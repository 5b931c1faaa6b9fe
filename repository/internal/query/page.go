package query

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxPageItems is how many documents a page may have. They are all in memory.
const maxPageItems = 1_000_000

// idOrder sorts the pages of a query that has no order of its own.
var idOrder = text.Order{Property: text.Property("/id"), Path: wire.IDPath}

// Page returns the documents of a page, and the cursor of the next one.
func (q Selection) Page(ctx context.Context, cursor string, size int) ([]any, string, error) {
	if err := q.Validate(); err != nil {
		return nil, "", err
	}
	if size < 1 || size > maxPageItems {
		return nil, "", fmt.Errorf("query %s: a page of %d documents: it must have from 1 to %d", q.TypeName(), size, maxPageItems)
	}
	if q.resident != nil {
		return q.pageThere(ctx, cursor, size)
	}
	if q.several != nil {
		return q.pageSeveral(ctx, cursor, size)
	}
	if len(q.Orders) == 0 {
		q.Orders = []text.Order{idOrder}
	}
	from, err := q.positionOf(cursor)
	if err != nil {
		return nil, "", err
	}
	if q, err = q.continued(ctx, &from); err != nil {
		return nil, "", err
	}
	return q.pageFrom(ctx, from, size)
}

// positionOf returns the position that a cursor says, for q with an order.
func (q Selection) positionOf(cursor string) (position, error) {
	query, err := q.fingerprint()
	if err != nil {
		return position{}, fmt.Errorf("query %s: %w", q.TypeName(), err)
	}
	from := position{Query: query}
	if cursor == "" {
		return from, nil
	}
	if from, err = parseCursor(q.Store.Settings.CursorKeys, cursor); err == nil {
		err = from.fits(query, len(q.Orders), q.Limit)
	}
	if err == nil && (q.Store.Moves != nil) != (from.Since > 0) {
		err = errors.New("it is of a release with other numbers of buckets: begin again without a cursor")
	}
	if err != nil {
		return from, q.cursorError(err)
	}
	return from, nil
}

// pageFrom returns size documents from a position on, and the cursor of the next
// page.
func (q Selection) pageFrom(ctx context.Context, from position, size int) (docs []any, next string, err error) {
	ctx, end := q.start(ctx)
	defer func() { end(err) }()
	last := false // whether the limit ends the pages
	if left := q.Limit - from.Delivered; q.Limit > 0 && left <= size {
		size, last = left, true
	}
	r := q.newPageRun(&from, size)
	if err := r.run(ctx); err != nil {
		return nil, "", err
	}
	if !r.found && from.Keys != nil {
		if err := q.stillThere(ctx, &from); err != nil {
			return nil, "", err
		}
	}
	if len(r.items) == size && last {
		return r.items, "", nil
	}
	more, err := r.more(ctx)
	if err != nil || !more {
		return r.items, "", err
	}
	if next, err = r.next(len(r.items) == size); err != nil {
		return nil, "", &wire.OperationError{Op: "page", Type: q.TypeName(), Err: err}
	}
	return r.items, next, nil
}

// newPageRun returns a run that reads size documents from a position on.
func (q Selection) newPageRun(from *position, size int) *pageRun {
	st := q.Statement()
	st.Top = 0
	r := &pageRun{execution: newExecution(q.Store, st, q.Store.Decode), q: q, size: size, pos: from.clone()}
	r.orders = q.Orders
	r.streams.orders = q.Orders
	return r
}

// stillThere returns an error if a position is not of the present container. It costs
// a request, which only a page without documents needs: a document has the RID of its
// container.
func (q Selection) stillThere(ctx context.Context, from *position) error {
	properties, err := q.Store.Properties(ctx)
	if q.Store.LacksItself(err) {
		return nil // its documents were deleted
	}
	if err != nil {
		return wire.NewContainerError("page", q.TypeName(), "", err)
	}
	if !from.within(properties.ResourceID) {
		return q.cursorError(cursor.ErrOtherContainer)
	}
	return nil
}
