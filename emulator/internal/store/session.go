package store

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// SessionToken is the token of a range after its last write. It has the forms of the service:
//
//	ID:VERSION#LSN
//	ID:VERSION#LSN#1=LSN#2=LSN
//
// The second form is for several write regions. After the first LSN it has, for each region, the
// LSN of the last write that has arrived from there. The first LSN is their sum, so in a region
// with all these writes it is at least as high. The version is -1. It grows with each forced failover and
// each change between one write region and several.
func (r *Range) SessionToken() string {
	if r.link == nil {
		return sessionToken(r.ID, -1, r.LSN)
	}
	w := r.link.group.world.state.Load()
	fields := []string{sessionToken(r.ID, w.epoch, r.global())}
	if r.link.locals != nil {
		for region, replica := range w.replicaOf {
			fields = append(fields, strconv.Itoa(region+1)+"="+strconv.FormatInt(r.link.locals[replica], 10))
		}
	}
	return strings.Join(fields, "#")
}

// global is the first LSN of a session token.
func (r *Range) global() int64 {
	if r.link == nil || r.link.locals == nil {
		return r.LSN
	}
	sum := int64(0)
	for _, n := range r.link.locals {
		sum += n
	}
	return sum
}

func sessionToken(id string, version, lsn int64) string {
	b := append(append(make([]byte, 0, 64), id...), ':')
	b = append(strconv.AppendInt(b, version, 10), '#')
	return string(strconv.AppendInt(b, lsn, 10))
}

// session is a session token of a physical partition.
type session struct {
	version, global int64
	locals          map[int]int64 // by number of the region, from 1
}

// parseSession reads a session token without its id.
func parseSession(text string) (s session, ok bool) {
	fields := strings.Split(text, "#")
	number := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		ok = ok && err == nil
		return n
	}
	ok = true
	if len(fields) == 1 { // the form of old clients
		s.version, s.global = -1, number(fields[0])
		return s, ok
	}
	s.version, s.global = number(fields[0]), number(fields[1])
	s.locals = map[int]int64{}
	for _, f := range fields[2:] {
		region, lsn, _ := strings.Cut(f, "=")
		s.locals[int(number(region))] = number(lsn)
	}
	return s, ok
}

// Covers reports whether the physical partition has, in its region, all writes that a session
// token names. token is one token, or several with commas between them. Tokens of other
// physical partitions are ignored, unless this one was split or merged from them. The caller
// holds the lock of the container.
func (r *Range) Covers(token string) (bool, error) {
	covers := true
	for one := range strings.SplitSeq(token, ",") {
		id, text, found := strings.Cut(strings.TrimSpace(one), ":")
		s, ok := parseSession(text)
		if !found || !ok {
			return false, status.BadRequest("The session token %q is invalid: it has the form 0:-1#12.", one)
		}
		if id == r.ID || slices.Contains(r.Parents, id) {
			covers = covers && r.reached(s)
		}
	}
	return covers, nil
}

// reached reports whether the range has all writes that a token names.
func (r *Range) reached(s session) bool {
	if r.link == nil {
		return s.global <= r.LSN
	}
	w := r.link.group.world.state.Load()
	if s.version < w.since {
		return true
	}
	if r.link.locals == nil || len(s.locals) == 0 {
		return s.version <= w.epoch && s.global <= r.global()
	}
	for region, replica := range w.replicaOf {
		if s.locals[region+1] > r.link.locals[replica] {
			return false
		}
	}
	return s.version <= w.epoch
}
