package store

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// RangeFeed returns the ranges of a container in the form of the service, and the entity tag
// of the set. If known is such a tag, it returns only newer ranges. If there are none, changed
// is false.
func (c *Container) RangeFeed(known string, now time.Time) (list []map[string]any, etag string, changed bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	etag = c.rangesETag()
	if known == etag {
		return nil, etag, false
	}
	seen := c.seenRanges(known)
	for _, r := range c.Ranges {
		if r.created > seen {
			list = append(list, c.describeRange(r, now.Unix()))
		}
	}
	return list, etag, true
}

// rangesETag names the present set of ranges. It contains the resource id, so that it
// differs from the tag of an earlier container of the same name.
func (c *Container) rangesETag() string {
	return fmt.Sprintf(`"%s:%d"`, c.ridText, c.rangeVersion)
}

// seenRanges is the version of the ranges that a tag names; 0 for a tag of another
// container.
func (c *Container) seenRanges(etag string) int {
	text, ok := strings.CutPrefix(strings.Trim(etag, `"`), c.ridText+":")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// describeRange returns a range in the form of the service.
func (c *Container) describeRange(r *Range, ts int64) map[string]any {
	rid := ridText(rangeRID(c.rid, r.number))
	parents := r.Parents
	if parents == nil {
		parents = []string{}
	}
	return map[string]any{
		"id":                 r.ID,
		"_rid":               rid,
		"_self":              c.self() + "pkranges/" + rid + "/",
		"_etag":              c.rangesETag(),
		"_ts":                ts,
		"minInclusive":       r.Min,
		"maxExclusive":       r.Max,
		"ridPrefix":          r.number,
		"throughputFraction": 1 / float64(len(c.Ranges)),
		"status":             "online",
		"parents":            parents,
		"lsn":                r.LSN,
	}
}

// SplitRange splits a physical partition into two halves with new ids. It fails if the
// range does not exist or is too narrow.
func (c *Container) SplitRange(id string) error {
	defer c.lockAll()()
	return c.splitAll(id)
}

// RangeIDOf returns the id of the range that holds a key.
func (c *Container) RangeIDOf(k *Key) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.rangeOf(k.EPK).ID
}
