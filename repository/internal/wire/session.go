package wire

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// Session keeps the session tokens of containers. The zero value is ready. A session
// is safe for concurrent use.
type Session struct {
	mu         sync.Mutex
	containers map[string]*sessionContainer // by address and link, as in package route
	changes    int                          // how often physical partitions changed their replicas
}

// sessionContainer is the tokens of one container.
type sessionContainer struct {
	rid     string // empty until it is known
	tokens  sessionTokens
	unknown string // the last unknown physical partition for which a map was dropped
}

// Changes counts how often a physical partition that the session has seen has changed its
// replicas, as in a failover: earlier reads and writes there may be lost.
func (s *Session) Changes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changes
}

type sessionKey struct{}

// WithSession returns a context whose requests belong to s, instead of a session of an outer
// context. A nil s means no session.
func WithSession(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// InSession returns ctx if it has a session, otherwise a context whose requests belong to s.
func InSession(ctx context.Context, s *Session) context.Context {
	if sessionOf(ctx) != nil {
		return ctx
	}
	return WithSession(ctx, s)
}

// sessionOf returns the session of a context, or nil.
func sessionOf(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}

// token returns the session token of a request to some physical partitions of a container. If
// they are unknown, m is nil, and the result has all tokens.
func (s *Session) token(container string, m *route.Map, ranges []route.Range) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.containers[container]
	switch {
	case c == nil || m != nil && c.rid != "" && c.rid != m.RID: // the tokens of an earlier container
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

// note stores the tokens of a response from the container with this RID. It reports whether m
// is out of date. m may be nil.
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
		if known, ok := c.tokens[id]; ok && known.other == "" && t.other == "" && known.version < t.version {
			s.changes++
		}
		c.tokens.add(id, t)
		// Only once for each partition, because it costs requests.
		if m != nil && !m.Knows(id) && c.unknown != id {
			c.unknown, outdated = id, true
		}
	}
	return outdated
}

const (
	headerSessionToken = "x-ms-session-token" //nolint:gosec // no credential
	headerContainerRID = "x-ms-content-path"  // of responses: the RID of what holds the document
)

// sessions is the policy that sends the tokens of sessions and stores the tokens of responses.
// It comes after the policy that scopes queries, and before the retries, which all send the
// same token.
type sessions struct{}

// Do implements policy.Policy.
func (sessions) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	own := sessionOf(raw.Context())
	link, rest := route.SplitLink(raw.URL.EscapedPath())
	if own == nil || !route.OfDocuments(rest) {
		return r.Next()
	}
	container := raw.URL.Host + link
	cache := route.CacheOf(container)
	m, version := cache.Known()
	if reads(raw) && raw.Header.Get(headerSessionToken) == "" {
		if token := own.token(container, m, cache.Served(m, raw.Header)); token != "" {
			raw.Header.Set(headerSessionToken, token)
		}
	}
	response, err := r.Next()
	switch {
	case isSessionNotAvailable(err) && !routingOf(raw.Context()).isSecond():
		// The name may belong to another container now, whose writes are counted from 0. For a
		// hedge, the other region may only lag.
		cache.Forget(version)
	case err == nil && tellsProgress(response):
		tokens := parseSessionTokens(response.Header.Get(headerSessionToken))
		if len(tokens) > 0 && own.note(container, response.Header.Get(headerContainerRID), m, tokens) {
			cache.Forget(version)
		}
	}
	return response, err
}

// reads reports whether a request may read: requests that change nothing, and also batches
// (GatewayStoreModel in azure-cosmos-dotnet-v3 sends tokens with batches too).
func reads(r *http.Request) bool {
	return r.Method == http.MethodGet ||
		r.Method == http.MethodPost && (r.Header.Get("x-ms-documentdb-query") != "" || r.Header.Get("x-ms-cosmos-is-batch-request") != "")
}

// tellsProgress reports whether the token of a response shows what this client has seen: the
// token of a success, and of a failure that depends on stored documents, as in the other SDKs
// (CaptureSessionToken in azure-cosmos-dotnet-v3).
func tellsProgress(response *http.Response) bool {
	switch response.StatusCode {
	case http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed:
		return true
	}
	return response.StatusCode < http.StatusBadRequest
}

