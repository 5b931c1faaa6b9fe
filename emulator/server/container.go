package server

import (
	"net/http"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// container returns the container of a request. It refuses a request that was meant for an
// earlier container with the same name.
func (s *Server) container(c *call) (*store.Container, error) {
	d, found := s.account.Find(c.target.database, c.target.container)
	switch {
	case d != nil && found == nil && c.target.kind == "colls":
		return nil, status.NoSuchEntity()
	case found == nil:
		return nil, status.NoSuchOwner()
	}
	if want, rid := c.Header.Get("X-Ms-Cosmos-Intended-Collection-Rid"), found.RID(); want != "" && want != rid {
		return nil, status.New(http.StatusBadRequest, status.WrongContainer,
			"Collection rid %s of the request is not the rid of the collection, %s: it was recreated. Read it again.", want, rid)
	}
	return found, nil
}

// replica returns the replica of the request's container in the request's region.
func (s *Server) replica(c *call) (*store.Container, error) {
	found, err := s.container(c)
	if err != nil {
		return nil, err
	}
	return found.In(c.place.Number), nil
}

func (s *Server) createContainer(call *call) (*reply, error) {
	id, sent, err := store.ResourceID(call.body)
	if err != nil {
		return nil, err
	}
	definition, err := store.ParseKeyDefinition(sent["partitionKey"], s.options.Lenient)
	if err != nil {
		return nil, err
	}
	throughput, err := s.parseProvisioned(call.Header, "Setting offer throughput or autopilot on container")
	if err != nil {
		return nil, err
	}
	c, err := s.account.CreateContainer(call.target.database, id, definition, sent, throughput, call.now)
	if err != nil {
		return nil, err
	}
	raw, etag := c.Text(call.now)
	return resourceReply(http.StatusCreated, raw, etag), nil
}

func (s *Server) readContainer(call *call) (*reply, error) {
	c, err := s.replica(call)
	if err != nil {
		return nil, err
	}
	raw, etag := c.Text(call.now)
	r := resourceReply(http.StatusOK, raw, etag)
	ranges, _ := c.SurveyRanges(call.now)
	addStatistics(r, call, ranges)
	return r, nil
}

// replaceContainer changes policies. The id and the partition key are immutable.
func (s *Server) replaceContainer(call *call) (*reply, error) {
	id, sent, err := store.ResourceID(call.body)
	if err != nil {
		return nil, err
	}
	definition, err := store.ParseKeyDefinition(sent["partitionKey"], s.options.Lenient)
	if err != nil {
		return nil, err
	}
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	raw, etag, err := c.Replace(id, definition, sent, call.Header.Get("If-Match"), call.now)
	if err != nil {
		return nil, err
	}
	return resourceReply(http.StatusOK, raw, etag), nil
}

func (s *Server) deleteContainer(call *call) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	if err := s.account.DeleteContainer(c, call.Header.Get("If-Match"), call.now); err != nil {
		return nil, err
	}
	return &reply{status: http.StatusNoContent, charge: charge.Metadata}, nil
}

// readContainers lists the containers of a database, or queries them.
func (s *Server) readContainers(call *call) (*reply, error) {
	d, _ := s.account.Find(call.target.database, "")
	if d == nil {
		return nil, status.NoSuchOwner()
	}
	return call.metadataFeed("DocumentCollections", d.RID(), s.account.ContainerTexts(d, call.now))
}
