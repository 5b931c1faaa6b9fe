package server

import (
	"encoding/json"
	"time"
)

// database is a database and its containers. The lock of the account guards it; its
// text and entity tag never change.
type database struct {
	rid        []byte
	raw        []byte
	etag       string
	offer      *offer // nil without throughput of its own
	containers registry[*container]
}

func (d *database) self() string { return "dbs/" + ridText(d.rid) + "/" }

// text returns the JSON of a database and its entity tag.
func (d *database) text() (raw []byte, etag string) { return d.raw, d.etag }

// ridString is the resource id of a database.
func (d *database) ridString() string { return ridText(d.rid) }

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
	return mustJSON(properties)
}

// mustJSON writes maps, slices and JSON that was parsed before.
func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("emulator: " + err.Error())
	}
	return b
}
