package store

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
)

// Resource ids have the form of the service: four bytes for a database, four more for a
// container, eight more for an item or range, as base64 in which a minus replaces the slash.
// The bytes of databases and containers are random, so that two servers, or two containers of
// one name, never share an id. A client therefore notices that its cache is stale.

// newRID returns a random id for a new child of parent. The top bit of its first byte
// is set for containers, as in the service.
func newRID(parent []byte, container bool) []byte {
	var b [4]byte
	// crypto/rand.Read never returns an error.
	_, _ = rand.Read(b[:])
	b[0] &^= 0x80
	if container {
		b[0] |= 0x80
	}
	return append(parent[:len(parent):len(parent)], b[:]...)
}

// childRID returns the id of the n-th resource inside a container.
func childRID(container []byte, n uint64) []byte {
	return binary.LittleEndian.AppendUint64(container[:len(container):len(container)], n)
}

// rangeRID returns the id of a partition key range, which the service marks by
// the last byte.
func rangeRID(container []byte, n int) []byte {
	return childRID(container, uint64(n)|0x50<<56)
}

// ridText is the text form of a resource id.
func ridText(rid []byte) string {
	return strings.ReplaceAll(base64.StdEncoding.EncodeToString(rid), "/", "-")
}

// newOfferID returns an id for an offer, which is also its resource id. It is the
// base64 of three bytes, so that it has no padding in a path.
func newOfferID() string {
	var b [3]byte
	_, _ = rand.Read(b[:])
	return ridText(b[:])
}

// NewUUID returns a random UUID, version 4.
func NewUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return uuidText(b)
}

// uuidText writes bytes in the form of a UUID.
func uuidText(b [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// newETag returns an entity tag that no other version of any resource has, in
// quotes and in the service's shape.
func newETag() string { return `"` + NewUUID() + `"` }
