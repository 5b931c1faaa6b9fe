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
	Document *Document  // as it was written, or before its deletion
	// LSN is the place of the change among the writes of its range, and Previous that
	// of the version before it, 0 for a creation.
	LSN, Previous int64
	TS            int64 // the second of the change
	Expired       bool  // whether a deletion is the end of a time to live
}

// versionOf returns a change as the change feed keeps it.
func versionOf(ch change, lsn int64, now time.Time) Version {
	v := Version{Kind: Replace, Document: ch.new, LSN: lsn, TS: now.Unix()}
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

// checkChangeFeedPolicy refuses a policy by which a container would keep versions of
// its own: the service does so too on accounts with continuous backup, in these words.
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
	return status.Unsupported("a retention duration in the changeFeedPolicy of a container: all versions and deletions are an option of the account (Options.AllVersions, or pkgen emulator -all-versions)")
}

// keep adds a change to the versions of a range, and forgets those that are too old if
// they are the larger half. It does nothing in a container that does not keep versions.
// The caller holds the lock for writing.
func (c *Container) keep(r *Range, v Version) {
	if !c.KeepsVersions() {
		return
	}
	if n := c.outdated(r, time.Unix(v.TS, 0)); n > len(r.versions)/2 {
		r.forgotten = r.versions[n-1].LSN
		r.versions = slices.Clone(r.versions[n:]) // pages that are being made read the old list
	}
	r.versions = append(r.versions, v)
}

// outdated is how many versions of a range are too old to be read.
func (c *Container) outdated(r *Range, now time.Time) int {
	oldest := now.Add(-c.limits.AllVersions).Unix()
	return sort.Search(len(r.versions), func(i int) bool { return r.versions[i].TS >= oldest })
}

// dropVersions forgets the versions with a sequence number, which are the last ones:
// their transaction is rolled back.
func (r *Range) dropVersions(lsn int64) {
	n := len(r.versions)
	for n > 0 && r.versions[n-1].LSN == lsn {
		n--
	}
	clear(r.versions[n:])
	r.versions = r.versions[:n]
}

// Versions returns the changes in a range after a sequence number, in their order. It
// fails if some of them are no longer kept. The caller holds the lock; the list is only
// for reading, and stays as it is after that.
func (c *Container) Versions(r *Range, after int64, now time.Time) ([]Version, error) {
	forgotten, kept := r.forgotten, r.versions
	if n := c.outdated(r, now); n > 0 {
		forgotten, kept = kept[n-1].LSN, kept[n:]
	}
	if after < forgotten {
		return nil, status.BadRequest("The change feed of all versions and deletes cannot go on from %d: changes up to %d are older than the retention of %s.", after, forgotten, c.limits.AllVersions)
	}
	return kept[sort.Search(len(kept), func(i int) bool { return kept[i].LSN > after }):], nil
}
