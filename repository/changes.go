package repository

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
)

// Change is a document that was created or changed, as it is now, and its place in
// the change feed.
type Change[T any] struct {
	// Doc is the document.
	Doc *T

	// Time is when the document was last written, to the second: its _ts.
	Time time.Time

	page   *feed.Mark
	passed int // how much of the page this change and those before it make up
}

// Cursor returns where to go on after this change, for [FromCursor]. It costs no
// request. Another process may go on with it, at any time: the service keeps the
// place for as long as the container lives.
//
// A cursor is text of the characters that may stand in a URL: about a hundred
// bytes for each physical partition, and 15 more for each document of the page in
// whose middle it is taken, 1.5 KB for the service's own page of 100. After the
// last change of a page there are none of these. It holds the name of the type, the
// RID of the container, and no property of a document. Anybody can read it, and
// change where it points to, unless [WithCursorKey] closes cursors.
func (c Change[T]) Cursor() string {
	if c.page == nil {
		return ""
	}
	return c.page.Cursor(c.passed)
}

// From says where in the change feed to begin. The zero value is the beginning.
type From struct{ from feed.From }

// FromBeginning begins with the oldest change: every document of the container
// comes once, and then again whenever it changes.
func FromBeginning() From { return From{} }

// FromTime begins with what was written at t or later, whose second counts whole.
// A time to come leaves out what is written until then.
//
// Accounts that write in several regions may refuse it (azure-cosmos-dotnet-v3,
// pull request 954).
func FromTime(t time.Time) From { return From{feed.From{Since: max(t.Unix(), 0)}} }

// FromCursor goes on after a change, whose [Change.Cursor] this is. The empty
// cursor is the beginning, as before the first change.
func FromCursor(cursor string) From { return From{feed.From{Cursor: cursor}} }

// ChangesOption changes how [Documents.Changes] reads.
type ChangesOption func(*changesSettings)

type changesSettings struct {
	feed.Settings
	wrong error // of the options
}

// DefaultPollEvery is the longest pause between two polls of a physical partition
// in which nothing changes: that of the change feed processor of the other SDKs.
const DefaultPollEvery = 5 * time.Second

// UntilCaughtUp ends the iteration, without an error, when every physical
// partition has said once that there is nothing new. What changes meanwhile comes
// or does not; the next iteration, from the last cursor, has it.
func UntilCaughtUp() ChangesOption {
	return func(s *changesSettings) { s.Once = true }
}

// PollEvery sets the longest pause between two polls of a physical partition in
// which nothing changes. The default is [DefaultPollEvery]; d below a millisecond
// is taken as one.
func PollEvery(d time.Duration) ChangesOption {
	return func(s *changesSettings) { s.Longest = max(d, time.Millisecond) }
}

// ChangesPageSize asks for at most n documents in one response. The default is
// that of [WithPageSize], and without that the service's, 100. The service does
// not divide a transaction, so that a page may be longer.
func ChangesPageSize(n int32) ChangesOption {
	return func(s *changesSettings) { s.PageSize = max(n, 0) }
}

// OnCaughtUp calls f, from the iteration itself, when every physical partition
// has come to its end: the first time, and then whenever something has changed
// and all have come to their ends again. The cursor goes on from there. It is
// further than that of the last change where documents of other types have
// changed since, and there is one even if nothing has changed at all: an iteration
// with [UntilCaughtUp] that ends without an error calls f last.
func OnCaughtUp(f func(cursor string)) ChangesOption {
	return func(s *changesSettings) {
		if f == nil {
			s.wrong = errors.New("the function of OnCaughtUp is nil")
		}
		s.CaughtUp = f
	}
}

// Changes yields the documents that were created or changed, in the order in
// which that happened within each logical partition, and in no order between
// them. It then waits for more, until ctx ends or the consumer stops, unless
// [UntilCaughtUp] is given. Each iteration begins where from says and sends
// requests of its own.
//
// The feed is that of latest versions: of a document that changes twice before it
// is read, the second version comes, and a document that was deleted or has
// expired comes no more ("Change feed modes in Azure Cosmos DB"). Documents of
// other types in the container are left out; reading them costs the same.
//
// Every version that the service hands out comes once, also where physical
// partitions are split meanwhile. A document behind the last [Change.Cursor] that
// the program has kept comes again after a restart, so what is done with one is to
// be safe to do twice. Behind a merge of physical partitions, each of those before
// is read on its own, and documents are told apart by their effective partition
// keys; in a container whose partition key is of version 1, where these are not
// known, they come once for each.
//
// Changes reads all physical partitions at once, as many as [WithConcurrency]
// allows, and decodes in parallel: one page of each is in memory at most, and the
// one that the consumer is at. A page costs what its documents cost to read. While
// nothing changes, each physical partition is polled, at first after 100 ms, then
// after twice as long and so on up to [PollEvery]: at 5 seconds some 800 polls an
// hour, each of a request unit or two. Beginning costs a request for metadata, or
// four where the SDK does not know the container yet.
//
// If a request fails for a reason that may pass, it is sent again, twice at most,
// after the client's own retries. Any error ends the iteration; the cursor of the
// last change is good after it. The error is ErrCursor if the cursor does not fit:
// it is damaged, or is of another type, another container, even of the same name,
// or another version of the format, or has more than four parts for each physical
// partition and is not closed by a key ([WithCursorKey]). A document that does not decode is an
// [Error] with its id and partition key, and comes again until it decodes: store
// it anew, or decode it by [WithUnmarshal]. A container that is deleted and made
// again while it is read is an error as well: at once where the client was made
// with [Configure], else when the service hands out a change in the new one.
func (d *Documents[T, K]) Changes(ctx context.Context, from From, opts ...ChangesOption) iter.Seq2[Change[T], error] {
	s := changesSettings{Settings: feed.Settings{Longest: DefaultPollEvery, PageSize: d.store.Settings.PageSize}}
	for _, o := range opts {
		if o == nil {
			s.wrong = errors.New("a ChangesOption is nil")
			continue
		}
		o(&s)
	}
	return func(yield func(Change[T], error) bool) {
		if s.wrong != nil {
			yield(Change[T]{}, &Error{Op: feed.Op, Type: d.store.Type, Err: s.wrong})
			return
		}
		feed.Changes(ctx, d.store, from.from, s.Settings, func(mark *feed.Mark, item feed.Item, err error) bool {
			doc, _ := item.Doc.(*T) // nil beside an error
			return yield(Change[T]{doc, item.Time, mark, item.Passed}, exported(err))
		})
	}
}
