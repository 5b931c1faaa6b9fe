package server

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// readRanges serves the partition key ranges of a container. An incremental feed
// (A-IM) has only the ranges that are newer than the etag of the request, each with
// its parents. It ends with 304: a client repeats the request with the last etag until
// nothing is new.
func (s *Server) readRanges(call *call) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	etag := c.rangesETag()
	seen := 0
	if call.Header.Get("A-IM") != "" {
		known := call.Header.Get("If-None-Match")
		if known == etag {
			return &reply{status: http.StatusNotModified, charge: chargeMetadata, header: map[string]string{"etag": etag}}, nil
		}
		seen = c.seenRanges(known)
	}
	var list []map[string]any
	for _, r := range c.ranges {
		if r.created > seen {
			list = append(list, c.describeRange(r, call.now.Unix()))
		}
	}
	answer := jsonReply(http.StatusOK, map[string]any{
		"_rid": ridText(c.rid), "PartitionKeyRanges": list, "_count": len(list),
	})
	answer.header = map[string]string{"etag": etag}
	return answer, nil
}

// rangesETag names the present set of ranges. It contains the resource id, so that it
// differs from the tag of an earlier container of the same name.
func (c *container) rangesETag() string {
	return fmt.Sprintf(`"%s:%d"`, ridText(c.rid), c.rangeVersion)
}

// seenRanges is the version of the ranges that a tag names; 0 for a tag of another
// container.
func (c *container) seenRanges(etag string) int {
	text, ok := strings.CutPrefix(strings.Trim(etag, `"`), ridText(c.rid)+":")
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
func (c *container) describeRange(r *keyRange, ts int64) map[string]any {
	rid := ridText(rangeRID(c.rid, r.number))
	parents := r.parents
	if parents == nil {
		parents = []string{}
	}
	return map[string]any{
		"id":                 r.id,
		"_rid":               rid,
		"_self":              c.self() + "pkranges/" + rid + "/",
		"_etag":              c.rangesETag(),
		"_ts":                ts,
		"minInclusive":       r.min,
		"maxExclusive":       r.max,
		"ridPrefix":          r.number,
		"throughputFraction": 1 / float64(len(c.ranges)),
		"status":             "online",
		"parents":            parents,
		"lsn":                r.lsn,
	}
}

// Split splits a physical partition of a container into two halves with new ids, as
// the service does with a partition that grows too large or too hot. From then on
// requests with the old id are answered with 410 and substatus 1002. Split fails if the
// database, container or range does not exist, or if the range is too narrow.
func (s *Server) Split(databaseID, containerID, rangeID string) error {
	c, ok := s.lookUp(databaseID, containerID)
	if !ok {
		return fmt.Errorf("there is no container %q in database %q", containerID, databaseID)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.split(rangeID)
}

// lookUp returns a container by the ids of its path.
func (s *Server) lookUp(databaseID, containerID string) (*container, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, ok := s.databases.get(databaseID)
	if !ok {
		return nil, false
	}
	return d.containers.get(containerID)
}

// rangeFor returns the id of the range that holds the partition key of a request,
// or the empty string.
func (s *Server) rangeFor(t target, h http.Header) string {
	c, ok := s.lookUp(t.database, t.container)
	if !ok {
		return ""
	}
	k, err := c.itemKey(h)
	if err != nil {
		return ""
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.rangeOf(k.epk).id
}
