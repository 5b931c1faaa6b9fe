package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/cosmossql/value"
)

var errNotScalar = errors.New("neither a string nor a number, a boolean or null")

// document is one version of an item. It is never changed: a replacement is a
// new document with the same seq.
type document struct {
	// seq counts the creations in a container. Scans run in its order, and the
	// resource id is made of it.
	seq uint64
	id  string
	key *key
	// raw is the text of the item, system properties included.
	raw []byte
	// value is raw, decoded for queries.
	value value.Value
	etag  string
	// ts is the second in which this version was written. ttl is its time to live:
	// seconds, -1 for never, or 0 for the default of the container.
	ts, ttl int64
	// lsn is the place of this version among the writes of its range.
	lsn int64
}

// maxID is the length of an id in bytes ("Azure Cosmos DB service quotas").
const maxID = 1023

// property is one member of a JSON object.
type property struct {
	name string
	raw  json.RawMessage
}

// systemProperties are the properties that the service sets. Values that a client
// sends for them are ignored.
var systemProperties = []string{"_rid", "_self", "_etag", "_attachments", "_ts"}

// parseObject reads a JSON object. It returns its members in their order, with values
// in canonical form and each name once (the last member of a name counts).
func parseObject(body []byte) ([]property, error) {
	invalid := badRequest("The request payload is invalid. Ensure to provide a valid request payload: the body must be one JSON object in UTF-8.")
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, invalid
	}
	list, err := members(body)
	if err != nil {
		return nil, err
	}
	for i, p := range list {
		if list[i].raw, err = canonicalJSON(p.raw); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// members splits valid JSON, which must be an object, into its members, each name
// once (the last member of a name counts).
func members(body []byte) ([]property, error) {
	invalid := badRequest("The request payload is invalid. Ensure to provide a valid request payload: the body must be one JSON object in UTF-8.")
	d := json.NewDecoder(bytes.NewReader(body))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, invalid
	}
	var list []property
	at := map[string]int{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, invalid
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, invalid
		}
		p := property{name.(string), raw}
		if i, ok := at[p.name]; ok {
			list[i] = p
			continue
		}
		at[p.name] = len(list)
		list = append(list, p)
	}
	return list, nil
}

// propertyMap indexes members by name.
func propertyMap(list []property) map[string]json.RawMessage {
	m := make(map[string]json.RawMessage, len(list))
	for _, p := range list {
		m[p.name] = p.raw
	}
	return m
}

// documentID returns the id of a document, checked.
func documentID(properties map[string]json.RawMessage, lenient bool) (string, error) {
	raw, ok := properties["id"]
	if !ok {
		return "", badRequest("The input content is invalid because the required properties - 'id; ' - are missing")
	}
	var id *string
	if json.Unmarshal(raw, &id) != nil || id == nil {
		return "", badRequest("The input content is invalid because the property 'id' is not a string")
	}
	return *id, checkID(*id, lenient)
}

// checkID refuses ids that the service's documentation forbids.
func checkID(id string, lenient bool) error {
	switch {
	case id == "":
		return badRequest("The input name '' is invalid: an id has at least one character.")
	case len(id) > maxID:
		return badRequest("The input name is invalid: an id of %d bytes is longer than %d.", len(id), maxID)
	case !lenient && strings.ContainsAny(id, `/\?#`):
		return badRequest("The input name '%s' is invalid: an id cannot hold '/', '\\', '?' or '#'.", id)
	}
	return nil
}

// encodeDocument writes the members as a JSON object, followed by the system
// properties in the order in which the service writes them.
func encodeDocument(list []property, rid, self, etag string, ts int64) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, p := range list {
		if slices.Contains(systemProperties, p.name) {
			continue
		}
		writeMember(&b, p.name, p.raw)
	}
	writeMember(&b, "_rid", quote(rid))
	writeMember(&b, "_self", quote(self))
	writeMember(&b, "_etag", quote(etag))
	writeMember(&b, "_attachments", quote("attachments/"))
	writeMember(&b, "_ts", strconv.AppendInt(nil, ts, 10))
	b.WriteByte('}')
	return b.Bytes()
}

// writeMember appends a member to an object that is being written.
func writeMember(b *bytes.Buffer, name string, raw []byte) {
	if b.Len() > 1 {
		b.WriteByte(',')
	}
	b.Write(quote(name))
	b.WriteByte(':')
	b.Write(raw)
}

// quote writes a string as JSON, and escapes only what JSON requires.
func quote(s string) []byte { return encode(s) }

// encode writes strings, integers, and lists and maps of them as JSON, and escapes
// only what JSON requires. Such values always encode.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
