package store

import (
	"encoding/json"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Database is a database and its containers. The lock of the account guards it; its
// text and entity tag never change.
type Database struct {
	identity
	order      int // of the creation in the account
	raw        []byte
	etag       string
	offer      *offer // nil without throughput of its own
	containers registry[*Container]
}

// Text returns the JSON of a database and its entity tag.
func (d *Database) Text() (raw []byte, etag string) { return d.raw, d.etag }

// maxSharing is how many containers may share the throughput of a database ("Azure Cosmos DB
// service quotas").
const maxSharing = 25

// sharing is how many containers share the throughput of the database. The caller holds the
// lock of the account.
func (d *Database) sharing() int {
	n := 0
	for _, c := range d.containers.all() {
		if c.offer == nil {
			n++
		}
	}
	return n
}

// ResourceID reads the id of a database or container out of a body.
func ResourceID(body []byte) (string, map[string]json.RawMessage, error) {
	list, err := jsontext.ParseObject(body)
	if err != nil {
		return "", nil, err
	}
	properties := jsontext.ByName(list)
	// These ids have the rules of item ids, even in lenient mode: they are part of
	// every path.
	id, err := documentID(properties, false)
	if err == nil && len(id) > 255 {
		err = status.BadRequest("The input name is invalid: the id of a database or container has at most 255 characters.")
	}
	return id, properties, err
}

// resource writes a database or container as JSON, with its system properties.
func resource(properties map[string]any, rid []byte, self, etag string, now time.Time) []byte {
	properties["_rid"] = ridText(rid)
	properties["_self"] = self
	properties["_etag"] = etag
	properties["_ts"] = now.Unix()
	return MustJSON(properties)
}

// MustJSON writes maps, slices and JSON that was parsed before.
func MustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("emulator: " + err.Error())
	}
	return b
}
