package server

import (
	"net/http"
	"strconv"
)

// readChangeFeed serves a page of the changes in one physical partition, in their
// order, or 304 if there are no changes. The continuation is the etag: the sequence
// number of the last write in the partition that the client has seen. When a partition
// is split, both halves inherit its numbers, so that its etag is valid for both.
func (s *Server) readChangeFeed(call *call) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	var answer *reply
	err = c.read(call.now, func() error {
		feed, err := newChanges(c, call.Header)
		if err != nil {
			return err
		}
		if err := call.admit(c, feed.held()); err != nil {
			return err
		}
		p, last := feed.page()
		answer = pageReply(call, c, p)
		answer.header["etag"] = `"` + strconv.FormatInt(last, 10) + `"`
		answer.header["lsn"] = strconv.FormatInt(p.held.lsn, 10)
		if len(p.rows) == 0 {
			answer.status, answer.body, answer.charge = http.StatusNotModified, nil, chargeRefused
		}
		return nil
	})
	return answer, err
}
