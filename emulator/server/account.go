package server

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// region is the name that Microsoft's emulator gives to its only region.
const region = "South Central US"

// location is a region of the account and its endpoint.
type location struct {
	Name     string `json:"name"`
	Endpoint string `json:"databaseAccountEndpoint"`
}

// readAccount serves GET /. Clients ask it first, and send everything else to
// the endpoint that it names.
func (s *Server) readAccount(c *call) (*reply, error) {
	locations := []location{{region, c.endpoint()}}
	return jsonReply(status.OK, map[string]any{
		"_self":                        "",
		"id":                           "emulator",
		"_rid":                         "emulator",
		"media":                        "//media/",
		"addresses":                    "//addresses/",
		"_dbs":                         "//dbs/",
		"writableLocations":            locations,
		"readableLocations":            locations,
		"enableMultipleWriteLocations": false,
		"userReplicationPolicy":        map[string]any{"asyncReplication": false, "minReplicaSetSize": 1, "maxReplicasetSize": 4},
		"userConsistencyPolicy":        map[string]any{"defaultConsistencyLevel": "Strong"},
		"systemReplicationPolicy":      map[string]any{"minReplicaSetSize": 1, "maxReplicasetSize": 4},
		"readPolicy":                   map[string]any{"primaryReadCoefficient": 1, "secondaryReadCoefficient": 1},
	}), nil
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
