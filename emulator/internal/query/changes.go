package query

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// changeFeed is what a request asks of the change feed.
type changeFeed struct {
	after int64 // the sequence number of the last change that the client knows
	since int64 // the second from which on changes count, 0 for all
	now   bool  // only changes from now on
	all   bool  // all versions and deletions
	apart bool  // metadata next to the document
}

// parseChangeFeed reads the headers of a change feed request. In the mode of latest
// versions each document appears once, in its present state, and deletions do not
// appear ("Change feed modes in Azure Cosmos DB").
func parseChangeFeed(c *store.Container, h http.Header) (changeFeed, error) {
	f := changeFeed{apart: h.Get(wireFormat) == metadataApart}
	switch mode := h.Get("A-IM"); {
	case strings.EqualFold(mode, latestVersions):
	case strings.EqualFold(mode, allVersions):
		f.all = true
		if err := checkAllVersions(c, h); err != nil {
			return f, err
		}
	default:
		return f, status.Unsupported("the change feed mode %q, only %s and %s", mode, latestVersions, allVersions)
	}
	// A time counts at the beginning only: "Common Azure Cosmos DB REST request
	// headers". azcosmos sends it with each request, together with the etag.
	if text := h.Get("If-Modified-Since"); text != "" && h.Get("If-None-Match") == "" {
		when, err := parseDate(text)
		if err != nil {
			return f, status.BadRequest("The value %q of header If-Modified-Since is invalid: it is not a date such as %s.", text, http.TimeFormat)
		}
		f.since = when.Unix()
	}
	switch text := h.Get("If-None-Match"); text {
	case "":
	case "*":
		f.now = true
	default:
		after, err := strconv.ParseInt(strings.Trim(text, `"`), 10, 64)
		if err != nil || after < 0 {
			return f, status.BadRequest("The value %q of header If-None-Match is invalid: a change feed goes on from the etag of its last page.", text)
		}
		f.after = after
	}
	return f, nil
}

// parseDate reads an HTTP date. It also accepts the zone UTC, which azcosmos writes and
// HTTP does not allow.
func parseDate(text string) (time.Time, error) {
	if when, err := time.Parse(time.RFC1123, text); err == nil && strings.HasSuffix(text, " UTC") {
		return when, nil
	}
	return http.ParseTime(text)
}

// Changes reads a page of the changes in one physical partition.
type Changes struct {
	container *store.Container // for its key paths, which never change
	scope     *scope
	held      *store.Range
	source    source
	feed      changeFeed
	rows      int
	kept      []store.Version // in the mode of all versions, those of the range
}

// NewChanges finds out which changes a request wants to read. The caller holds the lock of
// the container. It need not hold it for [Changes.Page].
func NewChanges(c *store.Container, h http.Header, now time.Time) (*Changes, error) {
	feed, err := parseChangeFeed(c, h)
	if err != nil {
		return nil, err
	}
	rows, err := pageSize(h)
	if err != nil {
		return nil, err
	}
	sc, err := scopeOf(c, h, nil)
	if err != nil {
		return nil, err
	}
	if sc.parts != 1 {
		return nil, status.BadRequest("The change feed is read from one partition key range at a time, and the request concerns %d: name one by the header x-ms-documentdb-partitionkeyrangeid.", sc.parts)
	}
	f := &Changes{container: c, scope: sc, held: rangeAt(c, sc, store.MinEPK), feed: feed, rows: rows}
	f.source = source{part: f.held.Snapshot(), docs: documentsIn(c, sc, f.held)}
	if feed.all && !feed.now {
		f.kept, err = c.Versions(f.held, feed.after, now)
	}
	return f, err
}

// Range returns the physical partition from which the changes come.
func (f *Changes) Range() *store.Range { return f.held }

// Page reads a page, and returns the sequence number up to which the client then knows
// the partition. It does not separate the changes of one transaction, even if the page
// gets longer than the client asked for.
func (f *Changes) Page() (*Page, int64) {
	p := &Page{Range: f.source.part}
	if f.feed.now {
		return p, p.Range.LSN
	}
	if f.feed.all {
		return f.versions()
	}
	if p.Range.LSN <= f.feed.after {
		return p, f.feed.after // nothing has been written since
	}
	var list []*store.Document
	for d := range f.source.docs.after(0) {
		p.Examined++
		if d.LSN > f.feed.after && d.TS >= f.feed.since {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b *store.Document) int {
		return cmp.Or(cmp.Compare(a.LSN, b.LSN), cmp.Compare(a.Seq, b.Seq))
	})
	last := f.feed.after
	for _, d := range list {
		if p.full(f.rows) && d.LSN != last {
			return p, last
		}
		p.add(f.feed.latest(d))
		last = d.LSN
	}
	return p, max(last, p.Range.LSN)
}

// latest returns a document as the feed of latest versions shows it: with its sequence
// number, in the document or next to it.
func (f changeFeed) latest(d *store.Document) []byte {
	if f.apart {
		return envelope(d.Raw, fmt.Appendf(nil, `{"lsn":%d,"crts":%d}`, d.LSN, d.TS))
	}
	b := append(slices.Clip(d.Raw[:len(d.Raw)-1]), `,"_lsn":`...)
	return append(strconv.AppendInt(b, d.LSN, 10), '}')
}
