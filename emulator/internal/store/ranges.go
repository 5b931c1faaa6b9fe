package store

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// grow splits the largest physical partitions of a container until there are n.
func (c *Container) grow(n int) {
	defer c.lockAll()()
	for len(c.Ranges) < n {
		if c.splitAll(c.widest().ID) != nil {
			return // too narrow to split, after 120 rounds
		}
	}
}

// Range is a partition key range: a physical partition, and the documents
// in it.
type Range struct {
	ID       string
	number   int
	Min, Max string   // effective partition keys; min belongs to the range, max does not
	Parents  []string // ids of the ranges that it was split or merged from, the oldest first
	created  int      // the version of the container's ranges that added it
	LSN      int64    // counts the writes, for session tokens and the change feed
	docs     documentList
	keys     int // logical partitions in it
	Budget   charge.Budget
	// versions are the changes for the feed of all versions and deletions, in their order.
	// forgotten is the LSN of the last change that has been dropped.
	versions  []Version
	forgotten int64
	link      *link // nil in an account with one region
}

// RangeSnapshot is a physical partition at one time. It is immutable and needs no lock.
type RangeSnapshot struct {
	ID       string
	Min, Max string
	LSN      int64
	Docs     Documents
	token    string // in an account with several regions
}

// Snapshot returns the present state of a range, at no cost. The caller holds the lock of
// the container.
func (r *Range) Snapshot() *RangeSnapshot {
	s := &RangeSnapshot{ID: r.ID, Min: r.Min, Max: r.Max, LSN: r.LSN, Docs: r.docs.snapshot()}
	if r.link != nil {
		s.token = r.SessionToken()
	}
	return s
}

// RangeIndex returns the index of the range that holds an effective partition key.
func (c *Container) RangeIndex(epk string) int {
	return sort.Search(len(c.Ranges), func(i int) bool {
		return partition.CompareEPK(c.Ranges[i].Min, epk) > 0
	}) - 1
}

// rangeOf returns the range that holds an effective partition key.
func (c *Container) rangeOf(epk string) *Range { return c.Ranges[c.RangeIndex(epk)] }

// RangeByID returns a range. It fails with 410 if the range was split or merged, or never
// existed, as the gateway does.
func (c *Container) RangeByID(id string) (*Range, error) {
	for _, r := range c.Ranges {
		if r.ID == id {
			return r, nil
		}
	}
	return nil, status.RangeIsGone(id)
}

// splitAll splits a range in all regions. The caller holds the locks of all replicas for
// writing.
func (c *Container) splitAll(id string) error {
	for _, r := range c.all() {
		if err := r.split(id); err != nil { // of the first: all have the same ranges
			return err
		}
	}
	return nil
}

// split replaces a range by two halves with new ids. The caller holds the lock
// for writing.
func (c *Container) split(id string) error {
	i := slices.IndexFunc(c.Ranges, func(r *Range) bool { return r.ID == id })
	if i < 0 {
		return fmt.Errorf("container %q has no partition key range %q: it has %s", c.id, id, c.rangeIDs())
	}
	parent := c.Ranges[i]
	middle, err := c.key.space().middle(parent.Min, parent.Max)
	if err != nil {
		return fmt.Errorf("range %q of container %q: %w", id, c.id, err)
	}
	c.rangeVersion++
	child := func(from, to string) *Range {
		n := c.nextRange
		c.nextRange++
		return &Range{
			ID: strconv.Itoa(n), number: n, Min: from, Max: to,
			Parents: append(slices.Clone(parent.Parents), parent.ID),
			created: c.rangeVersion, LSN: parent.LSN, forgotten: parent.forgotten,
			link: parent.link.clone(),
		}
	}
	low, high := child(parent.Min, middle), child(middle, parent.Max)
	for d := range parent.docs.now.All() {
		if partition.CompareEPK(d.Key.EPK, middle) < 0 {
			low.docs.put(d)
		} else {
			high.docs.put(d)
		}
	}
	for _, v := range parent.versions {
		half := high
		if partition.CompareEPK(v.Document.Key.EPK, middle) < 0 {
			half = low
		}
		half.versions = append(half.versions, v)
	}
	for _, p := range c.partitions {
		switch {
		case low.Holds(p.key.EPK):
			low.keys++
		case high.Holds(p.key.EPK):
			high.keys++
		}
	}
	c.Ranges = slices.Replace(c.Ranges, i, i+1, low, high)
	c.record(c.kept()...)
	return nil
}

// widest returns the range that covers the largest part of the key space.
func (c *Container) widest() *Range {
	space := c.key.space()
	return slices.MaxFunc(c.Ranges, func(a, b *Range) int { return space.width(a).Cmp(space.width(b)) })
}

// rangeIDs lists the ids of the ranges for a message.
func (c *Container) rangeIDs() string {
	ids := make([]string, len(c.Ranges))
	for i, r := range c.Ranges {
		ids[i] = r.ID
	}
	return strings.Join(ids, ", ")
}

// SessionToken is the token of the range after the last write that the snapshot has.
func (r *RangeSnapshot) SessionToken() string {
	return cmp.Or(r.token, sessionToken(r.ID, -1, r.LSN))
}

// Holds reports whether an effective partition key is in a range.
func (r *Range) Holds(epk string) bool {
	return partition.CompareEPK(r.Min, epk) <= 0 && partition.CompareEPK(epk, r.Max) < 0
}
