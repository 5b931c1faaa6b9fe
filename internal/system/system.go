// Package system has the properties that the service adds to documents, and computes when documents
// expire.
package system

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

// Properties are the properties that the service adds to a document, or replaces in it.
var Properties = []string{"_rid", "_self", "_etag", "_attachments", "_ts"}

// Fed are Properties, and those that a change feed adds.
var Fed = append(slices.Clone(Properties), "_lsn")

// Properties that determine the expiry of a document.
const (
	TTL = "ttl" // time to live in seconds after the last write; -1 means for ever
	TS  = "_ts" // time of the last write, in Unix seconds
)

// Expiry is the default time to live of a container, in seconds: 0 if no document expires, and
// below 0 if only documents with a time to live of their own do ("Time to Live (TTL) in Azure
// Cosmos DB").
type Expiry int64

// ExpiryOf returns the default time to live from the definition of a container.
func ExpiryOf[N int | int32](ttl *N) Expiry {
	if ttl == nil {
		return 0
	}
	return Expiry(*ttl)
}

// At returns the second in which a document with these values of ttl and _ts expires, or 0 if it
// does not. The values are JSON, empty if absent. An invalid ttl counts as absent.
func (e Expiry) At(ttl, ts []byte) int64 {
	written, err := strconv.ParseInt(string(bytes.TrimSpace(ts)), 10, 64)
	life := e.life(ttl)
	if life <= 0 || err != nil {
		return 0
	}
	return written + life
}

// Expires reports whether a document with this ttl expires.
func (e Expiry) Expires(ttl []byte) bool { return e.life(ttl) > 0 }

func (e Expiry) life(ttl []byte) int64 {
	if e == 0 {
		return 0
	}
	if own, err := strconv.ParseInt(string(bytes.TrimSpace(ttl)), 10, 64); err == nil {
		return own
	}
	return int64(e)
}

// Left returns the ttl with which a copy of a document expires when the original would. It is at
// least 1, since a document that a program has read must not stay for ever, and at most the
// original ttl. It returns nil to keep the ttl: the document does not expire, or now is zero
// because the service's time is unknown.
func (e Expiry) Left(ttl, ts []byte, now time.Time) json.RawMessage {
	at := e.At(ttl, ts)
	if at == 0 || now.IsZero() {
		return nil
	}
	return strconv.AppendInt(nil, min(max(at-now.Unix(), 1), e.life(ttl)), 10)
}
