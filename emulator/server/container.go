package server

import (
	"encoding/json"
	"net/http"
	"reflect"
	"sync"
)

// container is a container, its documents and its partition key ranges.
type container struct {
	id       string
	rid      []byte
	database *database
	key      keyDefinition
	paths    [][]string // key.Paths as property names
	limits   *Options   // those of the server
	offer    *offer     // nil without throughput of its own
	// throttles is whether request units are limited.
	throttles bool

	mu           sync.RWMutex // guards what follows
	raw          []byte
	etag         string
	unique       [][][]string    // unique keys: a list of paths each
	uniquePolicy json.RawMessage // the text of unique; it is immutable
	composite    [][]indexPath   // composite indexes
	defaultTTL   int64           // seconds, -1, or 0 when nothing expires
	expiring     expiries
	partitions   map[string]*logicalPartition
	nextDoc      uint64
	ranges       []*keyRange // in the order of their bounds
	nextRange    int
	rangeVersion int
}

func (c *container) self() string {
	return c.database.self() + "colls/" + ridText(c.rid) + "/"
}

// keptProperties are the properties of a container that are stored and returned
// unchanged.
var keptProperties = []string{
	"partitionKey", "defaultTtl", "conflictResolutionPolicy", "geospatialConfig",
	"analyticalStorageTtl", "vectorEmbeddingPolicy", "fullTextPolicy",
}

// defaultProperties are the values of properties that the service fills in.
var defaultProperties = map[string]string{
	"conflictResolutionPolicy": `{"mode":"LastWriterWins","conflictResolutionPath":"/_ts","conflictResolutionProcedure":""}`,
	"geospatialConfig":         `{"type":"Geography"}`,
}

// describe sets the policies of a container to those that a client sent, and the
// text that describes the container.
func (c *container) describe(sent map[string]json.RawMessage, call *call) error {
	for _, name := range []string{"computedProperties", "clientEncryptionPolicy"} {
		if _, ok := sent[name]; ok {
			return unsupported("containers with %s", name)
		}
	}
	if string(sent["defaultTtl"]) == "null" { // null turns expiry off
		delete(sent, "defaultTtl")
	}
	ttl, err := parseTTL(sent["defaultTtl"])
	if err != nil {
		return err
	}
	indexing, composite, err := indexingPolicy(sent["indexingPolicy"])
	if err != nil {
		return err
	}
	properties := map[string]any{"id": c.id, "_docs": "docs/", "_sprocs": "sprocs/", "_triggers": "triggers/", "_udfs": "udfs/", "_conflicts": "conflicts/"}
	for _, name := range keptProperties {
		if raw, ok := sent[name]; ok && string(raw) != "null" {
			properties[name] = raw
		} else if text, ok := defaultProperties[name]; ok {
			properties[name] = json.RawMessage(text)
		}
	}
	properties["indexingPolicy"] = indexing
	if c.uniquePolicy != nil {
		properties["uniqueKeyPolicy"] = c.uniquePolicy
	}
	c.composite = composite
	if c.defaultTTL != ttl {
		c.defaultTTL = ttl
		c.reschedule()
	}
	c.etag = newETag()
	c.raw = resource(properties, c.rid, c.self(), c.etag, call.now)
	return nil
}

// container returns the container that a request names. It refuses a request that
// was meant for an earlier container of the same name.
func (s *Server) container(c *call) (*container, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, err := s.database(c.target)
	if err != nil {
		return nil, err
	}
	found, ok := d.containers.get(c.target.container)
	if !ok {
		if c.target.kind == "colls" {
			return nil, notFound()
		}
		return nil, ownerNotFound()
	}
	if want := c.Header.Get("x-ms-cosmos-intended-collection-rid"); want != "" && want != ridText(found.rid) {
		return nil, fail(http.StatusBadRequest, substatusWrongContainer,
			"Collection rid %s of the request is not the rid of the collection, %s: it was recreated. Read it again.", want, ridText(found.rid))
	}
	return found, nil
}

