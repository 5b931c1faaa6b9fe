package store

import (
	"encoding/json"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Container is a container, its documents and its partition key ranges.
type Container struct {
	identity
	database *Database
	key      KeyDefinition
	Paths    [][]string // key.Paths as property names
	limits   *Limits
	world    *world
	offer    *offer // nil without throughput of its own
	// throttles is whether request units are limited; it belongs to the account.
	throttles *atomic.Bool

	// group holds the replicas in all regions; it is nil in an account with one region.
	// replica is the number of this one.
	group   *group
	replica int

	// derived makes the container a global secondary index; it is nil for other containers.
	derived *derivation

	records Records // nil if nothing is kept
	order   int     // of the creation in the account

	mu           sync.RWMutex // guards what follows
	gone         bool         // the container has been deleted
	raw          []byte
	etag         string
	unique       [][][]string    // unique keys: a list of paths each
	uniquePolicy json.RawMessage // the text of unique; it is immutable
	policies
	defaultTTL   int64 // seconds, -1, or 0 when nothing expires
	expiring     expiries
	partitions   map[string]*logicalPartition
	nextDoc      uint64
	Ranges       []*Range // in the order of their bounds
	nextRange    int
	rangeVersion int
	nextVersion  uint64 // the number of the last version
	// indexes are the global secondary indexes of the container, in the order of their
	// creation. A change also needs the lock of the account.
	indexes []*Container
	// siblings are the versions of items that have been written since all regions last had
	// the same writes; nil unless several regions accept writes.
	siblings     map[item][]*sibling
	conflictPath []string // of the conflict resolution policy
	custom       bool     // whether its mode is Custom
}

// keptProperties are the properties of a container that are stored and returned
// unchanged.
var keptProperties = []string{
	"defaultTtl", "conflictResolutionPolicy",
	"analyticalStorageTtl", "vectorEmbeddingPolicy", "fullTextPolicy", "computedProperties",
}

// defaultProperties are the values of properties that the service fills in.
var defaultProperties = map[string]string{
	"conflictResolutionPolicy": `{"mode":"LastWriterWins","conflictResolutionPath":"/_ts","conflictResolutionProcedure":""}`,
}

// describe sets the policies of a container to the ones that a client sent, and the text that
// describes the container.
func (c *Container) describe(sent map[string]json.RawMessage, now time.Time) error {
	if _, ok := sent["clientEncryptionPolicy"]; ok {
		return status.Unsupported("containers with clientEncryptionPolicy")
	}
	if err := c.checkChangeFeedPolicy(sent["changeFeedPolicy"]); err != nil {
		return err
	}
	if string(sent["defaultTtl"]) == "null" { // null turns expiry off
		delete(sent, "defaultTtl")
	}
	ttl, err := parseTTL(sent["defaultTtl"])
	if err != nil {
		return err
	}
	policies, completed, err := readPolicies(sent, c.Paths)
	if err != nil {
		return err
	}
	switch err := checkRecomputed(c.Computed, policies.Computed); {
	case err != nil:
		return err
	case policies.Computed != nil && c.derived != nil:
		return status.Unsupported("computed properties of a global secondary index")
	}
	if len(c.world.names) > 1 {
		if err := c.checkConflicts(sent, c.world); err != nil {
			return err
		}
	}
	if c.raw != nil && (!reflect.DeepEqual(policies.Embeddings, c.Embeddings) || !reflect.DeepEqual(policies.vectorIndexes, c.vectorIndexes)) {
		return status.BadRequest("The vector embedding policy and the vector indexes of collection %q cannot be changed: move the data to a new one.", c.id)
	}
	c.policies = policies
	properties := map[string]any{"id": c.id, "_docs": "docs/", "_sprocs": "sprocs/", "_triggers": "triggers/", "_udfs": "udfs/", "_conflicts": "conflicts/"}
	for _, name := range keptProperties {
		if raw, ok := sent[name]; ok && string(raw) != "null" {
			properties[name] = raw
		} else if text, ok := defaultProperties[name]; ok {
			properties[name] = json.RawMessage(text)
		}
	}
	for name, raw := range completed {
		properties[name] = raw
	}
	properties["partitionKey"] = numbered(sent["partitionKey"])
	if c.uniquePolicy != nil {
		properties["uniqueKeyPolicy"] = c.uniquePolicy
	}
	if c.defaultTTL != ttl {
		c.defaultTTL = ttl
		c.reschedule()
	}
	c.etag = newETag()
	c.raw = resource(properties, c.rid, c.self(), c.etag, now)
	return nil
}

// Text returns the JSON of a container and its entity tag.
func (c *Container) Text(now time.Time) (raw []byte, etag string) {
	c = c.first()
	c.follow(now)
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.text(now), c.etag
}

// Replace changes the policies of a container, if ifMatch is its entity tag or is empty. The
// id and the partition key are immutable.
func (c *Container) Replace(id string, definition KeyDefinition, sent map[string]json.RawMessage, ifMatch string, now time.Time) (raw []byte, etag string, err error) {
	c = c.first()
	defer c.lockAll()()
	if ifMatch != "" && ifMatch != c.etag {
		return nil, "", status.ConditionFailed()
	}
	if id != c.id {
		return nil, "", status.BadRequest("The id of a collection cannot be changed from %q to %q: move the data to a new one.", c.id, id)
	}
	if !definition.equal(c.key) {
		return nil, "", status.BadRequest("The partition key of collection %q cannot be changed: move the data to a new one.", c.id)
	}
	if err := c.sameIndex(sent); err != nil {
		return nil, "", err
	}
	unique, err := uniqueKeys(sent["uniqueKeyPolicy"])
	if err != nil {
		return nil, "", err
	}
	if len(unique)+len(c.unique) > 0 && !reflect.DeepEqual(unique, c.unique) {
		return nil, "", status.New(status.Forbidden, 0, "The unique index cannot be modified: send the unique key policy as it is, or move the data to a new collection.")
	}
	if err := c.describe(sent, now); err != nil {
		return nil, "", err
	}
	c.record(c.kept()...)
	for _, r := range c.all()[1:] {
		r.describeAs(c)
	}
	return c.text(now), c.etag, nil
}
