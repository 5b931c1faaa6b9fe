package repository

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Page is some of the documents of a query, and what leads to the next ones.
type Page[T any] struct {
	// Items are the documents, in the order of the query.
	Items []*T

	// Cursor is what [Query.Page] takes for the next page. It is empty after the
	// last.
	Cursor string
}

// maxPageItems is how many documents a page may have. They are all in memory.
const maxPageItems = 1_000_000

// idOrder sorts the pages of a query that has no order of its own.
var idOrder = text.Order{Property: text.Property("/id"), Path: wire.IDPath}

// Page returns the next size documents of q, in its order, or in that of their
// ids if q has none. The cursor is empty for the first page, and [Page.Cursor] of
// the one before for the others; a limit of q is one of all pages together.
//
// A cursor is text of the characters that may stand in a URL, and needs nothing
// else: another process may go on with it, and later, after physical partitions
// were split. It has 2 KB at most, however many documents sort alike and however
// many physical partitions there are, and more only where the values are long by
// which the documents are sorted. Anybody can read these values in it, and change
// where it points to, unless [WithCursorKey] closes cursors; docs/cursors.md says
// what that means.
//
// Pages of one walk have every document once that is not changed meanwhile. One
// that is stored meanwhile comes if it sorts after the cursor, and one whose
// values are changed so that it moves across the cursor comes twice or not at all.
// Documents that sort alike come in the order of their physical partitions, and
// within one in the service's.
//
// The last page may be empty, and another one may be short where documents are
// deleted meanwhile: what ends a walk is the empty cursor.
//
// The error is ErrCursor if the cursor does not fit: it is damaged, or is of
// another query, another container, even of the same name, or another version of
// the format.
//
// A page costs one query for each physical partition that holds some of the
// documents, which returns size documents at most. The partition at which the
// cursor is returns as many again, or a second response, where documents sort
// alike across it. Once these fill whole pages, a page is one query of this
// partition alone. All of this is so at the tenth page as at the thousandth. Only
// where the service takes its own continuation back no more, as it may after physical
// partitions were merged, documents that sort alike are read again: up to 1,000 a
// page, which may then be short, and all at once if cursors are closed by a key.
//
// Its order needs what that of [Query.OrderBy] does.
func (q Query[T]) Page(ctx context.Context, cursor string, size int) (Page[T], error) {
	docs, next, err := q.selection.page(ctx, cursor, size)
	page := Page[T]{Cursor: next}
	for _, doc := range docs {
		page.Items = append(page.Items, doc.(*T))
	}
	return page, exported(err)
}

// page is Query.Page.
func (q selection) page(ctx context.Context, cursor string, size int) ([]any, string, error) {
	if err := q.ready(); err != nil {
		return nil, "", err
	}
	if size < 1 || size > maxPageItems {
		return nil, "", fmt.Errorf("query %s: a page of %d documents: it must have from 1 to %d", q.typ(), size, maxPageItems)
	}
	if len(q.orders) == 0 {
		q.orders = []text.Order{idOrder}
	}
	query, err := q.fingerprint()
	if err != nil {
		return nil, "", fmt.Errorf("query %s: %w", q.typ(), err)
	}
	from := position{Query: query}
	if cursor != "" {
		if from, err = parseCursor(q.source.settings.cursorKeys, cursor); err == nil {
			err = from.fits(query, len(q.orders), q.limit)
		}
		if err != nil {
			return nil, "", q.cursorError(err)
		}
	}
	return q.pageFrom(ctx, from, size)
}

// cursorError says why a cursor cannot be used.
func (q selection) cursorError(reason error) error {
	return &wire.OperationError{Op: "page", Type: q.typ(), Kind: ErrCursor, Err: reason}
}

// pageFrom returns size documents from a position on, and the cursor of the next
// page.
func (q selection) pageFrom(ctx context.Context, from position, size int) (docs []any, next string, err error) {
	ctx, end := q.source.span(ctx, "query")
	defer func() { end(err) }()
	last := false // whether the limit ends the pages
	if left := q.limit - from.Delivered; q.limit > 0 && left <= size {
		size, last = left, true
	}
	st := q.statement()
	st.top = 0
	r := &pageRun{execution: newExecution(q.source, st, q.source.decode), q: q, size: size, pos: from.clone()}
	r.orders = q.orders
	r.streams.orders = q.orders
	r.slots = make(chan struct{}, q.source.settings.concurrency)
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
	if next, err = r.next(); err != nil {
		return nil, "", &wire.OperationError{Op: "page", Type: q.typ(), Err: err}
	}
	return r.items, next, nil
}

// stillThere returns an error if a position is not of the container that there is
// now, of which no document says which it is: the last page alone costs this
// request.
func (q selection) stillThere(ctx context.Context, from *position) error {
	properties, err := q.source.Properties(ctx)
	if err != nil {
		return wire.NewOperationError("page", q.typ(), "", "", err)
	}
	if !from.within(properties.ResourceID) {
		return q.cursorError(errOtherContainer)
	}
	return nil
}

// errOtherContainer is why a cursor does not fit that has outlived its container.
var errOtherContainer = errors.New("it is of another container, which may have had the same name: begin again without a cursor")

// containerOf returns the RID of the container that a document is in, or nothing
// if the document's RID is none. Four bytes of it are the database's, and four the
// container's, in base64 with - for /, as the SDKs of other languages take it
// apart (ResourceId in azure-cosmos-dotnet-v3).
func containerOf(rid string) string {
	const length = 8
	bytes, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(rid, "-", "/"))
	if err != nil || len(bytes) < length {
		return ""
	}
	return strings.ReplaceAll(base64.StdEncoding.EncodeToString(bytes[:length]), "/", "-")
}
