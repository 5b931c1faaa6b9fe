package server

import (
	"encoding/json"
	"net/http"
	"time"
)

// database is a database and its containers. The lock of the server guards it.
type database struct {
	rid        []byte
	raw        []byte
	etag       string
	offer      *offer // nil without throughput of its own
	containers registry[*container]
}

func (d *database) self() string { return "dbs/" + ridText(d.rid) + "/" }

// database returns the database that a request names. The caller holds the lock.
func (s *Server) database(t target) (*database, error) {
	d, ok := s.databases.get(t.database)
	if !ok {
		if t.container == "" && !t.feed {
			return nil, notFound()
		}
		return nil, ownerNotFound()
	}
	return d, nil
}

// resourceID reads the id of a database or container out of a body.
func resourceID(body []byte) (string, map[string]json.RawMessage, error) {
	list, err := parseObject(body)
	if err != nil {
		return "", nil, err
	}
	properties := propertyMap(list)
	// These ids have the rules of item ids, even in lenient mode: they are part of
	// every path.
	id, err := documentID(properties, false)
	if err == nil && len(id) > 255 {
		err = badRequest("The input name is invalid: the id of a database or container has at most 255 characters.")
	}
	return id, properties, err
}

// resource writes a database or container as JSON, with its system properties.
func resource(properties map[string]any, rid []byte, self, etag string, now time.Time) []byte {
	properties["_rid"] = ridText(rid)
	properties["_self"] = self
	properties["_etag"] = etag
	properties["_ts"] = now.Unix()
	return jsonReply(0, properties).body
}

// resourceReply answers with a database or container.
func resourceReply(status int, raw []byte, etag string) *reply {
	return &reply{status: status, body: raw, charge: chargeMetadata, header: map[string]string{"etag": etag}}
}

func (s *Server) createDatabase(c *call) (*reply, error) {
	id, _, err := resourceID(c.body)
	if err != nil {
		return nil, err
	}
	throughput, err := s.parseProvisioned(c.Header, "Shared throughput database creation")
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.databases.get(id); ok {
		return nil, conflict()
	}
	d := &database{rid: newRID(nil, false), etag: newETag()}
	d.raw = resource(map[string]any{"id": id, "_colls": "colls/", "_users": "users/"}, d.rid, d.self(), d.etag, c.now)
	if throughput != nil {
		d.offer = s.addOffer(*throughput, d.rid, d.self(), c.now)
	}
	s.databases.add(id, d)
	return resourceReply(http.StatusCreated, d.raw, d.etag), nil
}

func (s *Server) readDatabase(c *call) (*reply, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, err := s.database(c.target)
	if err != nil {
		return nil, err
	}
	return resourceReply(http.StatusOK, d.raw, d.etag), nil
}

func (s *Server) deleteDatabase(c *call) (*reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.database(c.target)
	if err != nil {
		return nil, err
	}
	if match := c.Header.Get("If-Match"); match != "" && match != d.etag {
		return nil, preconditionFailed()
	}
	s.databases.remove(c.target.database)
	s.removeOffer(d.offer)
	for _, found := range d.containers.all() {
		s.removeOffer(found.offer)
	}
	return &reply{status: http.StatusNoContent, charge: chargeMetadata}, nil
}

// readDatabases lists the databases, or queries them.
func (s *Server) readDatabases(c *call) (*reply, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list [][]byte
	for _, d := range s.databases.all() {
		list = append(list, d.raw)
	}
	return c.metadataFeed("Databases", "", list)
}

// metadataFeed answers with a list of resources, or with the rows of a query over
// them, in one page.
func (c *call) metadataFeed(name, ownerRID string, list [][]byte) (*reply, error) {
	if c.Method == http.MethodPost {
		var err error
		if list, err = queryResources(c, list); err != nil {
			return nil, err
		}
	}
	body := feedBody(ownerRID, name, list)
	c.entry.Items = len(list)
	return &reply{status: http.StatusOK, body: body, charge: chargeMetadata}, nil
}
