package write

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// sighting is what is stored at a site.
type sighting struct {
	site    Site
	raw     []byte // nil if nothing of the key is there
	doc     any
	tag     azcore.ETag
	written int64 // when, in seconds
	mark    marks.Mark
	missing error // ErrNotFound, if nothing of the key is there
	answer  azcosmos.ItemResponse
}

// live says that it is a document that has not moved.
func (s sighting) live() bool { return s.raw != nil && s.mark.State == marks.Unmarked }

// final says that it is the document, whatever is elsewhere.
func (s sighting) final() bool { return s.raw != nil && !s.mark.Hidden() }

func (s sighting) is(state string) bool { return s.raw != nil && s.mark.State == state }

// same reports whether two sightings of one site are of the same version.
func (s sighting) same(other sighting) bool { return s.tag == other.tag }

// counts reports whether s is the copy of the document that a mark says has moved. The
// mark was read after the copy.
func (s sighting) counts(mark sighting) bool {
	return s.is(marks.Copied) && mark.is(marks.Moved) && s.mark.Token == mark.mark.Token
}

// glance reads what is stored at a site. What is there of other keys is missing.
func (m Places) glance(ctx context.Context, op string, p Site) (sighting, error) {
	s := sighting{site: p}
	doc, response, err := p.Writer.Read(ctx, op, p.Place)
	if err == nil && !m.Means(doc) {
		err = p.Writer.ForeignError(op, p.Place, wire.ErrNotFound)
	}
	if errors.Is(err, wire.ErrNotFound) && !errors.Is(err, wire.ErrUnclear) {
		s.missing = err
		return s, nil
	}
	if err != nil {
		return s, err
	}
	return s, s.take(response, doc)
}

// take takes what an answer says of a stored document.
func (s *sighting) take(response azcosmos.ItemResponse, doc any) (err error) {
	s.raw, s.doc, s.tag, s.answer = response.Value, doc, response.ETag, response
	s.mark, err = store.MarkOf(s.raw)
	if err == nil && s.mark.Leaving() {
		err = errLeaves
	}
	if err == nil {
		s.written, err = strconv.ParseInt(string(text.ValueAt(s.raw, timePath)), 10, 64)
	}
	if err != nil {
		return s.site.Writer.Failure(wire.OpGet, s.site.Place, err)
	}
	return nil
}

// errLeaves is the error of an operation under several numbers of buckets on a document
// that moves to another container.
var errLeaves = errors.New("a migration moves the document to another container, and this program, which moves documents to more buckets, cannot follow: stop it, and finish the migration")

// timePath is where a document has the second of its last write.
var timePath = []string{"_ts"}

// withMark returns a document with a mark, or without one.
func withMark(body []byte, m marks.Mark) ([]byte, error) {
	if m.State == marks.Unmarked {
		return body, nil
	}
	value, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return text.SetProperty(body, []string{marks.Property}, value)
}

// grownOld returns nil for a mark that is as old as a write to a document that has moved
// must be. For a younger one it waits, and returns errAgain: so that nobody takes a copy
// for missing that the replica which he reads does not have yet.
func (s sighting) grownOld(ctx context.Context, op string) error {
	left := waitAfter(s.written, s.answer)
	if left <= 0 {
		return nil
	}
	if err := sleep(ctx, s.site, left); err != nil {
		return s.site.Writer.Failure(op, s.site.Place, err)
	}
	return errAgain
}

// waitAfter returns how long to wait after an answer, until a move in this second is
// seen by all.
func waitAfter(at int64, answer azcosmos.ItemResponse) time.Duration {
	now := at // if the service does not say
	if date, err := wire.DateOf(answer.RawResponse); err == nil {
		now = date.Unix()
	}
	return time.Duration(at-now)*time.Second + store.CommitWait
}

func sleep(ctx context.Context, p Site, d time.Duration) error {
	if p.Writer.Settings.Sleep != nil {
		return p.Writer.Settings.Sleep(ctx, d)
	}
	return backoff.Sleep(ctx, d)
}

// settleMove waits until a write may be acknowledged: after a document has moved,
// queries that begin at once still read it at its old place.
func settleMove(ctx context.Context, p Site, op string, at int64, answer azcosmos.ItemResponse) error {
	if at == 0 {
		return nil
	}
	left := waitAfter(at, answer)
	if left <= 0 {
		return nil
	}
	if err := sleep(ctx, p, left); err != nil {
		return &wire.OperationError{
			Op: op, Type: p.Writer.Type, ID: p.ID, PartitionKey: p.Name, Err: err, Unclear: true,
			Note: "after the write took effect, and before every query sees it: the document has just moved",
		}
	}
	return nil
}
