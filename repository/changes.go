package repository

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
)

// Change is a document that was created or changed, in its latest version, and
// its place in the change feed.
type Change[T any] struct {
	// Doc is the document.
	Doc *T

	// Time is when the document was last written, in whole seconds: its _ts.
	Time time.Time

	// Deleted says that the document was deleted, in a type with a field tagged deleted:
	// Doc is as it was then, with the time of the deletion. It may come again, since the
	// feed has latest versions; when it is purged, nothing comes.
	Deleted bool

	page   *feed.Mark
	passed int // changes of the page up to and with this one
}

// Cursor returns the position after this change, for [FromCursor]. It costs no
// request. Another process may go on there at any time: the service keeps the
// position as long as the container lives.
//
// A cursor is text that needs no escaping in a URL. It has about a hundred bytes
// for each physical partition. A cursor within a page has 15 bytes more for each
// document of that page: 1.5 KB for the service's own page of 100. It holds the
// name of the type, the RID of the container, and no property of a document. In a
// type whose documents are in several containers, it has the name and the RID of each,
// and a name is made of fields: such as the id of a tenant, where each has a container.
// Anybody can read it, and change its position, unless [WithCursorKey] closes
// cursors.
func (c Change[T]) Cursor() string {
	if c.page == nil {
		return ""
	}
	return c.page.Cursor(c.passed)
}

// From says where in the change feed to begin. The zero value is the beginning.
type From struct{ from feed.From }

// FromBeginning begins with the oldest change: every document of the type comes
// once, and then again whenever it changes.
func FromBeginning() From { return From{} }

// FromTime begins with the documents that were written in the second of t or
// later. A t in the future leaves out all that is written until then.
//
// An account that writes in several regions may refuse it
// (azure-cosmos-dotnet-v3, pull request 954).
func FromTime(t time.Time) From { return From{feed.From{Since: max(t.Unix(), 0)}} }

// FromCursor goes on after the change that returned this [Change.Cursor]. The
// empty cursor is the beginning.
func FromCursor(cursor string) From { return From{feed.From{Cursor: cursor}} }

// ChangesOption changes how [Documents.Changes] reads.
type ChangesOption func(*changesSettings)

type changesSettings struct {
	feed.Settings
	wrong error // of the options
}

// DefaultPollEvery is the longest pause between two polls of a physical partition
// in which nothing changes. The change feed processor of the other SDKs has the
// same.
const DefaultPollEvery = 5 * time.Second

// UntilCaughtUp ends the iteration, without an error, after every physical
// partition has said once that it has nothing new. Changes made meanwhile may
// come in this iteration; otherwise they come in the next, from the last cursor.
func UntilCaughtUp() ChangesOption {
	return func(s *changesSettings) { s.Once = true }
}

// PollEvery sets the longest pause between two polls of a physical partition in
// which nothing changes. The default is [DefaultPollEvery]; a d below a
// millisecond counts as a millisecond.
func PollEvery(d time.Duration) ChangesOption {
	return func(s *changesSettings) { s.MaxPause = max(d, time.Millisecond) }
}

// ChangesPageSize asks for at most n documents in one response. The default is
// the size of [WithPageSize], or else the service's own, 100. A page may be
// longer, because the service does not divide a transaction.
func ChangesPageSize(n int32) ChangesOption {
	return func(s *changesSettings) { s.PageSize = max(n, 0) }
}

// OnCaughtUp calls f when every physical partition has come to its end: the first
// time, and then whenever something has changed and all have come to their ends
// again. The iteration calls f itself, and waits for it. The cursor is the
// position there. It is later than the cursor of the last change if documents of
// other types have changed since, and exists even if nothing has changed at all.
// An iteration with [UntilCaughtUp] that ends without an error calls f last.
func OnCaughtUp(f func(cursor string)) ChangesOption {
	return func(s *changesSettings) {
		if f == nil {
			s.wrong = errors.New("the function of OnCaughtUp is nil")
		}
		s.CaughtUp = f
	}
}

// CloseWindows has Changes close a window whose period has ended and in which nothing has
// changed for as long as quiet, in a type with a container for each period of time. A closed
// window costs no polls. Changes looks at it again after as long, once, and in each new
// iteration, so that a change in it comes up to quiet late, and none is lost. The default is
// [DefaultCloseWindows]; zero or less closes no window.
func CloseWindows(quiet time.Duration) ChangesOption {
	return func(s *changesSettings) { s.Quiet = max(quiet, 0) }
}

