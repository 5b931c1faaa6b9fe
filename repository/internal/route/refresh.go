package route

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// read returns the cache of a container, with a map newer than version after. It
// sends only what the SDK does not know yet: nothing, where the SDK has read the
// physical partitions under the policy before; else one request for the container
// and two for its partition key ranges.
//
// With a client without the policy it sends a query for one document that does not
// exist, and returns ErrNotConfigured.
func read(ctx context.Context, container *azcosmos.ContainerClient, after int) (*Cache, error) {
	f := &refresh{after: after}
	defer func() { f.end() }()
	nothing := []azcosmos.ItemIdentity{{ID: "pkgen", PartitionKey: azcosmos.NewPartitionKeyString("pkgen")}}
	_, err := container.ReadManyItems(context.WithValue(ctx, refreshKey{}, f), nothing, nil)
	if f.cache != nil || err != nil {
		return f.cache, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err // azcosmos 1.5.0 sends no query then, and returns no error
	}
	return nil, ErrNotConfigured
}

// refresh is a call of ReadManyItems that is made for what the SDK does before it
// sends a query: it reads the container and its partition key ranges, which it has no
// method for. The policy answers the query itself. README.md tells the whole story.
type refresh struct {
	after int // the version of the map that is known already

	mu    sync.Mutex // the SDK sends queries of a hierarchical container at once
	cache *Cache     // that of the container, once the policy has seen the query; its turn is held then
}

// begin waits for its turn. Of two refreshes of one container at once, each would
// make the SDK drop what it reads for the other.
func (f *refresh) begin(ctx context.Context, c *Cache) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cache == c {
		return nil
	}
	f.end() // the SDK has moved to another region
	f.cache = nil
	select {
	case c.turn <- struct{}{}:
		f.cache = c
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end gives the turn to the next refresh.
func (f *refresh) end() {
	if f.cache != nil {
		<-f.cache.turn
	}
}

type refreshKey struct{}

// answer returns the answer to the query, in the service's place: no documents once
// a newer map is known, else that the physical partition is gone, after which the SDK
// reads the container and its partition key ranges again. It gives up after three
// such answers (maxPKRangeGoneRetries in azcosmos 1.5.0).
func (f *refresh) answer(request *http.Request) *http.Response {
	f.cache.mu.Lock()
	renewed := f.cache.current != nil && f.cache.definition != nil && f.cache.version > f.after
	f.cache.mu.Unlock()
	response := &http.Response{
		StatusCode: http.StatusOK,
		Status:     "200 OK",
		Header:     http.Header{"Content-Type": {"application/json"}},
		Request:    request,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	text := `{"Documents":[]}`
	if !renewed {
		response.StatusCode, response.Status = http.StatusGone, "410 Gone"
		response.Header.Set("x-ms-substatus", "1002")
		text = `{"code":"Gone","message":"asked for by the repository, to read the partition key ranges again"}`
	}
	response.Body = io.NopCloser(strings.NewReader(text))
	response.ContentLength = int64(len(text))
	return response
}
