package route

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
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
