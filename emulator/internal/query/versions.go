package query

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// The modes of the change feed, as the header A-IM names them.
const (
	latestVersions = "Incremental feed"
	allVersions    = "Full-Fidelity Feed"
)

// The header by which SDKs request changes with metadata next to the document, and the only
// value that they send.
const (
	wireFormat    = "x-ms-cosmos-changefeed-wire-format-version"
	metadataApart = "2021-09-15"
)

// checkAllVersions refuses requests that the service refuses in the feed of all versions and
// deletions ("Change feed modes in Azure Cosmos DB", under limitations).
func checkAllVersions(c *store.Container, h http.Header) error {
	switch {
	case !c.KeepsVersions():
		return status.BadRequest("Change Feed 'All Versions and Deletes' mode must be enabled: see https://aka.ms/ChangeFeed-AllVersionsAndDeletes (here by Options.AllVersions, or by pkgen-emulator -all-versions).")
	case h.Get(wireFormat) != metadataApart:
		return status.Unsupported("the change feed mode %s without the header %s: %s", allVersions, wireFormat, metadataApart)
	case h.Get("If-None-Match") != "":
		return nil
	case h.Get("If-Modified-Since") != "":
		return status.BadRequest("The change feed of all versions and deletes cannot begin at a time: begin now (If-None-Match: *), or go on from an etag.")
	}
	return status.BadRequest("The change feed of all versions and deletes cannot begin at the beginning: begin now (If-None-Match: *), or go on from an etag.")
}

// versions reads a page of all versions and deletions.
func (f *Changes) versions() (*Page, int64) {
	p := &Page{Range: f.read.source.part}
	last := f.read.least()
	for _, v := range f.read.kept {
		if !f.shows(f.read, v) {
			continue
		}
		p.Examined++
		if p.full(f.rows) && v.LSN != last {
			return p, last
		}
		p.add(encodeVersion(f.container, v))
		last = v.LSN
	}
	return p, max(last, p.Range.LSN)
}

// shows reports whether a change is in the scope and unknown to the client.
func (f *Changes) shows(p part, v store.Version) bool {
	return v.LSN > p.after(v.Document.Key) && f.scope.holds(v.Document.Key)
}

// holds reports whether documents of a key are in a scope.
func (s *scope) holds(k *store.Key) bool {
	if !s.window.holds(k.EPK) {
		return false
	}
	if s.keys != nil {
		return slices.ContainsFunc(s.keys, func(one *store.Key) bool { return one.Text == k.Text })
	}
	return s.prefix == nil || k.HasPrefix(s.prefix)
}

// encodeVersion writes a change with its metadata. The document is the one after the change;
// the service does not send the one before it.
func encodeVersion(c *store.Container, v store.Version) []byte {
	var metadata bytes.Buffer
	metadata.WriteByte('{')
	jsontext.WriteMember(&metadata, "operationType", jsontext.Quote(operationTypes[v.Kind]))
	jsontext.WriteMember(&metadata, "lsn", strconv.AppendInt(nil, v.LSN, 10))
	jsontext.WriteMember(&metadata, "crts", strconv.AppendInt(nil, v.TS, 10))
	if v.Kind != store.Create {
		jsontext.WriteMember(&metadata, "previousImageLSN", strconv.AppendInt(nil, v.Previous, 10))
	}
	if v.Expired {
		jsontext.WriteMember(&metadata, "timeToLiveExpired", []byte("true"))
	}
	if v.Kind == store.Delete {
		jsontext.WriteMember(&metadata, "id", jsontext.Quote(v.Document.ID()))
		jsontext.WriteMember(&metadata, "partitionKey", namedKey(c, v.Document.Key))
		metadata.WriteByte('}')
		return envelope(nil, metadata.Bytes())
	}
	metadata.WriteByte('}')
	return envelope(v.Document.Raw, metadata.Bytes())
}

// operationTypes are the names of changes.
var operationTypes = map[store.ActionKind]string{store.Create: "create", store.Replace: "replace", store.Delete: "delete"}

// envelope writes a document and its metadata. document may be nil.
func envelope(document, metadata []byte) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	if document != nil {
		jsontext.WriteMember(&b, "current", document)
	}
	jsontext.WriteMember(&b, "metadata", metadata)
	b.WriteByte('}')
	return b.Bytes()
}

// namedKey writes a key as an object whose properties are the paths of the container,
// without the slash at the beginning. It leaves out undefined components.
func namedKey(c *store.Container, k *store.Key) []byte {
	var components []json.RawMessage
	if err := json.Unmarshal([]byte(k.Text), &components); err != nil { // the store wrote it
		panic("emulator: " + err.Error())
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, path := range c.Paths {
		if string(components[i]) != "{}" {
			jsontext.WriteMember(&b, strings.Join(path, "/"), components[i])
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}
