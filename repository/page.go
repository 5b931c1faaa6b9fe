package repository

import "context"

// Page is some of the documents of a query, and the cursor of the next page.
type Page[T any] struct {
	// Items are the documents, in the order of the query.
	Items []*T

	// Cursor is what [Query.Page] takes for the next page. It is empty on the
	// last page.
	Cursor string
}

// Page returns the next size documents of q, in its order, or in the order of
// their ids if q has no order. The cursor is empty for the first page, and for
// each other page it is [Page.Cursor] of the page before. A limit of q is that of
// all pages together.
//
// A cursor is text that needs no escaping in a URL. Another process can go on
// with it at any time, also after physical partitions were split. It has 2 KB at
// most, however many documents sort alike and however many physical partitions
// there are; only long sort values make it longer. Anybody can read the sort
// values in it, and change its position, unless [WithCursorKey] closes cursors;
// docs/cursors.md says what that means.
//
// The pages of one walk have every document once, unless it changes meanwhile. A
// document that is stored meanwhile comes if it sorts after the cursor. A
// document whose sort values move it across the cursor comes twice or not at all.
// Documents that sort alike come in the order of their physical partitions, and
// within one in the order of the service.
//
// A walk ends with an empty cursor. Its last page may be empty, and any page may
// be short if documents are deleted meanwhile.
//
// The error is ErrCursor if the cursor is damaged, or belongs to another query,
// to another container, even of the same name, or to another version of the
// format.
//
// A page costs one query for each physical partition that holds some of the
// documents, and each query returns size documents at most. Where documents on
// both sides of the cursor sort alike, the cursor's physical partition returns up
// to size documents more, or a second response. While documents that sort alike
// fill whole pages, a page is one query of that physical partition. The
// thousandth page costs as much as the tenth.
//
// After physical partitions were merged, the service may refuse its own
// continuation token. Page then reads the documents that sort alike again: up to
// 1,000 for a page, which may be short, and all of them at once if a key closes
// cursors.
//
// If the documents are in several containers, a walk goes through them one after the
// other where the order allows it, and a page asks the containers that it needs. In other
// orders a page asks all of them.
//
// An order needs the same index and client as [Query.OrderBy] says.
func (q Query[T]) Page(ctx context.Context, cursor string, size int) (Page[T], error) {
	docs, next, err := q.selection.Page(ctx, cursor, size)
	page := Page[T]{Cursor: next}
	for _, doc := range docs {
		page.Items = append(page.Items, doc.(*T))
	}
	return page, exported(err)
}