// isSessionNotAvailable reports whether no replica had reached the token, even after the SDK's
// retries, which convert the response to an error.
func isSessionNotAvailable(err error) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == http.StatusNotFound &&
		Substatus(response) == substatusReadSessionNotAvailable
}

// sessionToken is how far a client has seen one physical partition. Its text is
//
//	version#lsn#region=lsn#region=lsn…
//
// The version counts the changes of the partition's replicas, such as a new region or a
// failover. lsn is the number of the last write in all regions, and the numbers after it are
// those of the last write in each region. The format, and the rule for merging two tokens, are
// those of VectorSessionToken in azure-cosmos-dotnet-v3 and azure-sdk-for-java. A token in
// another format has only its text.
type sessionToken struct {
	version, lsn int64
	regions      []regionProgress
	other        string
}

// regionProgress is the number of the last write in a region.
type regionProgress struct {
	region uint32
	lsn    int64
}

// parseSessionToken reads a token without the id of its physical partition.
func parseSessionToken(text string) sessionToken {
	other := sessionToken{other: text}
	parts := strings.Split(text, "#")
	if len(parts) < 2 {
		return other
	}
	var t sessionToken
	var err error
	if t.version, err = strconv.ParseInt(parts[0], 10, 64); err != nil {
		return other
	}
	if t.lsn, err = strconv.ParseInt(parts[1], 10, 64); err != nil {
		return other
	}
	for _, part := range parts[2:] {
		name, number, _ := strings.Cut(part, "=")
		region, err := strconv.ParseUint(name, 10, 32)
		if err != nil {
			return other
		}
		lsn, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return other
		}
		t.regions = append(t.regions, regionProgress{uint32(region), lsn})
	}
	return t
}

// String returns the text of t.
func (t sessionToken) String() string {
	if t.other != "" {
		return t.other
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d#%d", t.version, t.lsn)
	for _, r := range t.regions {
		fmt.Fprintf(&b, "#%d=%d", r.region, r.lsn)
	}
	return b.String()
}

// merge returns the token that combines t and the later token u: the regions of the higher
// version, and the higher of all numbers. For tokens in another format, it returns the later
// one.
func (t sessionToken) merge(u sessionToken) sessionToken {
	if t.other != "" || u.other != "" {
		return u
	}
	m, old := u, t
	if t.version > u.version {
		m, old = t, u
	}
	m.lsn = max(t.lsn, u.lsn)
	m.regions = slices.Clone(m.regions)
	for i := range m.regions {
		for _, r := range old.regions {
			if r.region == m.regions[i].region {
				m.regions[i].lsn = max(m.regions[i].lsn, r.lsn)
			}
		}
	}
	return m
}

// sessionTokens are the tokens of physical partitions, by their ids.
type sessionTokens map[string]sessionToken

// parseSessionTokens reads the header of a response: tokens with ids,
// id:token,id:token….
func parseSessionTokens(header string) sessionTokens {
	tokens := sessionTokens{}
	for part := range strings.SplitSeq(header, ",") {
		id, text, ok := strings.Cut(strings.TrimSpace(part), ":")
		if ok && id != "" && text != "" {
			tokens.add(id, parseSessionToken(text))
		}
	}
	return tokens
}

// add merges a token into ts.
func (ts sessionTokens) add(id string, t sessionToken) {
	if known, ok := ts[id]; ok {
		t = known.merge(t)
	}
	ts[id] = t
}

// of returns the token of a physical partition: its own, or the combined tokens of the
// partitions from which it was split or merged. It returns false if there is none.
func (ts sessionTokens) of(r route.Range) (sessionToken, bool) {
	if t, ok := ts[r.ID]; ok {
		return t, true
	}
	var all sessionToken
	found := false
	for _, parent := range r.Parents {
		t, ok := ts[parent]
		switch {
		case !ok:
		case found:
			all = all.merge(t)
		default:
			all, found = t, true
		}
	}
	return all, found
}

// header returns the tokens of physical partitions in the form of a request header, or "" if
// there are none.
func (ts sessionTokens) header(ranges []route.Range) string {
	var parts []string
	for _, r := range ranges {
		if t, ok := ts.of(r); ok {
			parts = append(parts, r.ID+":"+t.String())
		}
	}
	return strings.Join(parts, ",")
}
