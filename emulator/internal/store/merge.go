package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// MergeRanges replaces neighbouring physical partitions by one with a new id. Like a split, it
// keeps the sequence numbers of documents, and later writes get higher numbers than all of
// them. So a client that has read one of the old ranges up to a number has read that part of
// the new range up to the same number. MergeRanges fails if a range does not exist, if the
// ranges are not neighbours, or if the account keeps all versions.
func (c *Container) MergeRanges(ids []string) error {
	defer c.lockAll()()
	if c.KeepsVersions() {
		return errors.New("an account with the change feed of all versions and deletes does not merge physical partitions")
	}
	if len(ids) < 2 {
		return fmt.Errorf("a merge takes two range ids or more, and got %q", ids)
	}
	first := len(c.Ranges)
	for i, id := range ids {
		at := slices.IndexFunc(c.Ranges, func(r *Range) bool { return r.ID == id })
		if at < 0 || slices.Contains(ids[:i], id) {
			return fmt.Errorf("container %q has no partition key range %q, or it is named twice: it has %s", c.id, id, c.rangeIDs())
		}
		first = min(first, at)
	}
	if first+len(ids) > len(c.Ranges) {
		return c.notNeighbours(ids)
	}
	old := c.Ranges[first : first+len(ids)]
	for _, r := range old {
		if !slices.Contains(ids, r.ID) {
			return c.notNeighbours(ids)
		}
	}
	if c.group != nil {
		if err := c.group.catchUpToMerge(); err != nil {
			return err
		}
	}
	for _, r := range c.all() {
		r.Ranges = slices.Replace(r.Ranges, first, first+len(ids), r.merged(r.Ranges[first:first+len(ids)]))
		r.record(r.kept()...)
	}
	return nil
}

// catchUpToMerge lets all replicas receive all writes. The caller holds all locks.
func (g *group) catchUpToMerge() error {
	t := g.world.state.Load()
	if i := slices.Index(t.online, false); i >= 0 {
		return fmt.Errorf("the region %q is offline: physical partitions merge when all regions are online", g.world.names[i])
	}
	g.catchUpAll(func(int) bool { return true }, time.Time{})
	return nil
}

// notNeighbours is the error for ranges that have others between them.
func (c *Container) notNeighbours(ids []string) error {
	return fmt.Errorf("the partition key ranges %q of container %q are not neighbours: in the order of their bounds it has %s", ids, c.id, c.rangeIDs())
}

// merged returns the range that replaces neighbours. The caller holds the lock for writing.
func (c *Container) merged(old []*Range) *Range {
	c.rangeVersion++
	r := &Range{
		ID: strconv.Itoa(c.nextRange), number: c.nextRange,
		Min: old[0].Min, Max: old[len(old)-1].Max, created: c.rangeVersion,
		link: joined(old),
	}
	c.nextRange++
	var docs []*Document
	for _, parent := range old {
		r.Parents = append(append(r.Parents, parent.Parents...), parent.ID)
		r.LSN = max(r.LSN, parent.LSN)
		r.keys += parent.keys
		docs = slices.AppendSeq(docs, parent.docs.now.All())
	}
	slices.SortFunc(r.Parents, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	r.Parents = slices.Compact(r.Parents)
	slices.SortFunc(docs, func(a, b *Document) int { return cmp.Compare(a.Seq, b.Seq) })
	r.docs.fill(docs)
	for _, parent := range old {
		r.versions = append(r.versions, parent.versions...)
		r.forgotten = max(r.forgotten, parent.forgotten)
	}
	slices.SortFunc(r.versions, func(a, b Version) int { return cmp.Compare(a.number, b.number) })
	return r
}
