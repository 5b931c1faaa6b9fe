package route

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
)

// Cache has the physical partitions of one container, as this process last saw them. The
// policy of each client updates it with what the SDK reads.
//
// A cache is found by the account's address and the container's link. A container that is
// deleted and created again keeps its link, but gets another RID, which the Map contains. A
// Cache is safe for concurrent use.
type Cache struct {
	mu      sync.Mutex
	current *Map
	etag    string // the service's ETag for current
	version int    // counts maps, so that a reader can require a newer one
	stale   int    // the latest version that an answer contradicted

	// The pages that the SDK has received so far, and the ETag of the last one. They become
	// a map when the service answers that there is nothing newer.
	reported []Range
	rid      string
	pageTag  string

	definition *keyDefinition // nil until read
	turn       chan struct{}  // held by the refresh that is under way
}

// keyDefinition has the container's properties that decide whether effective partition keys
// can be computed.
type keyDefinition struct {
	Kind    string   `json:"kind"`
	Paths   []string `json:"paths"`
	Version int      `json:"version"`
}

// caches has all caches by address and link. They are never removed: each takes a few
// kilobytes.
var caches sync.Map // of *Cache

// CacheOf returns the cache of a container, named such as
// "https://account.documents.azure.com/dbs/fleet/colls/events".
func CacheOf(container string) *Cache {
	if c, ok := caches.Load(container); ok {
		return c.(*Cache) //nolint:forcetypeassert // nothing else is in there
	}
	c, _ := caches.LoadOrStore(container, &Cache{turn: make(chan struct{}, 1)})
	return c.(*Cache) //nolint:forcetypeassert // nothing else is in there
}

// Known returns the present map and its version. The map may be nil.
func (c *Cache) Known() (*Map, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current, c.version
}

// Forget drops the map of this version, unless a newer one is known. The next reader makes
// the SDK read the physical partitions again.
func (c *Cache) Forget(version int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version == version {
		c.current, c.etag, c.definition = nil, "", nil
	}
}

// container stores the partition key definition from an answer.
func (c *Cache) container(body []byte) {
	var properties struct {
		PartitionKey keyDefinition `json:"partitionKey"`
	}
	if json.Unmarshal(body, &properties) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.definition = &properties.PartitionKey
}

// page stores a page of partition key ranges. Since is the ETag that the request named, or
// "". A page that does not continue known ones is dropped, because the policy did not see
// the pages before it.
func (c *Cache) page(since, tag string, body []byte) {
	var feed struct {
		RID    string  `json:"_rid"`
		Ranges []Range `json:"PartitionKeyRanges"`
	}
	if json.Unmarshal(body, &feed) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case since == "":
		c.reported = feed.Ranges
	case since == c.pageTag && feed.RID == c.rid:
		c.reported = append(c.reported, feed.Ranges...)
	case since == c.etag && c.current != nil && feed.RID == c.current.RID:
		c.reported = slices.Concat(c.current.Ranges, feed.Ranges)
	default:
		c.pageTag = ""
		return
	}
	c.rid, c.pageTag = feed.RID, tag
}

// errIncomplete says that the service's physical partitions have a gap or an overlap, as
// may happen for a moment during a split.
var errIncomplete = errors.New("the service's partition key ranges make no map")

// incomplete reports whether err is errIncomplete, or the error of azcosmos 1.5.0 for the
// same, which has no type (fetchRoutingMap in cosmos_partition_key_range_cache.go).
func incomplete(err error) bool {
	return errors.Is(err, errIncomplete) || strings.Contains(err.Error(), "incomplete set of ranges")
}

// end makes a map of the pages, after the service has answered that there is nothing newer
// than since.
func (c *Cache) end(since string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if since == "" || since != c.pageTag {
		return nil
	}
	m, err := newMap(c.rid, c.reported)
	c.reported, c.pageTag = nil, ""
	if err != nil {
		return fmt.Errorf("%w: %w", errIncomplete, err)
	}
	c.current, c.etag = m, since
	c.version++
	return nil
}

// usable returns an error if effective partition keys of the container cannot be computed.
// Version 1 of partition keys hashes only their first 101 bytes, and in another way.
func (c *Cache) usable() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.definition != nil && c.definition.Version != 2 {
		return ErrKeyVersion
	}
	return nil
}

// Reasons why physical partitions cannot be used.
var (
	// ErrNotConfigured says that the client was not made with Configure.
	ErrNotConfigured = errors.New("the client was made without repository.Configure")

	// ErrKeyVersion says that package partition does not compute the container's effective
	// partition keys.
	ErrKeyVersion = errors.New("the container's partition key is not of version 2")
)

// Partitions provides one repository with the physical partitions of its container. The
// zero value is ready. It is safe for concurrent use.
type Partitions struct {
	cache  atomic.Pointer[Cache] // nil until the first Read
	reason atomic.Pointer[error] // the reason why they cannot be used, once certain
}

