package header

import (
	"net/http"
	"strings"
)

// PartitionKey is the header with the partition key of a request, as JSON.
const PartitionKey = "X-Ms-Documentdb-Partitionkey"

// Continuation is the header with a continuation token.
const Continuation = "X-Ms-Continuation"

// IsTrue reports whether a header says true, in any case.
func IsTrue(h http.Header, name string) bool {
	return strings.EqualFold(h.Get(name), "true")
}

// RangeID returns the id of the range to which a request is scoped. Some
// SDKs put the container's resource id and a comma before it.
func RangeID(h http.Header) string {
	id := h.Get("X-Ms-Documentdb-Partitionkeyrangeid")
	return id[strings.LastIndexByte(id, ',')+1:]
}
