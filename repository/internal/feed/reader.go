package feed

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Reader reads the changes of parts of the key space, a page at a time, for callers
// that keep the positions. It is safe for concurrent use.
type Reader struct {
	feed      *feed
	single    *feed  // reads pages of one document
	container string // its RID
}

// Part is a part of the key space, and the service's ETag after which its changes go
// on; empty at the beginning.
type Part struct {
	Min, Max string
	Tag      string
}

// ReaderSettings say what a Reader reads.
type ReaderSettings struct {
	Since    int64 // in seconds, 0 is the beginning
	PageSize int32 // 0 leaves it to the service

	// Types are the stores of the document types that are read, all of one container.
	// Nil is that of the store alone. A document of none of them is an error, as one
	// that does not decode, unless Others says that it is left out.
	Types  []*store.Store
	Others bool

	// Versions has all versions and deletions read, from now on.
	Versions bool

	// LeaveOut is told of a document that does not decode, and reports whether the
	// page comes without it. Nil leaves nothing out.
	LeaveOut func(ctx context.Context, document []byte, err error) bool
}

// NewReader returns a reader of changes. It costs a request for metadata.
func NewReader(ctx context.Context, s *store.Store, settings ReaderSettings) (*Reader, error) {
	listed, err := One(s).List(ctx)
	if err != nil {
		return nil, err
	}
	all, err := wholeSpace(ctx, s)
	if err != nil {
		return nil, wire.NewContainerError(Op, s.Type, "", err)
	}
	position, keyVersion := Position{Container: listed[0].RID, Since: settings.Since}, listed[0].KeyVersion
	r := &Reader{
		feed:      newFeed(s, Settings{PageSize: settings.PageSize}, &position, keyVersion),
		single:    newFeed(s, Settings{PageSize: 1}, &position, keyVersion),
		container: position.Container,
	}
	r.feed.leased, r.single.leased = true, true
	r.feed.leaveOut = settings.LeaveOut
	r.feed.types, r.feed.others = settings.Types, settings.Others
	r.feed.versions, r.single.versions = settings.Versions, settings.Versions
	if settings.Versions {
		_, err := r.Next(ctx, Part{Min: all[0].Min, Max: all[0].Max}) // whether the account can
		return r, err
	}
	return r, nil
}

// RID is that of the container.
func (r *Reader) RID() string { return r.container }

// pinned returns the context of requests of the reader.
func (r *Reader) pinned(ctx context.Context) context.Context {
	if r.feed.versions {
		return route.VersionsInContainer(ctx, r.container)
	}
	return route.InContainer(ctx, r.container)
}

// Page holds the documents after a part's tag, and the parts that follow it: several if its
// physical partition was split.
type Page struct {
	Items []Item
	After []Part
	Idle  bool  // there is nothing new
	Lag   int64 // an estimate of the changes after the page, as of Lag; -1 if it is not known
}

// Next reads the page after a part's tag: one request, which is sent again if it
// fails for a reason that may pass. A document that does not decode is an error of
// the whole page, unless it is left out. The error matches ErrMadeAgain if the
// container was deleted and made again.
func (r *Reader) Next(ctx context.Context, p Part) (Page, error) {
	ctx, l := r.pinned(ctx), lane{Min: p.Min, Max: p.Max, Tag: p.Tag}
	got := r.feed.next(ctx, l)
	if got.err != nil {
		var failure *documents.Error
		if errors.As(got.err, &failure) {
			return Page{}, r.feed.refused(ctx, failure, l)
		}
		return Page{}, got.err
	}
	page := Page{Items: got.items, Idle: got.idle, Lag: got.lag}
	for _, l := range got.after {
		page.After = append(page.After, Part{l.Min, l.Max, l.Tag})
	}
	return page, nil
}

// Lag is how far a part's tag is from the end of its changes.
type Lag struct {
	Changes int64 // after the tag, an estimate

	// Next and Last are the log sequence numbers of the first of the changes and of the
	// service's last one; both are 0 without changes, or if the part is in several physical
	// partitions, whose numbers do not compare.
	Next, Last int64
}

// Lag estimates how many changes come after a part's tag, as the estimators of other
// SDKs do: from the first of them to the service's last one, by their log sequence
// numbers. Documents of other types count, and a transaction counts as one. So do
// writes from before a split of the physical partition, which both halves number alike,
// and after a merge those to all of it: nothing in the answers tells whose they are. It
// costs a page of one document for each physical partition that the part is in.
func (r *Reader) Lag(ctx context.Context, p Part) (Lag, error) {
	ctx = r.pinned(ctx)
	parts := []lane{{Min: p.Min, Max: p.Max, Tag: p.Tag}}
	var lag Lag
	for whole := true; len(parts) > 0; {
		within, err := r.single.divide(ctx, parts[0])
		if err != nil {
			return Lag{}, r.single.failure(err)
		}
		if len(within) > 1 {
			parts, whole = append(within, parts[1:]...), false
			continue
		}
		n, after, err := r.single.lagOf(ctx, parts[0])
		if err != nil {
			return Lag{}, r.single.refused(ctx, r.single.failure(err), parts[0])
		}
		if len(after) == 1 {
			if lag.Changes += n.Changes; whole {
				lag = n
			}
			parts = parts[1:]
			continue
		}
		whole = false
		for i := range after { // the SDK has met a split, and has read one of the halves
			after[i].Tag = parts[0].Tag
		}
		parts = append(after, parts[1:]...)
	}
	return lag, nil
}

// lagOf returns how many changes come after the tag of a lane, as one request tells, and
// the lanes that are left of it: several if its physical partition was split.
func (f *feed) lagOf(ctx context.Context, l lane) (lag Lag, after []lane, err error) {
	var response wire.ChangePage
	err = wire.Reread(ctx, func() (err error) {
		response, err = f.request(ctx, l)
		return err
	})
	if err != nil {
		return lag, nil, err
	}
	if after, err = f.after(l, &response); err != nil {
		return lag, nil, err
	}
	if response.RawResponse.StatusCode == http.StatusNotModified || len(response.Items) == 0 {
		return lag, after, nil
	}
	lag, err = f.lagAfter(&response, response.Items[0])
	lag.Changes++ // the document itself
	return lag, after, err
}

// lagAfter returns how many changes come after a document of a response, by their log
// sequence numbers; Next is that of the document.
func (f *feed) lagAfter(response *wire.ChangePage, document []byte) (Lag, error) {
	last, err := lastNumber(response.RawResponse.Header.Get("x-ms-session-token"))
	if err != nil {
		return Lag{Changes: -1}, err
	}
	path := []string{"_lsn"}
	if f.versions {
		path = []string{metadata, "lsn"}
	}
	number, err := strconv.ParseInt(string(text.ValueAt(document, path)), 10, 64)
	if err != nil {
		return Lag{Changes: -1}, errors.New("a change has no _lsn")
	}
	return Lag{max(last-number, 0), number, last}, nil
}

// lastNumber returns the log sequence number of a session token such as
// "0:-1#12#4=3" or "0:12".
func lastNumber(token string) (int64, error) {
	_, token, _ = strings.Cut(token, ":")
	fields := strings.Split(token, "#")
	number := fields[0]
	if len(fields) > 1 {
		number = fields[1]
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0, wire.Broken("its session token has no log sequence number")
	}
	return n, nil
}
