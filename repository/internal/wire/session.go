package wire

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// Session keeps the session tokens of containers. The zero value is ready. A session
// is safe for concurrent use.
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

// WithSession returns a context whose requests belong to s, and to no session of an
// outer context. A nil s is no session.
func WithSession(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// sessionOf returns the session of a context, or nil.
func sessionOf(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
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
