package documents

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// position is the content of a cursor of a page.
type position struct {
	Query []byte `json:"q"` // a hash of the query
	After string `json:"a"`
	Left  int    `json:"n,omitempty"` // of a limit
}

// Page has some documents of a query, and the cursor of the next page.
type Page[T any] struct {
	// Items are the documents, in the order of the query.
	Items []*T

	// Cursor is the argument of Page for the next page. It is empty on the last page.
	Cursor string
}

// Page returns up to size documents after a cursor; the cursor of the first page is "". A page
// may have fewer documents although there is a next page. If the next cursor would be too long
// to be read, Page returns an error, and no documents. The error matches ErrCursor if the
// cursor does not belong to this query.
//
// Pages have every document once, unless the values by which they are ordered change meanwhile.
func (q Query[T]) Page(ctx context.Context, cursor string, size int) (Page[T], error) {
	docs, next, err := q.next(ctx, cursor, size)
	return Page[T]{docs, next}, err
}

func (q Query[T]) next(ctx context.Context, text string, size int) (docs []*T, next string, err error) {
	if err := q.ready(ctx); err != nil {
		return nil, "", err
	}
	if size < 1 {
		return nil, "", fmt.Errorf("query %s: a page of %d documents: it must have at least 1", q.source.typ, size)
	}
	at := position{Query: q.hash(), Left: q.limit}
	if text != "" {
		if at, err = q.open(text); err != nil {
			return nil, "", err
		}
	}
	if q.limit > 0 {
		size = min(size, at.Left)
	}
	stored, after, err := q.page(ctx, at.After, size)
	if err != nil {
		return nil, "", q.fail(opPage, err)
	}
	for _, s := range stored {
		docs = append(docs, q.source.taken(s))
	}
	at.After, at.Left = after, max(at.Left-len(docs), 0)
	if after == "" || q.limit > 0 && at.Left == 0 {
		return docs, "", nil
	}
	body, err := json.Marshal(at)
	if err != nil {
		return nil, "", q.fail(opPage, err)
	}
	if next = q.source.cursors.Encode(cursor.ForPage, body); len(next) > cursor.MaxPage {
		return nil, "", q.fail(opPage, failure.Says(fmt.Sprintf("the sort values of the last document, and the keys of the documents equal to it, "+
			"make a cursor of %d bytes, and the limit is %d: order by short values that differ, page one partition key, or read without pages", len(next), cursor.MaxPage)))
	}
	return docs, next, nil
}

// page calls the driver until there is a document or the end.
func (q Query[T]) page(ctx context.Context, after string, size int) ([]api.Stored[T], string, error) {
	for {
		stored, next, err := q.source.driver.Page(ctx, q.sel, after, size)
		switch {
		case err != nil:
			return nil, "", err
		case len(stored) > size:
			return nil, "", failure.Says("the driver returned more documents than a page may have")
		case len(stored) > 0 || next == "":
			return stored, next, nil
		case next == after:
			return nil, "", failure.Says("the driver returned an empty page, and its own position as the next")
		case ctx.Err() != nil:
			return nil, "", ctx.Err()
		}
		after = next
	}
}

var errOtherQuery = errors.New("it belongs to another query: begin again without a cursor")

// open reads a cursor of q.
func (q Query[T]) open(text string) (position, error) {
	var at position
	body, err := q.source.cursors.Decode(cursor.ForPage, text, cursor.MaxPage)
	if err == nil {
		if json.Unmarshal(body, &at) != nil {
			err = cursor.ErrDamaged
		} else if string(at.Query) != string(q.hash()) || at.After == "" || at.Left < 0 || at.Left > q.limit || (at.Left > 0) != (q.limit > 0) {
			err = errOtherQuery
		}
	}
	if err != nil {
		return position{}, &Error{Op: opPage, Type: q.source.typ, Kind: failure.ErrCursor, Err: err, Note: err.Error()}
	}
	return at, nil
}

// hash distinguishes queries by type, container, keys, conditions, orders and limit.
func (q Query[T]) hash() []byte {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%q %q %t %q %d", q.source.typ, q.source.name, q.sel.All, q.sel.Keys, q.limit)
	writeAll(h, "all", q.sel.Where)
	for _, o := range q.sel.Orders {
		_, _ = fmt.Fprintf(h, "(%q %t %t)", o.Property, o.Omitted, o.Descending)
	}
	return h.Sum(nil)[:12]
}