func (s *Server) createContainer(call *call) (*reply, error) {
	id, sent, err := resourceID(call.body)
	if err != nil {
		return nil, err
	}
	definition, err := parseKeyDefinition(sent["partitionKey"], s.options.Lenient)
	if err != nil {
		return nil, err
	}
	throughput, err := s.parseProvisioned(call.Header, "Setting offer throughput or autopilot on container")
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.database(call.target)
	if err != nil {
		return nil, err
	}
	if _, ok := d.containers.get(id); ok {
		return nil, conflict()
	}
	policy := sent["uniqueKeyPolicy"]
	unique, err := uniqueKeys(policy)
	if err != nil {
		return nil, err
	}
	if throughput == nil && d.offer == nil && !s.options.Serverless {
		throughput = &provisioned{Manual: max(s.options.Throughput, minManual)}
	}
	n := s.options.Partitions
	if throughput != nil {
		n = max(n, throughput.partitions())
	}
	c := &container{
		id: id, rid: newRID(d.rid, true), database: d,
		limits: &s.options, throttles: s.options.Throughput > 0,
		key: definition, paths: definition.names(),
		unique: unique, uniquePolicy: policy,
		partitions: map[string]*logicalPartition{},
		ranges:     splitEvenly(n), nextRange: n, rangeVersion: 1,
	}
	if err := c.describe(sent, call); err != nil {
		return nil, err
	}
	if throughput != nil {
		c.offer = s.addOffer(*throughput, c.rid, c.self(), call.now)
	}
	d.containers.add(id, c)
	return resourceReply(http.StatusCreated, c.raw, c.etag), nil
}

func (s *Server) readContainer(call *call) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return resourceReply(http.StatusOK, c.raw, c.etag), nil
}

// replaceContainer changes policies. The id and the partition key are immutable.
func (s *Server) replaceContainer(call *call) (*reply, error) {
	id, sent, err := resourceID(call.body)
	if err != nil {
		return nil, err
	}
	definition, err := parseKeyDefinition(sent["partitionKey"], s.options.Lenient)
	if err != nil {
		return nil, err
	}
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if match := call.Header.Get("If-Match"); match != "" && match != c.etag {
		return nil, preconditionFailed()
	}
	if id != c.id {
		return nil, badRequest("The id of a collection cannot be changed from %q to %q: move the data to a new one.", c.id, id)
	}
	if !definition.equal(c.key) {
		return nil, badRequest("The partition key of collection %q cannot be changed: move the data to a new one.", c.id)
	}
	unique, err := uniqueKeys(sent["uniqueKeyPolicy"])
	if err != nil {
		return nil, err
	}
	if len(unique)+len(c.unique) > 0 && !reflect.DeepEqual(unique, c.unique) {
		return nil, fail(http.StatusForbidden, 0, "The unique index cannot be modified: send the unique key policy as it is, or move the data to a new collection.")
	}
	if err := c.describe(sent, call); err != nil {
		return nil, err
	}
	return resourceReply(http.StatusOK, c.raw, c.etag), nil
}

func (s *Server) deleteContainer(call *call) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if current, ok := c.database.containers.get(c.id); !ok || current != c {
		return nil, notFound()
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if match := call.Header.Get("If-Match"); match != "" && match != c.etag {
		return nil, preconditionFailed()
	}
	c.database.containers.remove(c.id)
	s.removeOffer(c.offer)
	return &reply{status: http.StatusNoContent, charge: chargeMetadata}, nil
}

// readContainers lists the containers of a database, or queries them.
func (s *Server) readContainers(call *call) (*reply, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, err := s.database(call.target)
	if err != nil {
		return nil, err
	}
	var list [][]byte
	for _, c := range d.containers.all() {
		c.mu.RLock()
		list = append(list, c.raw)
		c.mu.RUnlock()
	}
	return call.metadataFeed("DocumentCollections", ridText(d.rid), list)
}
