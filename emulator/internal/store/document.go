package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

var errNotScalar = errors.New("neither a string nor a number, a boolean or null")

// Document is one version of an item. It is never changed: a replacement is a
// new document with the same seq. It keeps no decoded form: a query decodes what it reads.
type Document struct {
	// Seq counts the creations in a container. Scans run in its order, and the
	// resource id is made of it.
	Seq uint64
	id  string
	Key *Key
	// Raw is the text of the item, system properties included.
	Raw  []byte
	ETag string
	// TS is the second in which this version was written. ttl is its time to live:
	// seconds, -1 for never, or 0 for the default of the container.
	TS, ttl int64
	// LSN is the place of this version among the writes of its range.
	LSN int64
}

// ID is the id of the item.
func (d *Document) ID() string { return d.id }

// maxID is the length of an id in bytes ("Azure Cosmos DB service quotas").
const maxID = 1023

// systemProperties are the properties that the service sets. Values that a client
// sends for them are ignored.
var systemProperties = []string{"_rid", "_self", "_etag", "_attachments", "_ts"}

// documentID returns the id of a document, checked.
func documentID(properties map[string]json.RawMessage, lenient bool) (string, error) {
	raw, ok := properties["id"]
	if !ok {
		return "", status.BadRequest("The input content is invalid because the required properties - 'id; ' - are missing")
	}
	var id *string
	if json.Unmarshal(raw, &id) != nil || id == nil {
		return "", status.BadRequest("The input content is invalid because the property 'id' is not a string")
	}
	return *id, checkID(*id, lenient)
}

// checkID refuses ids that the service's documentation forbids.
func checkID(id string, lenient bool) error {
	switch {
	case id == "":
		return status.BadRequest("The input name '' is invalid: an id has at least one character.")
	case len(id) > maxID:
		return status.BadRequest("The input name is invalid: an id of %d bytes is longer than %d.", len(id), maxID)
	case !lenient && strings.ContainsAny(id, `/\?#`):
		return status.BadRequest("The input name '%s' is invalid: an id cannot hold '/', '\\', '?' or '#'.", id)
	}
	return nil
}

// encodeDocument writes the members as a JSON object, followed by the system
// properties in the order in which the service writes them.
func encodeDocument(list []jsontext.Member, rid, self, etag string, ts int64) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, p := range list {
		if slices.Contains(systemProperties, p.Name) {
			continue
		}
		jsontext.WriteMember(&b, p.Name, p.Raw)
	}
	jsontext.WriteMember(&b, "_rid", jsontext.Quote(rid))
	jsontext.WriteMember(&b, "_self", jsontext.Quote(self))
	jsontext.WriteMember(&b, "_etag", jsontext.Quote(etag))
	jsontext.WriteMember(&b, "_attachments", jsontext.Quote("attachments/"))
	jsontext.WriteMember(&b, "_ts", strconv.AppendInt(nil, ts, 10))
	b.WriteByte('}')
	return bytes.Clone(b.Bytes()) // without the room to grow
}
