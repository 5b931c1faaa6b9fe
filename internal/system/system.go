// Package system has the properties that the service gives documents, and how long it keeps
// a document by them.
package system

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

// Properties are what the service adds to a document, or replaces in it.
var Properties = []string{"_rid", "_self", "_etag", "_attachments", "_ts"}

// Fed are Properties, and what a change feed adds to them.
var Fed = append(slices.Clone(Properties), "_lsn")

// Names of properties by which the service keeps a document.
const (
	TTL = "ttl" // the time to live, in seconds from the last write; -1 is for ever
	TS  = "_ts" // when it was last written, in seconds
)

// Expiry is the default time to live of a container, in seconds: 0 if no document expires,
// and below 0 if only documents with a time to live of their own do ("Time to Live (TTL) in
// Azure Cosmos DB").
type Expiry int64

// ExpiryOf returns the default time to live of a container, as its definition has it.
func ExpiryOf[N int | int32](ttl *N) Expiry {
	if ttl == nil {
		return 0
	}
	return Expiry(*ttl)
}

// At returns the second in which the service removes a document whose properties ttl and _ts
// have these values, which are empty if it has none. It returns 0 if the document stays. A
// ttl that is no number of seconds counts as absent.
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

// Left returns the ttl that a document gets when it is stored again, so that it goes when it
// would have gone: 1 at least, since a document that a program has read must not stay for
// ever, and no more than it had. It returns nil if the ttl stays as it is: the document does not expire, or now is
// zero, since the service has not said what time it is.
func (e Expiry) Left(ttl, ts []byte, now time.Time) json.RawMessage {
	at := e.At(ttl, ts)
	if at == 0 || now.IsZero() {
		return nil
	}
	return strconv.AppendInt(nil, min(max(at-now.Unix(), 1), e.life(ttl)), 10)
}
