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

// Reader reads the changes of parts of the key space, one page at a time. The caller keeps
// the positions. It is safe for concurrent use.
type Reader struct {
	feed      *feed
	single    *feed  // reads pages of one document
	container string // its RID
}

// Part is a part of the key space, and the service's ETag after which its changes resume;
// empty at the beginning.
type Part struct {
	Min, Max string
	Tag      string
}

// ReaderSettings configure a Reader.
type ReaderSettings struct {
	Since    int64 // in seconds; 0 means the beginning
	PageSize int32 // 0 means the service's choice

	// Types are the stores of the types to read, all of one container. Nil means only the
	// type of the store. A document of another type is an error, unless Others skips it.
	Types  []*store.Store
	Others bool

	// Versions reads all versions and deletions, from now on.
	Versions bool

	// LeaveOut is called for a document that does not decode, and returns true to skip it.
	// Nil skips nothing.
	LeaveOut func(ctx context.Context, document []byte, err error) bool
}

// NewReader returns a reader of changes. It costs a request for metadata. With Versions it
// also reads a page, to check the account.
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
		_, err := r.Next(ctx, Part{Min: all[0].Min, Max: all[0].Max}) // checks that the account keeps versions
		return r, err
	}
	return r, nil
}

// RID returns the RID of the container.
func (r *Reader) RID() string { return r.container }

// pinned returns the context for requests of the reader.
func (r *Reader) pinned(ctx context.Context) context.Context {
	if r.feed.versions {
		return route.VersionsInContainer(ctx, r.container)
	}
	return route.InContainer(ctx, r.container)
}

// Page has the changes after a part's tag, and the parts that follow: several if its
// physical partition was split.
type Page struct {
	Items []Item
	After []Part
	Idle  bool  // there are no changes
	Lag   int64 // an estimate of the changes after the page, as in Lag; -1 if unknown
}

// Next reads the page after a part's tag. It costs one request, which is repeated after
// temporary failures. A document that does not decode is an error of the whole page, unless
// LeaveOut skips it. If the container was deleted and created again, the error matches
// ErrCreatedAgain.
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

// Lag is the distance of a part's tag from the end of its changes.
type Lag struct {
	Changes int64 // an estimate of the changes after the tag

	// Next and Last are the log sequence numbers of the first change and of the service's
	// last one. Both are 0 without changes, or if the part is in several physical
	// partitions, whose numbers cannot be compared.
	Next, Last int64
}

// Lag estimates the changes after a part's tag, as the estimators of other SDKs do: by the
// log sequence numbers of the first change and of the service's last one. It counts
// documents of other types, and a transaction as one change. Both halves of a split count
// writes from before the split, and after a merge all writes count, because answers do not
// tell them apart. It costs a page of one document for each physical partition of the part.
func (r *Reader) Lag(ctx context.Context, p Part) (Lag, error) {
	ctx = r.pinned(ctx)
	parts := []lane{{Min: p.Min, Max: p.Max, Tag: p.Tag}}
	var lag Lag
	for whole, attempt := true, 1; len(parts) > 0; {
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
			failure := r.single.failure(err)
			if failure.Status == http.StatusGone && again(ctx, failure, attempt) {
				attempt++
				continue
			}
			return Lag{}, r.single.refused(ctx, failure, parts[0])
		}
		attempt = 1
		if len(after) == 1 {
			if lag.Changes += n.Changes; whole {
				lag = n
			}
			parts = parts[1:]
			continue
		}
		whole = false
		for i := range after { // the SDK has met a split, and has read one half
			after[i].Tag = parts[0].Tag
		}
		parts = append(after, parts[1:]...)
	}
	return lag, nil
}

// lagOf returns the lag of a lane by one request, and the lanes that remain of it: several
// if its physical partition was split.
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

// lagAfter returns the lag after a document of a response. Next is the number of the
// document.
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

// lastNumber returns the log sequence number of a session token such as "0:-1#12#4=3" or
// "0:12".
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
