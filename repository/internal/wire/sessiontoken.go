package wire

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// sessionToken says how far a client has seen one physical partition. Its text is
//
//	version#lsn#region=lsn#region=lsn…
//
// The version counts the changes of the partition's replicas, such as a region
// that was added or a failover; lsn is the number of its last write in all
// regions, and those after it of the last one in each. This and the way to merge
// two are those of VectorSessionToken in azure-cosmos-dotnet-v3 and
// azure-sdk-for-java. A token in another form has only its text.
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

// merge returns the token that says what t and the later u say together: the
// regions are those of the higher version, all numbers the higher ones. Of tokens
// in another form the later one counts.
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

// of returns the token of a physical partition: its own, or what those together
// say that it was split or merged from. It returns false if there is none.
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

// header returns the tokens of physical partitions as a request sends them,
// empty if there are none.
func (ts sessionTokens) header(ranges []route.Range) string {
	var parts []string
	for _, r := range ranges {
		if t, ok := ts.of(r); ok {
			parts = append(parts, r.ID+":"+t.String())
		}
	}
	return strings.Join(parts, ",")
}
