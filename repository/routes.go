package repository

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// route is what this process knows of one container's physical partitions. The
// policy of every configured client adds to it what the SDK reads for itself.
//
// It is keyed by the account's address and the container's link. A container
// that is deleted and made again has the same link and another RID; the map
// says which one it belongs to.
type route struct {
	mu      sync.Mutex
	current *rangeMap
	etag    string // of the service, for current
	version int    // counts what has been learnt, so that a reader can ask for something newer

	// What a refresh under way has reported: its pages so far, and the tag of
	// the last of them.
	reported []keyRange
	rid      string
	pageTag  string

	definition *keyDefinition // of the container, nil until it was read
	learning   chan struct{}  // held by the one lesson that has its turn
}

// keyDefinition is the part of a container's properties that decides whether
// its effective partition keys can be computed here.
type keyDefinition struct {
	Kind    string   `json:"kind"`
	Paths   []string `json:"paths"`
	Version int      `json:"version"`
}

// routes are the routes of this process, by address and link.
var routes sync.Map // of *route

// routeOf returns the route of a container, such as
// "https://account.documents.azure.com/dbs/fleet/colls/events".
func routeOf(container string) *route {
	if r, ok := routes.Load(container); ok {
		return r.(*route) //nolint:forcetypeassert // nothing else is in there
	}
	r, _ := routes.LoadOrStore(container, &route{learning: make(chan struct{}, 1)})
	return r.(*route) //nolint:forcetypeassert // nothing else is in there
}

// known returns the present map and its version, and nil if there is none.
func (r *route) known() (*rangeMap, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current, r.version
}

// forget drops the map of this version, unless a newer one is known.
func (r *route) forget(version int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.version == version {
		r.current, r.etag, r.definition = nil, "", nil
	}
}

// container notes the properties of the container.
func (r *route) container(body []byte) {
	var properties struct {
		PartitionKey keyDefinition `json:"partitionKey"`
	}
	if json.Unmarshal(body, &properties) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.definition = &properties.PartitionKey
}

// page notes a page of the feed of ranges, an answer to a request that named
// the tag since, or none. A page that does not continue what is known is of a
// refresh whose beginning was not seen, and of no use.
func (r *route) page(since, tag string, body []byte) {
	var feed struct {
		RID    string     `json:"_rid"`
		Ranges []keyRange `json:"PartitionKeyRanges"`
	}
	if json.Unmarshal(body, &feed) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case since == "":
		r.reported = feed.Ranges
	case since == r.pageTag && feed.RID == r.rid:
		r.reported = append(r.reported, feed.Ranges...)
	case since == r.etag && r.current != nil && feed.RID == r.current.rid:
		r.reported = slices.Concat(r.current.ranges, feed.Ranges)
	default:
		r.pageTag = ""
		return
	}
	r.rid, r.pageTag = feed.RID, tag
}

// end notes the end of the feed: nothing is newer than the tag.
func (r *route) end(since string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if since == "" || since != r.pageTag {
		return nil
	}
	m, err := newRangeMap(r.rid, r.reported)
	r.reported, r.pageTag = nil, ""
	if err != nil {
		return fmt.Errorf("the service's partition key ranges make no map: %w", err)
	}
	r.current, r.etag = m, since
	r.version++
	return nil
}

// usable returns an error if keys of the container cannot be mapped here.
// Version 1 hashes only the first 101 bytes of a key, in another way.
func (r *route) usable() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.definition != nil && r.definition.Version != 2 {
		return errUnsupported
	}
	return nil
}
