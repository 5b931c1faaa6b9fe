package repository

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Headers by which a query is scoped to one physical partition of one
// container, and no other of its name. azcosmos sends the first in
// ReadManyItems; the second is the other SDKs' guard against a container that
// was deleted and made again (azure-sdk-for-java, pull request 25811).
const (
	headerRange       = "x-ms-documentdb-partitionkeyrangeid"
	headerIntendedRID = "x-ms-cosmos-intended-collection-rid"
)

// scope is the physical partition that a query goes to.
type scope struct {
	rangeID, rid string
}

type scopeKey struct{}

// inRange returns the context of a query of one physical partition.
func inRange(ctx context.Context, rid, rangeID string) context.Context {
	return context.WithValue(ctx, scopeKey{}, scope{rangeID, rid})
}

// lesson is a call that is made to learn, and not to get anything: the policy
// answers its query itself.
type lesson struct {
	after int // a map of this version is not news

	mu    sync.Mutex // the SDK sends queries of a hierarchical container at once
	route *route     // what the policy found, whose turn the lesson then has
}

// begin waits for its turn: lessons on one container that run at once would make
// the SDK forget what it reads for another.
func (l *lesson) begin(ctx context.Context, r *route) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.route == r {
		return nil
	}
	l.end() // the SDK has moved to another region
	l.route = nil
	select {
	case r.learning <- struct{}{}:
		l.route = r
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end gives the turn to the next lesson.
func (l *lesson) end() {
	if l.route != nil {
		<-l.route.learning
	}
}

type lessonKey struct{}

// routing is the policy that scopes queries and learns physical partitions from
// what the SDK reads for itself. It stands before the retries, so that what it
// answers is not retried.
type routing struct{}

// Do implements policy.Policy.
func (routing) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	container, rest := splitLink(raw.URL.EscapedPath())
	if container == "" {
		return r.Next()
	}
	switch {
	case rest == "/docs" && raw.Method == http.MethodPost:
		if l, ok := raw.Context().Value(lessonKey{}).(*lesson); ok {
			if err := l.begin(raw.Context(), routeOf(raw.URL.Host+container)); err != nil {
				return nil, err
			}
			return l.answer(raw), nil
		}
		if s, ok := raw.Context().Value(scopeKey{}).(scope); ok {
			raw.Header.Set(headerRange, s.rangeID)
			raw.Header.Set(headerIntendedRID, s.rid)
		}
	case rest == "/docs" && raw.Method == http.MethodGet:
		pinFeed(raw)
	case rest == "" && raw.Method == http.MethodGet:
		return listen(r, func(response *http.Response, body []byte) error {
			if response.StatusCode == http.StatusOK {
				routeOf(raw.URL.Host + container).container(body)
			}
			return nil
		})
	case rest == "/pkranges":
		since := raw.Header.Get("If-None-Match")
		return listen(r, func(response *http.Response, body []byte) error {
			route := routeOf(raw.URL.Host + container)
			switch response.StatusCode {
			case http.StatusOK:
				route.page(since, response.Header.Get("etag"), body)
			case http.StatusNotModified:
				return route.end(since)
			}
			return nil
		})
	}
	return r.Next()
}

// splitLink cuts the path of a request within a container into that of the
// container and the rest; both are empty for other requests.
func splitLink(path string) (container, rest string) {
	segments := strings.SplitN(strings.TrimPrefix(path, "/"), "/", 5)
	if len(segments) < 4 || segments[0] != "dbs" || segments[2] != "colls" {
		return "", ""
	}
	container = "/" + strings.Join(segments[:4], "/")
	return container, path[len(container):]
}

// listen sends r and shows the answer to note.
func listen(r *policy.Request, note func(*http.Response, []byte) error) (*http.Response, error) {
	response, err := r.Next()
	if err != nil {
		return response, err
	}
	body, err := azruntime.Payload(response) // leaves the body to be read again
	if err != nil {
		return response, err
	}
	return response, note(response, body)
}

// answer answers the query of a lesson: with no documents if there was something
// to learn, else as if a physical partition were gone, which makes the SDK read
// the container and its ranges again. The SDK gives up after three such answers.
func (l *lesson) answer(request *http.Request) *http.Response {
	l.route.mu.Lock()
	learnt := l.route.current != nil && l.route.definition != nil && l.route.version > l.after
	l.route.mu.Unlock()
	response := &http.Response{
		StatusCode: http.StatusOK,
		Status:     "200 OK",
		Header:     http.Header{"Content-Type": {"application/json"}},
		Request:    request,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	text := `{"Documents":[]}`
	if !learnt {
		response.StatusCode, response.Status = http.StatusGone, "410 Gone"
		response.Header.Set("x-ms-substatus", "1002")
		text = `{"code":"Gone","message":"asked for by the repository, to read the partition key ranges again"}`
	}
	response.Body = io.NopCloser(strings.NewReader(text))
	response.ContentLength = int64(len(text))
	return response
}

// errNoPolicy says that the client was not made with Configure.
var errNoPolicy = errors.New("the client was made without repository.Configure")

// learn returns the route of the container, with a map newer than version
// after. It sends only what the SDK does not know yet: nothing, where it has
// read the ranges under the policy before; else a request for the container and
// two for its ranges.
//
// A client without the policy sends a query for one document that does not
// exist, and learn returns errNoPolicy.
func (s *store) learn(ctx context.Context, after int) (*route, error) {
	l := &lesson{after: after}
	defer func() { l.end() }()
	nothing := []azcosmos.ItemIdentity{{ID: "pkgen", PartitionKey: azcosmos.NewPartitionKeyString("pkgen")}}
	_, err := s.container.ReadManyItems(context.WithValue(ctx, lessonKey{}, l), nothing, nil)
	switch {
	case l.route == nil && err == nil:
		return nil, errNoPolicy
	case err != nil:
		return l.route, err
	}
	return l.route, nil
}
