package feed

import (
	"context"
	"iter"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	changefeed "github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// Change is the latest version of a created or changed document, and its place in the change
// feed.
type Change[T any] struct {
	// Doc is the document.
	Doc *T

	// Time is the time of the document's last write, in whole seconds: its _ts.
	Time time.Time

	// Deleted reports that the document was marked as deleted, in a type with a field tagged
	// deleted: Doc then has the time of the deletion. Since the feed has latest versions, the
	// document may come again; when it is purged, nothing comes.
	Deleted bool

	page   *changefeed.Mark
	passed int // changes of the page up to and including this one
}

// Cursor returns the position after this change, for [FromCursor]. It costs no request. Another
// process may resume there at any time: the service keeps the position as long as the container
// lives.
//
// A cursor is text that needs no escaping in a URL. It has about a hundred bytes for each
// physical partition. A cursor within a page has 15 bytes more for each document of that page:
// 1.5 KB for the service's own page of 100. It contains the name of the type and the RID of the
// container, but no property of a document. In a type with several containers, it contains the
// name and the RID of each, and a name contains values of fields, such as the id of a tenant.
// Its holder can read it, and change its position, unless [repository.WithCursorKey] closes
// cursors.
func (c Change[T]) Cursor() string {
	if c.page == nil {
		return ""
	}
	return c.page.Cursor(c.passed)
}

// From is a start position in the change feed. The zero value is the beginning.
type From struct{ from changefeed.From }

// FromBeginning starts with the oldest change: every document of the type comes once, and then
// again whenever it changes.
func FromBeginning() From { return From{} }

// FromTime starts with the documents that were written in the second of t or later. A t in the
// future skips all writes until then.
//
// An account with several write regions may refuse it (azure-cosmos-dotnet-v3, pull request
// 954).
func FromTime(t time.Time) From { return From{changefeed.From{Since: max(t.Unix(), 0)}} }

// FromCursor resumes after the change that returned this [Change.Cursor]. The empty cursor is
// the beginning.
func FromCursor(cursor string) From { return From{changefeed.From{Cursor: cursor}} }

// Changes yields the documents that were created or changed. Within a logical partition they
// come in the order of their last writes; between logical partitions there is no order. It then
// waits for more, until ctx ends or the consumer stops, unless [UntilCaughtUp] is given. Each
// iteration starts at from, and sends its own requests.
//
// The feed has latest versions ("Change feed modes in Azure Cosmos DB"). If a document changes
// twice before it is read, only the second version comes. A document that was deleted or has
// expired does not come, except in a type with a field tagged deleted, see [Change.Deleted].
// Changes leaves out documents of other types; reading them costs the same.
//
// Every version that the service sends comes once, even while physical partitions are split.
// After a restart, the documents after the last saved [Change.Cursor] come again, so a program
// must be able to process a document twice. After a merge of physical partitions, Changes still
// reads the feed of each earlier one, and assigns documents by their effective partition keys.
// In a container whose partition key is of version 1, these are unknown, and a document comes
// once for each of the earlier partitions.
//
// Changes reads as many physical partitions at once as [repository.WithConcurrency] allows, and
// decodes in parallel. It holds at most one page of each, and the page that the consumer is
// reading. A page costs as much as reading its documents. While nothing changes, Changes polls
// each physical partition, first after 100 ms, then with pauses that double up to [PollEvery].
// At 5 seconds that is some 800 polls an hour, each of one or two request units. The start
// costs one metadata request, or four if the SDK does not know the container yet.
//
// If a request fails for a temporary reason, Changes sends it again, at most twice, after the
// client's own retries. Any error ends the iteration; the cursor of the last change remains
// valid. The error is ErrCursor if the cursor is damaged, or belongs to another type, to
// another container, even of the same name, or to another version of the format. It is also
// ErrCursor if a cursor without a key ([repository.WithCursorKey]) has more than four parts for
// each physical partition. A document that does not decode is a [documents.Error] with its id
// and partition key, and comes again until it decodes: store it anew, or decode it with
// [repository.WithUnmarshal]. If the container is deleted and created again meanwhile, the
// iteration ends with an error: at once if the client was made with [repository.Configure],
// otherwise at the first change of the new container.
//
// In a type with several containers, Changes reads all of them as one feed, without an order
// between them. It opens a new container after at most [PollEvery], and at least a second: it
// lists the containers of the database that often, with one request that uses no request units
// of a container. A cursor names each container, including closed ones: see [CloseWindows]. For
// containers that are dropped or created again, see [SkipDroppedWindows]; if that happened
// before the iteration began, the error is ErrCursor.
func Changes[T any, K generated.Key](ctx context.Context, d *repository.Documents[T, K], from From, opts ...Option) iter.Seq2[Change[T], error] {
	inner := untyped.Of(d)
	s := processor.Apply(inner.Store.Settings.PageSize, opts)
	s.Refuse("Changes", s.OfProcessors)
	return func(yield func(Change[T], error) bool) {
		if s.Wrong != nil {
			yield(Change[T]{}, &documents.Error{Op: changefeed.Op, Type: inner.Store.Type, Err: s.Wrong})
			return
		}
		each := func(mark *changefeed.Mark, item changefeed.Item, err error) bool {
			doc, _ := item.Doc.(*T) // nil with an error
			return yield(Change[T]{doc, item.Time, item.Deleted, mark, item.Passed}, err)
		}
		changefeed.Read(ctx, inner.Feeds(), from.from, s.Changes(), each)
	}
}
