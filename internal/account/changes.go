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

// Part is a part of the key space: effective partition keys from Min, inclusive, to Max, exclusive.
// Its changes continue after ETag; "" is the beginning.
type Part struct {
	Min  string `json:"min"`
	Max  string `json:"max"`
	ETag string `json:"etag,omitempty"`
}

// latestVersions is the change feed mode that returns the latest version of each document.
const latestVersions = "Incremental feed"

// Changes is a page of the change feed.
type Changes struct {
	Documents []json.RawMessage // in the order in which they were written
	// After are the parts to read next: the same part, or several after a split of its physical
	// partition.
	After []Part
	Idle  bool // there were no new changes
}

// Changes reads a page of the changes of a part: the latest version of each document, without
// deletions. If a part spans several physical partitions, the page has no documents and After
// divides the part.
func (a *Account) Changes(ctx context.Context, c *Container, p Part, size int) (Changes, error) {
	return a.feed(ctx, c, p, size, map[string]string{"A-IM": latestVersions, "If-None-Match": p.ETag})
}

// Versions reads a page of all versions and deletions of a part. Each element is an object with
// current, a version, and metadata. If a part is smaller than a physical partition, the page may
// have changes outside it. A part without an ETag begins now. The error has status 400 if the
// account lacks this feed, or no longer keeps the changes after the ETag.
func (a *Account) Versions(ctx context.Context, c *Container, p Part, size int) (Changes, error) {
	return a.feed(ctx, c, p, size, map[string]string{
		"A-IM": "Full-Fidelity Feed", "x-ms-cosmos-changefeed-wire-format-version": "2021-09-15", "If-None-Match": cmp.Or(p.ETag, "*"),
	})
}

// feed reads a page of the feed that headers select.
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

// errNoETag rejects an answer without an ETag: the feed would restart from the beginning, or, with
// all versions, skip to now.
var errNoETag = errors.New("the answer is broken: it has no ETag, after which the changes go on")

// changes reads a page, and fails if the physical partitions change.
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
		if all || window.holds(c, d) { // after a merge, a page has documents of other parts
			got.Documents = append(got.Documents, d)
		}
	}
	return got, nil
}

// knownRanges returns the physical partitions of a container from a cache, which it fills on first
// use.
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

// forgetRanges clears the cache of physical partitions.
func (a *Account) forgetRanges(c *Container) {
	a.metadata.Lock()
	defer a.metadata.Unlock()
	c.ranges = nil
}
