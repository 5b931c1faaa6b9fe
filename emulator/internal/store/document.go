package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

var errNotScalar = errors.New("neither a string nor a number, a boolean or null")

// Document is one version of an item. It is immutable: a replacement is a new document with
// the same seq. It keeps no decoded form; a query decodes the properties that it reads.
type Document struct {
	// Seq counts the creations in a container. Scans run in its order, and the resource id
	// contains it.
	Seq uint64
	id  string // it shares the bytes of Raw, if it can
	Key *Key
	// Raw is the text of the item, system properties included.
	Raw []byte
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

// etagMember comes before the entity tag in the text of a document.
var etagMember = []byte(`"_etag":"\"`)

// ETag is the entity tag of this version.
func (d *Document) ETag() string {
	at := bytes.LastIndex(d.Raw, etagMember) + len(etagMember)
	return `"` + string(d.Raw[at:at+bytes.IndexByte(d.Raw[at:], '\\')]) + `"`
}

// encoders are buffers of encodeDocument.
var encoders = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxEncoder is the size of the largest buffer that is used again.
const maxEncoder = 64 << 10

// encodeDocument writes a document as a JSON object, followed by the system properties in
// the order in which the service writes them. The id shares the bytes of the text, unless
// it has escapes there.
func encodeDocument(in *Incoming, rid, self, etag string, ts int64) (id string, raw []byte) {
	b := encoders.Get().(*bytes.Buffer)
	defer func() {
		if b.Cap() <= maxEncoder {
			encoders.Put(b)
		}
	}()
	b.Reset()
	b.WriteByte('{')
	from, to := 0, 0 // of the id
	for _, p := range in.properties {
		if slices.Contains(systemProperties, p.Name) {
			continue
		}
		jsontext.WriteMember(b, p.Name, p.Raw)
		if p.Name == "id" && bytes.IndexByte(p.Raw, '\\') < 0 {
			from, to = b.Len()-len(p.Raw)+1, b.Len()-1
		}
	}
	jsontext.WriteMember(b, "_rid", jsontext.Quote(rid))
	jsontext.WriteMember(b, "_self", jsontext.Quote(self))
	jsontext.WriteMember(b, "_etag", jsontext.Quote(etag))
	jsontext.WriteMember(b, "_attachments", jsontext.Quote("attachments/"))
	jsontext.WriteMember(b, "_ts", strconv.AppendInt(nil, ts, 10))
	b.WriteByte('}')
	raw = bytes.Clone(b.Bytes()) // without the room to grow
	if to == 0 {
		return in.ID, raw
	}
	return value.Text(raw[from:to]), raw
}
