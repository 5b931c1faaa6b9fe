package route

import (
	"net/http"
	"strings"
)

// Locate returns the id of the physical partition that served a request with these
// headers, "" if that is not known, without a request. Token is the session token of the
// answer, and rid the container that it names; either may be empty.
//
// A token begins with the id of its physical partition, whatever is known here. If the
// map does not have that, the map is stale: until a newer one comes, requests whose
// answers have no token are located nowhere.
func (c *Cache) Locate(request http.Header, token, rid string) string {
	c.mu.Lock()
	m, version, stale := c.current, c.version, c.stale
	c.mu.Unlock()
	id, _, found := strings.Cut(token, ":")
	if found && id != "" && !strings.Contains(token, ",") {
		if m != nil && (!m.Knows(id) || rid != "" && rid != m.RID) {
			c.contradict(version)
		}
		return id
	}
	if m == nil || version <= stale {
		return ""
	}
	served := c.Served(m, request)
	if len(served) != 1 {
		return ""
	}
	return served[0].ID
}

// contradict notes that the map of this version is not that of the service any more.
func (c *Cache) contradict(version int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stale = max(c.stale, version)
}
