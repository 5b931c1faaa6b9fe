package server

import (
	"net/http"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/query"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// readChangeFeed serves a page of the changes in one physical partition, in order, or 304 if
// there are no changes. The continuation is the etag: the sequence number of the last write in
// the partition that the client has seen. After a split, the etag is valid for both halves,
// which inherit the numbers; after a merge, it is valid for its part of the new partition.
func (s *Server) readChangeFeed(call *call) (*reply, error) {
	c, err := s.replica(call)
	if err != nil {
		return nil, err
	}
	var feed *query.Changes
	err = c.Read(call.now, func() error {
		var err error
		feed, err = query.NewChanges(c, call.Header, call.now)
		if err != nil {
			return err
		}
		return call.admit(c, feed.Range())
	})
	if err != nil {
		return nil, err
	}
	if feed.Choose() { // in a snapshot, without the lock
		err := c.Read(call.now, func() error { return call.admit(c, feed.Range()) })
		if err != nil {
			return nil, err
		}
	}
	p, etag := feed.Page()
	answer := pageReply(call, c, p)
	answer.header["etag"] = etag
	answer.header["lsn"] = strconv.FormatInt(p.Range.LSN, 10)
	if len(p.Rows) == 0 {
		answer.status, answer.body, answer.charge = http.StatusNotModified, nil, charge.Refused
	}
	return answer, nil
}
