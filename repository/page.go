package repository

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Page is some of the documents of a query, and what leads to the next ones.
type Page[T any] struct {
	// Items are the documents, in the order of the query.
	Items []*T

	// Cursor is what [Query.Page] takes for the next page. It is empty if there is
	// none.
	Cursor string
}

// maxPageItems is how many documents a page may have. They are all in memory.
const maxPageItems = 1_000_000

// idOrder sorts the pages of a query that has no order of its own.
var idOrder = sortOrder{property: property("/id"), path: idPath}

// Page returns the next size documents of q, in its order, or in that of their
// ids if q has none. The cursor is empty for the first page, and [Page.Cursor] of
// the one before for the others; a limit of q is one of all pages together.
//
// A cursor is text of the characters that may stand in a URL, and needs nothing
// else: another process may go on with it, and later, after physical partitions
// were split. It holds the values by which its last document is sorted, where
// anybody can read them, and the _rid of documents; a thousand bytes for thirty of
// them that sort alike. More than 1,000 that sort alike across the end of a page
// are an error: add an order by something that tells them apart, such as the id.
//
// Pages of one walk have every document once that is not changed meanwhile. One
// that is stored meanwhile comes if it sorts behind the cursor, and one whose
// values are changed so that it moves across the cursor comes twice or not at all.
//
// The error is ErrCursor if the cursor does not fit: it is damaged, or is of
// another query, another container, even of the same name, or a later version of
// this package.
//
// A page costs one query for each physical partition that holds some of the
// documents, which returns size documents at most and one more; those that sort
// like the cursor are read again. Its order needs what that of [Query.OrderBy]
// does.
func (q Query[T]) Page(ctx context.Context, cursor string, size int) (Page[T], error) {
	docs, next, err := q.selection.page(ctx, cursor, size)
	page := Page[T]{Cursor: next}
	for _, doc := range docs {
		page.Items = append(page.Items, doc.(*T))
	}
	return page, err
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
		q.orders = []sortOrder{idOrder}
	}
	query, err := q.fingerprint()
	if err != nil {
		return nil, "", fmt.Errorf("query %s: %w", q.typ(), err)
	}
	from := position{Query: query}
	if cursor != "" {
		if from, err = parseCursor(cursor); err == nil {
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
	return &Error{Op: "page", Type: q.typ(), kind: ErrCursor, Err: reason}
}

// paged is a document and where it stands.
type paged struct {
	doc  any
	rid  string
	keys []sortValue
}

// pageFrom returns size documents from a position on.
func (q selection) pageFrom(ctx context.Context, from position, size int) ([]any, string, error) {
	s := q.statement()
	more := 1 // which says whether there is a next page
	if left := q.limit - from.Delivered; q.limit > 0 && left <= size {
		size, more = left, 0
	}
	s.top = size + len(from.Ties) + more
	if from.Keys != nil {
		behind, parameters := fromOn(q.orders, from.Keys)
		s.conditions = append(s.conditions[:len(s.conditions):len(s.conditions)], behind)
		s.parameters = append(s.parameters[:len(s.parameters):len(s.parameters)], parameters...)
	}
	var items []any
	to := from
	found := false
	for item, err := range run(ctx, q, s, q.paged, 0) {
		if err != nil {
			return nil, "", err
		}
		if found = true; !to.within(containerOf(item.rid)) {
			return nil, "", q.cursorError(errOtherContainer)
		}
		if from.passed(q.orders, item.keys, item.rid) {
			continue
		}
		if len(items) == size {
			next, err := to.cursor()
			return items, next, q.inPage(err)
		}
		items = append(items, item.doc)
		to.advance(q.orders, item.keys, item.rid)
		if len(items) == size && more == 0 {
			break
		}
	}
	if !found && from.Keys != nil {
		// Nothing says which container it was: the last page alone costs this request.
		properties, err := q.source.properties(ctx, "page")
		if err != nil {
			return nil, "", err
		}
		if !from.within(properties.ResourceID) {
			return nil, "", q.cursorError(errOtherContainer)
		}
	}
	return items, "", nil
}

// inPage gives an error of a page its place.
func (q selection) inPage(err error) error {
	if err == nil {
		return nil
	}
	return &Error{Op: "page", Type: q.typ(), Err: err}
}

func (q selection) paged(raw []byte) (item paged, err error) {
	if item.keys, err = sortKeys(nil, q.orders, raw); err != nil {
		return item, err
	}
	if item.rid, err = ridOf(raw); err != nil {
		return item, err
	}
	item.doc, err = q.source.decode(raw)
	return item, err
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
