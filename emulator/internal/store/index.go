package store

import (
	"encoding/json"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// maxIndexes is how many global secondary indexes a container may have ("Global secondary
// indexes in Azure Cosmos DB for NoSQL").
const maxIndexes = 5

// derivation makes a container a global secondary index: its documents, the entries, are
// derived from the documents of the source. An entry has the seq of its document.
//
// The source keeps versions, and an index stores how far it has read them. There is no
// goroutine: a request for the index, or the next write of the source, applies the versions
// that are due. Each is applied at the time at which it was due, so the result does not depend
// on when a request comes.
type derivation struct {
	source     *Container
	definition indexDefinition
	properties []string // that the entries have; nil means all
	created    time.Time
	pace       *pace

	// A change of the fields below needs the lock of the source, for reading at least, and
	// the lock of the index for writing.
	built    bool
	position uint64 // the number of the last version of the source that has been applied
	// latest is the time of the last entry. If throughput delays the next entry, it is the
	// time of the next attempt.
	latest time.Time
	charge float64 // of all entries since the process began
}

// pace is the lag with which versions reach indexes. An account has one.
type pace struct {
	lag    atomic.Int64 // nanoseconds
	paused atomic.Bool
	from   atomic.Int64 // the time in nanoseconds of the last change of the pace
}

// due returns the time at which a change reaches an index. lags is the number of lags that it
// takes.
func (p *pace) due(at time.Time, lags int64) time.Time {
	due := at.Add(time.Duration(lags * p.lag.Load()))
	if from := p.from.Load(); due.UnixNano() < from {
		return time.Unix(0, from)
	}
	return due
}

// kept returns the record of an index. x may be nil.
func (x *derivation) kept() *indexRecord {
	if x == nil {
		return nil
	}
	return &indexRecord{x.source.rid, x.definition.Source, x.definition.Query, x.created, x.built}
}

// builtAt is the time at which the index gets the documents that exist already.
func (x *derivation) builtAt() time.Time { return x.pace.due(x.created, 2) }

// status is the state of the index. The caller holds the lock of the index.
func (x *derivation) status(now time.Time) string {
	switch {
	case x.built:
		return indexActive
	case now.Before(x.pace.due(x.created, 1)):
		return indexInitializing
	}
	return indexBuilding
}

// newIndex returns the derivation of a new index, or nil if a client sent no definition. The
// caller holds the lock of the account.
func (a *Account) newIndex(d *Database, key KeyDefinition, sent map[string]json.RawMessage, p *Throughput, now time.Time) (*derivation, error) {
	definition, err := sentIndex(sent)
	if definition == nil {
		return nil, err
	}
	properties, err := projection(definition.Query)
	if err != nil {
		return nil, err
	}
	switch {
	case a.limits.NoIndexes:
		return nil, status.BadRequest("Global secondary indexes are not enabled on this account (enableMaterializedViews; here Options.NoIndexes).")
	case a.limits.Serverless:
		return nil, status.BadRequest("A serverless account has no global secondary indexes: they need autoscale throughput.")
	}
	source, err := d.sourceOf(definition)
	switch {
	case err != nil:
		return nil, err
	case source.derived != nil:
		return nil, status.BadRequest("The source container %q is a global secondary index itself.", source.id)
	case len(source.indexes) >= maxIndexes:
		return nil, status.BadRequest("The source container %q has %d global secondary indexes already, and may have no more.", source.id, maxIndexes)
	case p == nil || p.Autoscale == nil:
		return nil, status.BadRequest("A global secondary index needs autoscale throughput of its own: send x-ms-cosmos-offer-autopilot-settings.")
	}
	if policy, err := uniqueKeys(sent["uniqueKeyPolicy"]); err != nil || len(policy) > 0 {
		return nil, status.BadRequest("A global secondary index cannot have unique keys.")
	}
	definition.Source, definition.SourceRID = source.id, ""
	return &derivation{source: source, definition: *definition, properties: properties, created: now, pace: &a.pace}, checkIndexKey(key, properties)
}

// sameIndex refuses a definition that differs from that of an existing container. A missing
// definition is allowed, because not every SDK knows the property.
func (c *Container) sameIndex(sent map[string]json.RawMessage) error {
	definition, err := sentIndex(sent)
	switch {
	case definition == nil:
		return err
	case c.derived == nil:
		return status.BadRequest("The container %q cannot become a global secondary index: create another one.", c.id)
	}
	x := c.derived
	if same := definition.Query == x.definition.Query && (definition.Source == "" || definition.Source == x.source.id) && (definition.SourceRID == "" || definition.SourceRID == x.source.ridText); same {
		return nil
	}
	return status.BadRequest("The definition of the global secondary index %q cannot be changed: delete it, and create another one.", c.id)
}

// joinSource adds an index to its source, whose writes record entries from then on. The index
// itself must have been recorded before. It does nothing for other containers. The caller
// holds the lock of the account.
func (c *Container) joinSource() {
	if c.derived == nil {
		return
	}
	s := c.derived.source
	s.mu.Lock()
	defer s.mu.Unlock()
	s.indexes = append(s.indexes, c)
}

// removeIndex removes an index from its source, with the versions that only this index needed.
// The returned records must be stored in one step with the removal of the index. The caller
// holds the lock of the account.
func (c *Container) removeIndex(x *Container) []Change {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.indexes, x)
	c.indexes = slices.Delete(slices.Clone(c.indexes), i, i+1)
	if c.logs() {
		return nil
	}
	for _, r := range c.Ranges {
		r.versions = nil
	}
	return []Change{{Table: tableVersions, Key: c.rid}}
}

// text is the JSON of a container. An index has its definition there, under both names. The
// caller holds the lock.
func (c *Container) text(now time.Time) []byte {
	if c.derived == nil {
		return c.raw
	}
	d := c.derived.definition
	d.SourceRID, d.Status = c.derived.source.ridText, c.derived.status(now)
	return withIndex(c.raw, d)
}

// withIndex adds the definition of an index to the JSON of its container.
func withIndex(raw []byte, d indexDefinition) []byte {
	definition := MustJSON(d)
	out := append([]byte(nil), raw[:len(raw)-len("}")]...)
	for _, name := range indexProperties {
		out = append(out, `,"`+name+`":`...)
		out = append(out, definition...)
	}
	return append(out, '}')
}

// readOnly is the error for a write to an index. The service does not document its answer. The
// substatus is not 3: it would make clients look for a region that accepts writes.
func (c *Container) readOnly() error {
	return status.New(status.Forbidden, 0, "The container %q is a global secondary index of the container %q, and read-only: write to the source.", c.id, c.derived.source.id)
}

// SetIndexLag sets how long a write takes to reach the indexes of its container. Writes that
// are due by the old lag are applied first.
func (a *Account) SetIndexLag(d time.Duration, now time.Time) {
	a.changePace(now, func() { a.pace.lag.Store(int64(max(d, 0))) })
}

// PauseIndexes keeps writes from reaching indexes, until paused is false again.
func (a *Account) PauseIndexes(paused bool, now time.Time) {
	a.changePace(now, func() { a.pace.paused.Store(paused) })
}

// changePace changes the pace after all indexes have applied the versions that are due.
func (a *Account) changePace(now time.Time, change func()) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, d := range a.databases.all() {
		for _, c := range d.containers.all() {
			c.follow(now)
		}
	}
	change()
	a.pace.from.Store(now.UnixNano())
}
