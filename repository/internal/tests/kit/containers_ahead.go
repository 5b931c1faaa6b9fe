package kit

import (
	"slices"
	"strings"
)

// Queried returns the containers that were asked, each time another one was.
func (r Readings) Queried() []string {
	var names []string
	for _, q := range r.Server.Requests() {
		if _, rest, ok := strings.Cut(q.Path, "/colls/"); ok && strings.Contains(rest, "/docs") {
			names = append(names, strings.SplitN(rest, "/", 2)[0])
		}
	}
	return slices.Compact(names)
}
