package server

import (
	"net/http"
	"strings"
)

// headerPartitionKey is the header with the partition key of a request, as JSON.
const headerPartitionKey = "x-ms-documentdb-partitionkey"

// headerContinuation is the header with a continuation token.
const headerContinuation = "x-ms-continuation"

// isTrue reports whether a header says true, in any case.
func isTrue(h http.Header, name string) bool {
	return strings.EqualFold(h.Get(name), "true")
}

// rangeHeader returns the id of the range to which a request is scoped. Some
// SDKs put the container's resource id and a comma before it.
func rangeHeader(h http.Header) string {
	id := h.Get("x-ms-documentdb-partitionkeyrangeid")
	return id[strings.LastIndexByte(id, ',')+1:]
}
