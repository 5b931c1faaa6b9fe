package server

import (
	"net/http"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/query"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// resourceReply answers with a database or container.
func resourceReply(status int, raw []byte, etag string) *reply {
	return &reply{status: status, body: raw, charge: charge.Metadata, header: map[string]string{"etag": etag}}
}

func (s *Server) createDatabase(c *call) (*reply, error) {
	id, _, err := store.ResourceID(c.body)
	if err != nil {
		return nil, err
	}
	throughput, err := s.parseProvisioned(c.Header, "Shared throughput database creation")
	if err != nil {
		return nil, err
	}
	d, err := s.account.CreateDatabase(id, throughput, c.now)
	if err != nil {
		return nil, err
	}
	raw, etag := d.Text()
	return resourceReply(http.StatusCreated, raw, etag), nil
}

func (s *Server) readDatabase(c *call) (*reply, error) {
	d, _ := s.account.Find(c.target.database, "")
	if d == nil {
		return nil, status.NoSuchEntity()
	}
	raw, etag := d.Text()
	return resourceReply(http.StatusOK, raw, etag), nil
}

func (s *Server) deleteDatabase(c *call) (*reply, error) {
	if err := s.account.DeleteDatabase(c.target.database, c.Header.Get("If-Match")); err != nil {
		return nil, err
	}
	return &reply{status: http.StatusNoContent, charge: charge.Metadata}, nil
}

// readDatabases lists the databases, or queries them.
func (s *Server) readDatabases(c *call) (*reply, error) {
	return c.metadataFeed("Databases", "", s.account.DatabaseTexts())
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
	return &reply{status: status.OK, body: body, charge: charge.Metadata}, nil
}

// queryResources runs a query over databases or containers.
func queryResources(call *call, list [][]byte) ([][]byte, error) {
	q, err := query.Parse(call.body, call.meter)
	if err != nil {
		return nil, err
	}
	call.entry.Query = q.Text
	return q.RunOver(list, nil, call.now)
}
