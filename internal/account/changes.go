package account

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Part is a part of the key space, from Min up to and without Max, and the ETag after
// which its changes go on: "" at the beginning.
type Part struct {
	Min  string `json:"min"`
	Max  string `json:"max"`
	ETag string `json:"etag,omitempty"`
}

// latestVersions is the mode of the change feed that has each document once.
const latestVersions = "Incremental feed"

// Changes is a page of the change feed.
type Changes struct {
	Documents []json.RawMessage // in the order in which they were written
	// After is how the part goes on: as one, or divided after its physical partition was
	// split.
	After []Part
	Idle  bool // there is nothing new
}

// Changes reads a page of the changes of a part: each document in its latest version,
// without those that were deleted. A page of a part that lies in several physical
// partitions has no documents, and divides the part.
func (a *Account) Changes(ctx context.Context, c *Container, p Part, size int) (Changes, error) {
	return a.feed(ctx, c, p, size, map[string]string{"A-IM": latestVersions, "If-None-Match": p.ETag})
}

// Versions reads a page of all versions and deletions of a part: documents are objects
// with current, a version, and metadata. A part that is less than a physical partition
// may have changes of others. A part without an ETag begins now. The error of
// an account without that feed, and that of a part whose changes are older than the
// account keeps them, has status 400.
func (a *Account) Versions(ctx context.Context, c *Container, p Part, size int) (Changes, error) {
	return a.feed(ctx, c, p, size, map[string]string{
		"A-IM": "Full-Fidelity Feed", "x-ms-cosmos-changefeed-wire-format-version": "2021-09-15", "If-None-Match": cmp.Or(p.ETag, "*"),
	})
}

// feed reads a page of a feed, which headers describe.
func (a *Account) feed(ctx context.Context, c *Container, p Part, size int, headers map[string]string) (Changes, error) {
	for attempt := 1; ; attempt++ {
		page, err := a.changes(ctx, c, p, size, headers)
		gone := is(err, http.StatusGone)
		if !gone && !errors.Is(err, errNoETag) || attempt == attempts {
			return page, err
		}
		if gone {
			a.forgetRanges(c)
		}
		if ended := a.pace.sleep(ctx, min(leastWait<<attempt, time.Second)); ended != nil {
			return page, ended
		}
	}
}

// errNoETag is why an answer is broken: the feed would begin again, or begin now where it
// has all versions.
var errNoETag = errors.New("the answer is broken: it has no ETag, after which the changes go on")

// changes reads a page as long as physical partitions stay as they are.
func (a *Account) changes(ctx context.Context, c *Container, p Part, size int, headers map[string]string) (Changes, error) {
	ranges, err := a.knownRanges(ctx, c)
	if err != nil {
		return Changes{}, err
	}
	window := Window{p.Min, p.Max}
	var parts []Part
	var in Range
	for _, r := range ranges {
		if both, ok := window.intersect(Window{r.Min, r.Max}); ok {
			parts = append(parts, Part{both.Min, both.Max, p.ETag})
			in = r
		}
	}
	if len(parts) == 0 {
		return Changes{}, fmt.Errorf("container %q: no physical partition has the keys from %q up to %q", c.ID, p.Min, p.Max)
	}
	if len(parts) > 1 {
		return Changes{After: parts}, nil
	}
	r := c.request("/docs", "docs", "")
	r.header["x-ms-documentdb-partitionkeyrangeid"] = in.ID
	r.header["x-ms-max-item-count"] = strconv.Itoa(size)
	for name, value := range headers {
		if value != "" {
			r.header[name] = value
		}
	}
	var page documentsPage
	header, err := a.do(ctx, r, &page)
	idle := is(err, http.StatusNotModified)
	if err != nil && !idle {
		return Changes{}, err
	}
	if p.ETag = header.Get("etag"); p.ETag == "" {
		return Changes{}, fmt.Errorf("container %q: %w", c.ID, errNoETag)
	}
	got := Changes{After: []Part{p}, Idle: idle}
	all := window == Window{in.Min, in.Max} || headers["A-IM"] != latestVersions
	for _, d := range page.Documents {
		if all || window.holds(c, d) { // a merge brings others
			got.Documents = append(got.Documents, d)
		}
	}
	return got, nil
}

// knownRanges returns the physical partitions of a container, which are read once, or a
// few times at first.
func (a *Account) knownRanges(ctx context.Context, c *Container) ([]Range, error) {
	a.metadata.Lock()
	known := c.ranges
	a.metadata.Unlock()
	if known != nil {
		return known, nil
	}
	ranges, err := a.Ranges(ctx, c)
	if err != nil {
		return nil, err
	}
	a.metadata.Lock()
	defer a.metadata.Unlock()
	c.ranges = ranges
	return ranges, nil
}

// forgetRanges makes the next request read the physical partitions again.
func (a *Account) forgetRanges(c *Container) {
	a.metadata.Lock()
	defer a.metadata.Unlock()
	c.ranges = nil
}
