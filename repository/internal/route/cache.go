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

// Cache holds what this process knows of the physical partitions of one container.
// The policy of every client adds to it what the SDK reads for itself.
//
// A cache is found by the account's address and the container's link. A container
// that is deleted and made again has the same link and another RID. The map says
// which RID it belongs to. A Cache is safe for concurrent use.
type Cache struct {
	mu      sync.Mutex
	current *Map
	etag    string // with which the service answered for current
	version int    // counts the maps, so that a reader can ask for a newer one
	stale   int    // the latest version that an answer has contradicted

	// The pages that the SDK has received so far, and the tag of the last one. They
	// become a map when the service says that nothing is newer.
	reported []Range
	rid      string
	pageTag  string

	definition *keyDefinition // of the container, nil until it was read
	turn       chan struct{}  // held by the one refresh that is under way
}

// keyDefinition is the part of a container's properties that decides whether its
// effective partition keys can be computed here.
type keyDefinition struct {
	Kind    string   `json:"kind"`
	Paths   []string `json:"paths"`
	Version int      `json:"version"`
}

// caches are the caches of this process, by address and link. They live as long as
// the process: a few kilobytes for each container that it has used.
var caches sync.Map // of *Cache

// CacheOf returns the cache of a container, such as that of
// "https://account.documents.azure.com/dbs/fleet/colls/events".
func CacheOf(container string) *Cache {
	if c, ok := caches.Load(container); ok {
		return c.(*Cache) //nolint:forcetypeassert // nothing else is in there
	}
	c, _ := caches.LoadOrStore(container, &Cache{turn: make(chan struct{}, 1)})
	return c.(*Cache) //nolint:forcetypeassert // nothing else is in there
}

// Known returns the present map, nil if there is none, and its version.
func (c *Cache) Known() (*Map, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current, c.version
}

// Forget drops the map of this version, unless a newer one is known. The next reader
// has the SDK read the physical partitions again.
func (c *Cache) Forget(version int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version == version {
		c.current, c.etag, c.definition = nil, "", nil
	}
}

// container keeps what an answer says about the container's partition key.
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

// page keeps a page of partition key ranges, the answer to a request that named
// the tag since, or none. A page is dropped that does not continue what is known:
// the SDK received those before it while no policy saw them.
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

// errIncomplete says that what the service tells of physical partitions leaves keys out, or
// has some twice, as it may for a moment during a split.
var errIncomplete = errors.New("the service's partition key ranges make no map")

// incomplete reports whether an error says so. That of azcosmos 1.5.0 has no type
// (fetchRoutingMap in cosmos_partition_key_range_cache.go).
func incomplete(err error) bool {
	return errors.Is(err, errIncomplete) || strings.Contains(err.Error(), "incomplete set of ranges")
}

// end makes a map of the pages, after the service has answered that nothing is newer
// than the tag since.
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

// usable returns an error if the effective partition keys of the container cannot
// be computed here. Version 1 hashes only the first 101 bytes of a key, and in
// another way.
func (c *Cache) usable() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.definition != nil && c.definition.Version != 2 {
		return ErrKeyVersion
	}
	return nil
}

// Why the physical partitions of a container are of no use here.
var (
	// ErrNotConfigured says that the client was not made with Configure.
	ErrNotConfigured = errors.New("the client was made without repository.Configure")

	// ErrKeyVersion says that the effective partition keys of a container are not
	// those that package partition computes.
	ErrKeyVersion = errors.New("the container's partition key is not of version 2")
)

// Partitions gives one repository the physical partitions of its container. The
// zero value is ready. Partitions is safe for concurrent use.
type Partitions struct {
	cache  atomic.Pointer[Cache] // nil until the first Read
	reason atomic.Pointer[error] // why they are of no use, once that is certain
}

// Read returns the physical partitions of the container and the version of that
// map, or why queries cannot be scoped to them: ErrNotConfigured, ErrKeyVersion, or
// the error of a request. The first call for a container sends up to three requests
// for metadata, later ones none.
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

// Refresh returns the physical partitions after a request has shown that those of
// this version are gone. Of several callers at once, one sends requests: up to three
// for metadata. It is called after a Read that succeeded.
func (p *Partitions) Refresh(ctx context.Context, container *azcosmos.ContainerClient, version int) (*Map, int, error) {
	c := p.cache.Load()
	if m, now := c.Known(); m != nil && now > version {
		return m, now, nil
	}
	c.Forget(version)
	_, m, now, err := newer(ctx, container, version)
	return m, now, err
}

// maxReads bounds how often physical partitions are read that keep changing.
const maxReads = 10

// errChanging says that what was read of a container is forgotten already.
var errChanging = errors.New("the physical partitions keep changing: run the query again")

// newer returns the cache of a container, and its map, which is newer than version
// after. While physical partitions change, another reader may find a map to be out of
// date and have it forgotten before it is used here, or the answers may be incomplete.
// Then they are read again, maxReads times at most.
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

// Pretend puts other physical partitions in place of those that are known. Tests
// pretend by it that these have been split or merged since.
func (p *Partitions) Pretend(m *Map) {
	c := p.cache.Load()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = m
	c.version++
}

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
