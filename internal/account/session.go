package account

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// sessionHeader is the header of the session token. In an account with session consistency, a read
// with it sees all writes that the token covers.
const sessionHeader = "x-ms-session-token"

// sessions are the newest session tokens by container and physical partition.
type sessions map[string]map[string]string

// sessionOf returns the session tokens of a request's container.
func (a *Account) sessionOf(r request) string {
	if r.of == "" {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.sessions[r.of]
	tokens := make([]string, 0, len(known))
	for _, id := range slices.Sorted(maps.Keys(known)) {
		tokens = append(tokens, id+":"+known[id])
	}
	return strings.Join(tokens, ",")
}

// keepSession stores the session tokens of an answer, such as "0:-1#17", if they are newer.
func (a *Account) keepSession(r request, tokens string) {
	if r.of == "" || tokens == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sessions == nil {
		a.sessions = sessions{}
	}
	if a.sessions[r.of] == nil {
		a.sessions[r.of] = map[string]string{}
	}
	known := a.sessions[r.of]
	for token := range strings.SplitSeq(tokens, ",") {
		if id, state, ok := strings.Cut(token, ":"); ok && lsnOf(state) >= lsnOf(known[id]) {
			known[id] = state
		}
	}
}

// lsnOf returns the sequence number of a session token, "version#number" with optional numbers of
// regions, or -1.
func lsnOf(state string) int64 {
	parts := strings.Split(state, "#")
	if len(parts) > 1 {
		if n, err := strconv.ParseInt(parts[1], 10, 64); err == nil {
			return n
		}
	}
	return -1
}
