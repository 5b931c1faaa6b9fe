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

// changeFeed is the part of the change feed that a request reads.
type changeFeed struct {
	// positions are for a feed over all physical partitions: the last known change in each
	// part of the key space, beginning with the part to read next. They are nil for other
	// feeds.
	positions []position
	after     int64 // the sequence number of the last change that the client knows
	since     int64 // the second from which on changes count, 0 for all
	now       bool  // only changes after this request
	all       bool  // all versions and deletions
	apart     bool  // metadata next to the document
}

// parseChangeFeed reads the headers of a change feed request. In the mode of latest versions
// each document appears once, in its current state, and deletions do not appear ("Change feed
// modes in Azure Cosmos DB").
func parseChangeFeed(c *store.Container, h http.Header) (changeFeed, error) {
	f := changeFeed{apart: h.Get(wireFormat) == metadataApart}
	switch mode := h.Get("A-Im"); {
	case strings.EqualFold(mode, latestVersions):
	case strings.EqualFold(mode, allVersions):
		f.all = true
		if err := checkAllVersions(c, h); err != nil {
			return f, err
		}
	default:
		return f, status.Unsupported("the change feed mode %q, only %s and %s", mode, latestVersions, allVersions)
	}
	// A time counts only at the beginning of a feed: "Common Azure Cosmos DB REST request
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
		var err error
		text = strings.Trim(text, `"`)
		if strings.Contains(text, "#") {
			f.positions, err = parsePositions(text)
		} else {
			f.after, err = strconv.ParseInt(text, 10, 64)
		}
		if err != nil || f.after < 0 {
			return f, status.BadRequest("The value %q of header If-None-Match is invalid: a change feed goes on from the etag of its last page.", text)
		}
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
	feed      changeFeed
	rows      int
	read      part
	// others are the physical partitions that a feed over all reads if the first one has
	// nothing new. positions are the client's positions, in its order.
	others    []part
	positions []position
}

// part is a physical partition from which a page can come.
type part struct {
	held   *store.Range
	source source
	known  []position      // the client's positions in it, up to its end
	kept   []store.Version // in the mode of all versions, the changes after these positions
}

// NewChanges decides which changes a request reads. A request that names neither a partition
// key nor a range reads the physical partitions one after another. The caller holds the lock
// of the container; [Changes.Choose] and [Changes.Page] do not need it.
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
	if sc.parts == 0 {
		return nil, status.BadRequest("One of the input values is invalid: there is no part of the key space to read. The partition key is not between x-ms-start-epk and x-ms-end-epk, or both of these are after %s.", store.MaxEPK)
	}
	f := &Changes{container: c, scope: sc, feed: feed, rows: rows}
	if sc.parts > 1 || feed.positions != nil {
		return f, f.openAll(now)
	}
	f.read, err = f.open(rangeAt(c, sc, store.MinEPK), []position{{store.MaxEPK, feed.after}}, now)
	return f, err
}

// open takes the snapshot of a physical partition.
func (f *Changes) open(r *store.Range, known []position, now time.Time) (part, error) {
	p := part{held: r, known: known}
	p.source = source{part: r.Snapshot(), docs: documentsIn(f.container, f.scope, r)}
	var err error
	if f.feed.all && !f.feed.now {
		p.kept, err = f.container.Versions(r, p.least(), now)
	}
	return p, err
}

// Range returns the physical partition from which the changes come.
func (f *Changes) Range() *store.Range { return f.read.held }

// Page reads a page. It returns the etag with which the client continues: the sequence number
// of the last change that it then knows in the physical partition, or the positions in all.
func (f *Changes) Page() (*Page, string) {
	p, last := f.page()
	if f.positions == nil {
		return p, `"` + strconv.FormatInt(last, 10) + `"`
	}
	return p, `"` + formatPositions(f.advanced(last)) + `"`
}

// page returns a page, and the sequence number of the last change that the client then knows
// in the physical partition. It returns all changes of a transaction together, even if the
// page gets longer than the client requested.
func (f *Changes) page() (*Page, int64) {
	p := &Page{Range: f.read.source.part}
	if f.feed.now {
		return p, p.Range.LSN
	}
	if f.feed.all {
		return f.versions()
	}
	last := f.read.least()
	if p.Range.LSN <= last {
		return p, last // nothing has been written since
	}
	var list []*store.Document
	for d := range f.read.source.docs.after(0) {
		p.Examined++
		if f.brings(f.read, d) {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b *store.Document) int {
		return cmp.Or(cmp.Compare(a.LSN, b.LSN), cmp.Compare(a.Seq, b.Seq))
	})
	for _, d := range list {
		if p.full(f.rows) && d.LSN != last {
			return p, last
		}
		p.add(f.feed.latest(d))
		last = d.LSN
	}
	return p, max(last, p.Range.LSN)
}

// brings reports whether a document is a change that the client does not have.
func (f *Changes) brings(p part, d *store.Document) bool {
	return d.LSN > p.after(d.Key) && d.TS >= f.feed.since
}

// latest returns a document as the feed of latest versions shows it: with its sequence number
// inside or next to it.
func (f changeFeed) latest(d *store.Document) []byte {
	if f.apart {
		return envelope(d.Raw, fmt.Appendf(nil, `{"lsn":%d,"crts":%d}`, d.LSN, d.TS))
	}
	b := append(slices.Clip(d.Raw[:len(d.Raw)-1]), `,"_lsn":`...)
	return append(strconv.AppendInt(b, d.LSN, 10), '}')
}
