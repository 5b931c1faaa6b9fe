package store

import (
	"encoding/json"
	"slices"
	"sort"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Version is one change of a document in the change feed of all versions and deletions.
type Version struct {
	Kind     ActionKind // Create, Replace or Delete
	Document *Document  // as it was written, or as it was before its deletion
	// LSN is the place of the change among the writes of its range. Previous is the LSN of the
	// version before it, or 0 for a creation.
	LSN, Previous int64
	TS            int64  // the second of the change
	Expired       bool   // whether a time to live caused the deletion
	number        uint64 // counts the changes in the container
	at            int64  // nanoseconds: the exact time of TS, or the end of the time to live
	remote        bool   // whether another write region has made the change
	vector        vector // nil with one write region
}

// versionOf returns a change as a version of the change feed.
func versionOf(ch change, lsn int64, now time.Time) Version {
	v := Version{Kind: Replace, Document: ch.new, LSN: lsn, TS: now.Unix(), at: now.UnixNano()}
	switch {
	case ch.old == nil:
		v.Kind = Create
		return v
	case ch.new == nil:
		v.Kind, v.Document = Delete, ch.old
	}
	v.Previous = ch.old.LSN
	return v
}

// KeepsVersions reports whether the container has the change feed of all versions and
// deletions.
func (c *Container) KeepsVersions() bool { return c.limits.AllVersions > 0 }

// logs reports whether the container keeps versions: for the feed of all versions, for
// indexes, or for other regions.
func (c *Container) logs() bool {
	return c.KeepsVersions() || len(c.indexes) > 0 || c.group != nil && !c.follows()
}

// checkChangeFeedPolicy refuses a policy by which a container would keep versions of its own.
// The service refuses it with the same message on accounts with continuous backup.
func (c *Container) checkChangeFeedPolicy(raw json.RawMessage) error {
	var policy struct {
		RetentionDuration float64 `json:"retentionDuration"` // minutes
	}
	switch err := json.Unmarshal(raw, &policy); {
	case raw == nil || err == nil && policy.RetentionDuration == 0:
		return nil
	case err != nil:
		return status.BadRequest("The change feed policy is invalid: %v.", err)
	case c.KeepsVersions():
		return status.BadRequest("The retention duration in the Change Feed policy should not be set when continuous backup mode is enabled for the database account.")
	}
	return status.Unsupported("a retention duration in the changeFeedPolicy of a container: all versions and deletions are an option of the account (Options.AllVersions, or pkgen-emulator -all-versions)")
}

// keep adds a change to the versions of a range. It does nothing in a container that keeps no
// versions. The caller holds the lock for writing.
func (c *Container) keep(r *Range, v Version) {
	if c.logs() {
		c.nextVersion++
		v.number = c.nextVersion
		r.versions = append(r.versions, v)
		if c.group != nil {
			c.group.written.Add(1)
		}
	}
}

// fewVersions is the number of versions of a range that are not worth dropping if only indexes
// and other regions need them.
const fewVersions = 32

// forget drops the versions of each range that are too old and that all indexes and other
// regions have applied, if they are more than half. The caller holds the lock for writing.
func (c *Container) forget(now time.Time) {
	if !c.logs() {
		return
	}
	for i, r := range c.Ranges {
		n := min(c.applied(r), len(r.versions)-c.waiting(i))
		if c.KeepsVersions() {
			n = min(n, c.outdated(r, now))
		} else if n <= fewVersions {
			continue
		}
		if n <= len(r.versions)/2 {
			continue
		}
		r.forgotten = max(r.forgotten, r.versions[n-1].LSN)
		changes := []Change{c.keptRange(r)}
		for _, v := range r.versions[:n] {
			changes = append(changes, Change{Table: tableVersions, Key: c.versionKey(v)})
		}
		c.record(changes...)
		r.versions = slices.Clone(r.versions[n:]) // pages in progress read the old list
	}
}

// outdated returns how many versions of a range have exceeded the retention.
func (c *Container) outdated(r *Range, now time.Time) int {
	oldest := now.Add(-c.limits.AllVersions).Unix()
	return sort.Search(len(r.versions), func(i int) bool { return r.versions[i].TS >= oldest })
}

// versionsFrom returns the versions with this LSN or a higher one.
func (r *Range) versionsFrom(lsn int64) []Version {
	return r.versions[sort.Search(len(r.versions), func(i int) bool { return r.versions[i].LSN >= lsn }):]
}

// dropVersions drops the versions with this LSN or a higher one: they are rolled back or lost.
func (r *Range) dropVersions(lsn int64) {
	dropped := r.versionsFrom(lsn)
	clear(dropped)
	r.versions = r.versions[:len(r.versions)-len(dropped)]
}

// Versions returns the changes in a range after an LSN, in their order. It fails if some of
// them have been dropped. The caller holds the lock. The list must not be changed; it stays
// valid after the lock is released.
func (c *Container) Versions(r *Range, after int64, now time.Time) ([]Version, error) {
	forgotten, kept := r.forgotten, r.versions
	if n := c.outdated(r, now); n > 0 {
		forgotten, kept = kept[n-1].LSN, kept[n:]
	}
	if after < forgotten {
		return nil, status.BadRequest("The change feed of all versions and deletes cannot continue from %d: changes up to %d are older than the retention of %s.", after, forgotten, c.limits.AllVersions)
	}
	return kept[sort.Search(len(kept), func(i int) bool { return kept[i].LSN > after }):], nil
}