// Read returns the physical partitions of the container and the version of the map, or the
// reason why queries cannot be scoped to them: ErrNotConfigured, ErrKeyVersion, or the
// error of a request. The first call for a container costs up to three requests for
// metadata, later ones none.
func (p *Partitions) Read(ctx context.Context, container *azcosmos.ContainerClient) (m *Map, version int, err error) {
	if reason := p.reason.Load(); reason != nil {
		return nil, 0, *reason
	}
	c := p.cache.Load()
	if c != nil {
		if err := c.usable(); err != nil {
			return nil, 0, err
		}
		if m, version := c.Known(); m != nil {
			return m, version, nil
		}
	}
	c, m, version, err = newer(ctx, container, 0)
	if err != nil {
		if errors.Is(err, ErrNotConfigured) || errors.Is(err, ErrKeyVersion) {
			p.reason.Store(&err)
		}
		return nil, 0, err
	}
	p.cache.Store(c)
	return m, version, nil
}

// Refresh returns the physical partitions after an answer has shown that those of this
// version are outdated. It costs up to three requests for metadata, which concurrent
// callers share. A Read must have succeeded before.
func (p *Partitions) Refresh(ctx context.Context, container *azcosmos.ContainerClient, version int) (*Map, int, error) {
	c := p.cache.Load()
	if m, now := c.Known(); m != nil && now > version {
		return m, now, nil
	}
	c.Forget(version)
	_, m, now, err := newer(ctx, container, version)
	return m, now, err
}

// maxReads bounds the reads of physical partitions that keep changing.
const maxReads = 10

// errChanging says that the map is already outdated again.
var errChanging = errors.New("the physical partitions keep changing: run the query again")

// newer returns the cache of a container and its map, which is newer than version after.
// While physical partitions change, answers may be incomplete, or another reader may drop
// the map before it is used here. Then newer reads them again, up to maxReads times.
func newer(ctx context.Context, container *azcosmos.ContainerClient, after int) (*Cache, *Map, int, error) {
	for attempt := 1; ; attempt++ {
		c, err := read(ctx, container, after)
		if err == nil {
			err = c.usable()
		}
		if err == nil {
			if m, now := c.Known(); m != nil {
				return c, m, now, nil
			}
			err = errChanging
		}
		if attempt == maxReads || !Gone(err) && !errors.Is(err, errChanging) && !incomplete(err) {
			return nil, nil, 0, err
		}
		if ended := backoff.Settle(ctx, attempt); ended != nil {
			return nil, nil, 0, errors.Join(err, ended)
		}
	}
}

// Pretend replaces the known physical partitions, so that tests can simulate a split or a
// merge.
func (p *Partitions) Pretend(m *Map) {
	c := p.cache.Load()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = m
	c.version++
}

// read returns the cache of a container, with a map newer than version after. It costs
// nothing if the SDK has read the physical partitions under the policy before. Otherwise it
// costs one request for the container and two for its partition key ranges.
//
// With a client without the policy, it sends a query for one document that does not exist,
// and returns ErrNotConfigured.
func read(ctx context.Context, container *azcosmos.ContainerClient, after int) (*Cache, error) {
	f := &refresh{after: after}
	defer func() { f.end() }()
	nothing := []azcosmos.ItemIdentity{{ID: "pkgen", PartitionKey: azcosmos.NewPartitionKeyString("pkgen")}}
	_, err := container.ReadManyItems(context.WithValue(ctx, refreshKey{}, f), nothing, nil)
	if f.cache != nil || err != nil {
		return f.cache, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err // azcosmos 1.5.0 sends no query in this case, and returns no error
	}
	return nil, ErrNotConfigured
}

// refresh is a call of ReadManyItems for its side effect: before the SDK sends a query, it
// reads the container and its partition key ranges, for which it has no method. The policy
// answers the query itself. README.md explains this.
type refresh struct {
	after int // the version that is known already

	mu    sync.Mutex // the SDK sends the queries of a hierarchical container concurrently
	cache *Cache     // set, with its turn held, once the policy has seen the query
}

// begin waits for the turn. Of two concurrent refreshes of a container, each would make the
// SDK drop what it reads for the other.
func (f *refresh) begin(ctx context.Context, c *Cache) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cache == c {
		return nil
	}
	f.end() // the SDK has changed the region
	f.cache = nil
	select {
	case c.turn <- struct{}{}:
		f.cache = c
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end releases the turn.
func (f *refresh) end() {
	if f.cache != nil {
		<-f.cache.turn
	}
}

type refreshKey struct{}

// answer answers the query in place of the service. If a newer map is known, it has no
// documents. Otherwise it says that the physical partition is gone, so that the SDK reads
// the container and its partition key ranges again. The SDK gives up after three such
// answers (maxPKRangeGoneRetries in azcosmos 1.5.0).
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