// DefaultCloseWindows is how long a window whose period has ended has to be quiet before
// [Documents.Changes] closes it.
const DefaultCloseWindows = time.Hour

// SkipDroppedWindows has Changes go on without the changes of containers that were dropped,
// in a type whose documents are in several. A container that was deleted and made again is
// read from its beginning. Without it, Changes does so only where the period of a window has
// ended, and each of its physical partitions had said, at the last poll, that there was
// nothing new. Any other container that is no more ends the iteration with an error.
func SkipDroppedWindows() ChangesOption {
	return func(s *changesSettings) { s.SkipDropped = true }
}

// Changes yields the documents that were created or changed. Within a logical
// partition they come in the order of their last writes; between logical
// partitions there is no order. It then waits for more, until ctx ends or the
// consumer stops, unless [UntilCaughtUp] is given. Each iteration begins where
// from says, and sends its own requests.
//
// The feed has latest versions ("Change feed modes in Azure Cosmos DB"). If a
// document changes twice before it is read, only the second version comes. A
// document that was deleted or has expired does not come, unless the type has a field
// tagged deleted: then [Change.Deleted] says so. Changes leaves out
// documents of other types; reading them costs the same.
//
// Every version that the service sends comes once, also while physical partitions
// are split. After a restart, the documents after the last [Change.Cursor] that
// the program has kept come again, so a program must be able to process a
// document twice. After a merge of physical partitions, Changes still reads the
// feed of each earlier one, and tells documents apart by their effective
// partition keys. In a container whose partition key is of version 1, these are
// not known, and a document comes once for each of the earlier partitions.
//
// Changes reads as many physical partitions at once as [WithConcurrency] allows,
// and decodes in parallel. It holds at most one page of each, and the page that
// the consumer is reading. A page costs what its documents cost to read. While
// nothing changes, Changes polls each physical partition, first after 100 ms,
// then after twice as long, and so on up to [PollEvery]. At 5 seconds these are
// some 800 polls an hour, each of a request unit or two. To begin costs a request
// for metadata, or four if the SDK does not know the container yet.
//
// If a request fails for a reason that may pass, Changes sends it again, twice at
// most, after the client's own retries. Any error ends the iteration; the cursor
// of the last change stays good. The error is ErrCursor if the cursor is damaged,
// or belongs to another type, to another container, even of the same name, or to
// another version of the format. It is ErrCursor, too, if a cursor without a key
// ([WithCursorKey]) has more than four parts for each physical partition. A
// document that does not decode is an [Error] with its id and partition key, and
// comes again until it decodes: store it anew, or decode it by [WithUnmarshal].
// If the container is deleted and made again meanwhile, the iteration ends with
// an error: at once if the client was made with [Configure], otherwise when the
// new container has its first change.
//
// In a type whose documents are in several containers, Changes reads all of them as one
// feed, and opens a container as it appears, up to [PollEvery] after that and a second at
// least. It lists the containers of the database so often, each time for one request that
// uses no request units of a container. A cursor names each container, also those that are
// closed: see [CloseWindows]. There is no order between containers. For containers that are
// dropped or made again, see [SkipDroppedWindows]; the error is ErrCursor if that was
// before the iteration began.
func (d *Documents[T, K]) Changes(ctx context.Context, from From, opts ...ChangesOption) iter.Seq2[Change[T], error] {
	s := changesSettings{Settings: feed.Settings{MaxPause: DefaultPollEvery, PageSize: d.untyped.Store.Settings.PageSize, Quiet: DefaultCloseWindows}}
	for _, o := range opts {
		if o == nil {
			s.wrong = errors.New("a ChangesOption is nil")
			continue
		}
		o(&s)
	}
	return func(yield func(Change[T], error) bool) {
		if s.wrong != nil {
			yield(Change[T]{}, &Error{Op: feed.Op, Type: d.untyped.Store.Type, Err: s.wrong})
			return
		}
		each := func(mark *feed.Mark, item feed.Item, err error) bool {
			doc, _ := item.Doc.(*T) // nil with an error
			return yield(Change[T]{doc, item.Time, item.Deleted, mark, item.Passed}, err)
		}
		feed.Read(ctx, d.untyped.Feeds(), from.from, s.Settings, each)
	}
}
