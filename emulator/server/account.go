package server

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// location is a region of the account and its endpoint.
type location struct {
	Name     string `json:"name"`
	Endpoint string `json:"databaseAccountEndpoint"`
}

// locations returns the regions that the account lists for a client: the write regions, and all
// of them.
func (s *Server) locations(c *call) (writable, readable []location) {
	if len(s.options.Regions) == 0 {
		one := []location{{store.DefaultRegion, c.endpoint()}}
		return one, one
	}
	writable, readable = []location{}, []location{}
	for _, r := range s.Regions() {
		if r.Removed {
			continue
		}
		one := location{r.Name, c.regionEndpoint(r.Endpoint)}
		readable = append(readable, one)
		if r.Writable {
			writable = append(writable, one)
		}
	}
	return writable, readable
}

// readAccount serves GET /. Clients send it first, and send all other requests to the endpoints
// in the response.
func (s *Server) readAccount(c *call) (*reply, error) {
	writable, readable := s.locations(c)
	return jsonReply(status.OK, map[string]any{
		"_self":                        "",
		"id":                           "emulator",
		"_rid":                         "emulator",
		"media":                        "//media/",
		"addresses":                    "//addresses/",
		"_dbs":                         "//dbs/",
		"writableLocations":            writable,
		"readableLocations":            readable,
		"enableMultipleWriteLocations": s.account.MultiWrite(),
		"userReplicationPolicy":        map[string]any{"asyncReplication": false, "minReplicaSetSize": 1, "maxReplicasetSize": 4},
		"userConsistencyPolicy":        s.consistencyPolicy(),
		"systemReplicationPolicy":      map[string]any{"minReplicaSetSize": 1, "maxReplicasetSize": 4},
		"readPolicy":                   map[string]any{"primaryReadCoefficient": 1, "secondaryReadCoefficient": 1},
	}), nil
}

// consistencyPolicy is the default consistency level, with the bounds of BoundedStaleness.
func (s *Server) consistencyPolicy() map[string]any {
	policy := map[string]any{"defaultConsistencyLevel": s.options.Consistency}
	if bound := s.account.Staleness(); bound != nil {
		policy["maxStalenessPrefix"] = bound.Writes
		policy["maxStalenessIntervalInSeconds"] = int(bound.Time.Seconds())
	}
	return policy
}

// endpoint is the base URL under which the client reaches the server.
func (c *call) endpoint() string {
	switch {
	case c.front.Endpoint != "":
		return c.front.Endpoint
	case c.TLS != nil:
		return "https://" + c.Host + "/"
	}
	return "http://" + c.Host + "/"
}

// jsonReply is an answer with a JSON body, charged as metadata.
func jsonReply(status int, body any) *reply {
	return &reply{status: status, body: store.MustJSON(body), charge: charge.Metadata}
}
