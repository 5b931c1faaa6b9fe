package route

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// Range is a physical partition: the documents with an effective partition key of at least
// Min and below Max.
type Range struct {
	ID      string   `json:"id"`
	Min     string   `json:"minInclusive"`
	Max     string   `json:"maxExclusive"`
	Parents []string `json:"parents"`
}

// The bounds of the key space, in the service's notation.
const (
	FirstKey = ""
	LastKey  = "FF"
)

// Map has the physical partitions of a container at one time. They cover the key space
// without gaps or overlaps, in its order. A Map is immutable.
type Map struct {
	RID    string // of the container; unique even if a container of the same name is created again
	Ranges []Range
}

// newMap makes a map of ranges in any order, as the service reported them. Ranges that were
// split or merged since are left out. If the others do not cover each key once, it returns
// an error: documents in a gap would be missing, and documents in an overlap would come
// twice.
func newMap(rid string, reported []Range) (*Map, error) {
	gone := map[string]bool{}
	for _, r := range reported {
		for _, parent := range r.Parents {
			gone[parent] = true
		}
	}
	byID := map[string]Range{} // the latest report of a range wins
	for _, r := range reported {
		if !gone[r.ID] {
			byID[r.ID] = r
		}
	}
	ranges := make([]Range, 0, len(byID))
	for _, r := range byID {
		ranges = append(ranges, r)
	}
	slices.SortFunc(ranges, func(a, b Range) int {
		return cmp.Or(partition.CompareEPK(a.Min, b.Min), cmp.Compare(a.ID, b.ID))
	})
	next := FirstKey
	for _, r := range ranges {
		if partition.CompareEPK(r.Min, next) != 0 {
			return nil, fmt.Errorf("physical partition %s begins at %q, not at %q", r.ID, r.Min, next)
		}
		next = r.Max
	}
	if next != LastKey {
		return nil, fmt.Errorf("the physical partitions end at %q, not at %q", next, LastKey)
	}
	return &Map{RID: rid, Ranges: ranges}, nil
}

// Find returns the physical partition of an effective partition key.
func (m *Map) Find(epk string) Range {
	i, exact := slices.BinarySearchFunc(m.Ranges, epk, func(r Range, epk string) int {
		return partition.CompareEPK(r.Min, epk)
	})
	if !exact {
		i--
	}
	return m.Ranges[i]
}

// Overlapping returns the physical partitions that have keys from low to below high.
func (m *Map) Overlapping(low, high string) []Range {
	var found []Range
	for _, r := range m.Ranges {
		if partition.CompareEPK(r.Min, high) < 0 && partition.CompareEPK(low, r.Max) < 0 {
			found = append(found, r)
		}
	}
	return found
}

// Knows reports whether m has this physical partition, or one that was split or merged from
// it.
func (m *Map) Knows(id string) bool {
	return slices.ContainsFunc(m.Ranges, func(r Range) bool {
		return r.ID == id || slices.Contains(r.Parents, id)
	})
}

// Contains reports whether r is within low and high.
func Contains(low, high string, r Range) bool {
	return partition.CompareEPK(low, r.Min) <= 0 && partition.CompareEPK(r.Max, high) <= 0
}

// Locate returns the id of the physical partition that served a request with these headers,
// or "" if unknown. It sends no request. Token is the session token of the answer, and rid
// the container that the answer names; either may be empty.
//
// A token begins with the id of its physical partition. If the map lacks this id, the map
// is outdated. Until there is a newer one, requests without a token in their answers are
// not located.
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

// contradict records that the map of this version is outdated.
func (c *Cache) contradict(version int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stale = max(c.stale, version)
}

// RenewFeedRanges makes the SDK read the container and its physical partitions again, which
// it caches for ReadFeedRanges and ReadChangeFeed. It costs up to three requests for
// metadata. The caller must hold turn.FeedRanges.
func RenewFeedRanges(ctx context.Context, container *azcosmos.ContainerClient) error {
	// The SDK reads them before it gives up on a feed range that overlaps none
	// (resolveFeedRangeToChildren in azcosmos 1.5.0).
	nowhere := azcosmos.FeedRange{MinInclusive: LastKey, MaxExclusive: LastKey}
	_, err := container.ReadChangeFeed(ctx, &azcosmos.ChangeFeedOptions{FeedRange: &nowhere})
	if err != nil && !errors.Is(err, azcosmos.ErrFeedRangeUnresolved) {
		return err
	}
	return nil
}

// Headers that scope a query to one physical partition of one container, and not to another
// container of its name. azcosmos sends the first in ReadManyItems. Other SDKs use the
// second to detect a container that was deleted and created again (azure-sdk-for-java, pull
// request 25811).
const (
	HeaderRange       = "x-ms-documentdb-partitionkeyrangeid"
	headerIntendedRID = "x-ms-cosmos-intended-collection-rid"
)

// scope is the physical partition of a query, or the container of a request for changes.
type scope struct {
	rangeID, rid string
	versions     bool // of a request for changes: read all versions and deletions
}

type scopeKey struct{}

// InRange returns a context for queries of one physical partition.
func InRange(ctx context.Context, rid, rangeID string) context.Context {
	return context.WithValue(ctx, scopeKey{}, scope{rangeID: rangeID, rid: rid})
}

// InContainer returns a context for requests for the changes of the container with this
// RID, and of no other container of its name.
func InContainer(ctx context.Context, rid string) context.Context {
	return context.WithValue(ctx, scopeKey{}, scope{rid: rid})
}

// VersionsInContainer is InContainer for requests that read all versions and deletions.
// azcosmos 1.5.0 does not support this feed.
func VersionsInContainer(ctx context.Context, rid string) context.Context {
	return context.WithValue(ctx, scopeKey{}, scope{rid: rid, versions: true})
}

// pinFeed changes a request of a change feed, which the SDK has scoped to a physical
// partition: it binds the request to one container, and writes its start time in GMT, as
// HTTP requires. azcosmos writes UTC, and a service that does not parse it may begin with
// the oldest change (azure-cosmos-dotnet-v3, pull request 2042).
func pinFeed(request *http.Request) {
	s, ok := request.Context().Value(scopeKey{}).(scope)
	if !ok {
		return
	}
	request.Header.Set(headerIntendedRID, s.rid)
	const since = "If-Modified-Since"
	if s.versions {
		request.Header.Set("A-IM", "Full-Fidelity Feed")
		request.Header.Set("x-ms-cosmos-changefeed-wire-format-version", "2021-09-15")
		if request.Header.Get("If-None-Match") == "" {
			request.Header.Set("If-None-Match", "*") // from now on
		}
	}
	if text, ok := strings.CutSuffix(request.Header.Get(since), " UTC"); ok {
		request.Header.Set(since, text+" GMT")
	}
}
