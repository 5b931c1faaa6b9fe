package repository

import "context"

// Page is some of the documents of a query, and what leads to the next ones.
type Page[T any] struct {
	// Items are the documents, in the order of the query.
	Items []*T

	// Cursor is what [Query.Page] takes for the next page. It is empty after the
	// last.
	Cursor string
}

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
	docs, next, err := q.selection.Page(ctx, cursor, size)
	page := Page[T]{Cursor: next}
	for _, doc := range docs {
		page.Items = append(page.Items, doc.(*T))
	}
	return page, exported(err)
}
