package repository

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// Session lets a program read its own writes, and what it has read before, in an
// account of session consistency: it keeps the session tokens that the service
// returns, one for each physical partition, and sends them with point reads and
// queries. The SDK does not do it: without a Session, a read may be served by a
// replica that does not have the write of a moment ago.
//
// A Session is for one flow of work, such as the requests of one user, and may
// cover several repositories and containers. The zero value is ready, a Session
// is safe for concurrent use, and it is not copied after its first use. It grows
// with the physical partitions that it has met.
type Session struct {
	mu         sync.Mutex
	containers map[string]*sessionContainer // by address and link, as in package route
}

// sessionContainer is the tokens of one container.
type sessionContainer struct {
	rid     string // empty while it is not known
	tokens  sessionTokens
	unknown string // the last physical partition for which a map was forgotten
}

type sessionKey struct{}

// WithSession returns a context under which all operations of repositories belong
// to s, and to no session of an outer context. Their client has to be made with
// [Configure]; the error of every operation says so otherwise.
//
// The first operation on a container reads its physical partitions, up to three
// requests for metadata that queries over several of them need as well, once a
// process.
func WithSession(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// sessionOf returns the session of a context, or nil.
func sessionOf(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}

// joinSession prepares an operation: on a store that can be used, and under a
// session, if there is one.
func (s *store) joinSession(ctx context.Context, op string) error {
	if s.unusable != nil {
		return &Error{Op: op, Type: s.typ, Err: s.unusable}
	}
	if sessionOf(ctx) == nil {
		return nil
	}
	// For other reasons than this, tokens of all physical partitions are sent.
	if _, _, err := s.physical(ctx); errors.Is(err, route.ErrNotConfigured) {
		return &Error{Op: op, Type: s.typ, Err: fmt.Errorf("a session is of no use: %w", err)}
	}
	return nil
}

// token returns what a request to some physical partitions of a container sends.
// If these are not known, nil, it is all that there is.
func (s *Session) token(container string, m *route.Map, ranges []route.Range) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.containers[container]
	switch {
	case c == nil || m != nil && c.rid != "" && c.rid != m.RID: // of one that is no more
		return ""
	case ranges != nil:
		return c.tokens.header(ranges)
	case m != nil:
		return c.tokens.header(m.Ranges)
	}
	all := make([]route.Range, 0, len(c.tokens))
	for _, id := range slices.Sorted(maps.Keys(c.tokens)) {
		all = append(all, route.Range{ID: id})
	}
	return c.tokens.header(all)
}

// note keeps the tokens of a response from the container with this RID. It
// reports whether m, which may be nil, is out of date.
func (s *Session) note(container, rid string, m *route.Map, tokens sessionTokens) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rid == "" && m != nil {
		rid = m.RID
	}
	c := s.containers[container]
	if c == nil || c.rid != "" && rid != "" && c.rid != rid {
		c = &sessionContainer{tokens: sessionTokens{}}
		if s.containers == nil {
			s.containers = map[string]*sessionContainer{}
		}
		s.containers[container] = c
	}
	if rid != "" {
		c.rid = rid
	}
	outdated := m != nil && m.RID != rid
	for id, t := range tokens {
		c.tokens.add(id, t)
		// Once for each, since it costs requests.
		if m != nil && !m.Knows(id) && c.unknown != id {
			c.unknown, outdated = id, true
		}
	}
	return outdated
}
