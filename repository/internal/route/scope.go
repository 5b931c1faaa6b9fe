package route

import (
	"context"
	"net/http"
	"strings"
)

// Headers that scope a query to one physical partition of one container, and to no
// other container of its name. azcosmos sends the first in ReadManyItems. By the
// second, other SDKs guard against a container that was deleted and made again
// (azure-sdk-for-java, pull request 25811).
const (
	HeaderRange       = "x-ms-documentdb-partitionkeyrangeid"
	headerIntendedRID = "x-ms-cosmos-intended-collection-rid"
)

// scope is the physical partition to which a query goes, or the container to which
// a request for changes goes.
type scope struct {
	rangeID, rid string
	versions     bool // of a request for changes: all versions and deletions
}

type scopeKey struct{}

// InRange returns the context of a query of one physical partition.
func InRange(ctx context.Context, rid, rangeID string) context.Context {
	return context.WithValue(ctx, scopeKey{}, scope{rangeID: rangeID, rid: rid})
}

// InContainer returns the context of requests for the changes of the container with
// this RID, and of no other of its name.
func InContainer(ctx context.Context, rid string) context.Context {
	return context.WithValue(ctx, scopeKey{}, scope{rid: rid})
}

// VersionsInContainer is InContainer for requests that read all versions and deletions,
// and not the latest versions alone. azcosmos knows no such feed (1.5.0).
func VersionsInContainer(ctx context.Context, rid string) context.Context {
	return context.WithValue(ctx, scopeKey{}, scope{rid: rid, versions: true})
}

// pinFeed changes the request of a change feed, which the SDK has scoped to a
// physical partition itself: it goes to one container, and to no other of its name.
// The time at which it begins is in GMT, as HTTP writes it. azcosmos writes UTC, and
// a service that does not understand the time may begin with the oldest change
// (azure-cosmos-dotnet-v3, pull request 2042).
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
