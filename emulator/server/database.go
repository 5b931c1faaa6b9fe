package server

import (
	"net/http"
)

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
	d, err := s.account.createDatabase(id, throughput, c.now)
	if err != nil {
		return nil, err
	}
	raw, etag := d.text()
	return resourceReply(http.StatusCreated, raw, etag), nil
}

func (s *Server) readDatabase(c *call) (*reply, error) {
	d, _ := s.account.find(c.target.database, "")
	if d == nil {
		return nil, notFound()
	}
	raw, etag := d.text()
	return resourceReply(http.StatusOK, raw, etag), nil
}

func (s *Server) deleteDatabase(c *call) (*reply, error) {
	if err := s.account.deleteDatabase(c.target.database, c.Header.Get("If-Match")); err != nil {
		return nil, err
	}
	return &reply{status: http.StatusNoContent, charge: chargeMetadata}, nil
}

// readDatabases lists the databases, or queries them.
func (s *Server) readDatabases(c *call) (*reply, error) {
	return c.metadataFeed("Databases", "", s.account.databaseTexts())
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
	return &reply{status: statusOK, body: body, charge: chargeMetadata}, nil
}

// queryResources runs a query over databases or containers.
func queryResources(call *call, list [][]byte) ([][]byte, error) {
	q, err := parseQuery(call.body)
	if err != nil {
		return nil, err
	}
	call.entry.Query = q.text
	return q.runOver(list)
}
