package server

import (
	"fmt"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// readRanges serves the partition key ranges of a container. An incremental feed (A-IM) has
// only the ranges that are newer than the etag of the request, each with its parents. It ends
// with 304: a client repeats the request with the last etag until there are no new ranges.
func (s *Server) readRanges(call *call) (*reply, error) {
	c, err := s.replica(call)
	if err != nil {
		return nil, err
	}
	known := ""
	if call.Header.Get("A-Im") != "" {
		known = call.Header.Get("If-None-Match")
	}
	list, etag, changed := c.RangeFeed(known, call.now)
	header := map[string]string{"etag": etag}
	if !changed {
		return &reply{status: http.StatusNotModified, charge: charge.Metadata, header: header}, nil
	}
	answer := jsonReply(http.StatusOK, map[string]any{
		"_rid": c.RID(), "PartitionKeyRanges": list, "_count": len(list),
	})
	answer.header = header
	return answer, nil
}

// Split splits a physical partition of a container into two halves with new ids, as the service
// splits a partition that grows too large or too hot. From then on requests with the old id get
// 410 and substatus 1002. Split fails if the database, container or range does not exist, or if
// the range is too narrow.
func (s *Server) Split(databaseID, containerID, rangeID string) error {
	_, c := s.account.Find(databaseID, containerID)
	if c == nil {
		return fmt.Errorf("there is no container %q in database %q", containerID, databaseID)
	}
	if err := c.SplitRange(rangeID); err != nil {
		return err
	}
	return s.account.Settle()
}

// Merge merges neighbouring physical partitions of a container into one with a new id, as the
// service merges partitions with little data and load. From then on requests with the old ids
// get 410 and substatus 1002, and the old ids are among the parents of the new range. Merge
// fails if the database, container or a range does not exist, if the ranges are not neighbours,
// and in an account with AllVersions, which the service does not merge.
func (s *Server) Merge(databaseID, containerID string, rangeIDs ...string) error {
	_, c := s.account.Find(databaseID, containerID)
	if c == nil {
		return fmt.Errorf("there is no container %q in database %q", containerID, databaseID)
	}
	if err := c.MergeRanges(rangeIDs); err != nil {
		return err
	}
	return s.account.Settle()
}

// rangeFor returns the id of the range that has the partition key of a request, or the empty
// string.
func (s *Server) rangeFor(t target, h http.Header) string {
	_, c := s.account.Find(t.database, t.container)
	if c == nil {
		return ""
	}
	k, err := c.ItemKey(h.Get(header.PartitionKey))
	if err != nil {
		return ""
	}
	return c.RangeIDOf(k)
}
