package cursor

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
)

// Version of the format of cursors. Before what a cursor says stand the version,
// one byte, and the CRC-32 (IEEE) of the version and the rest in four bytes, big
// endian; the whole is in base64 for URLs, without padding. The rest is one byte
// for its form, and the JSON of a position, in the open or closed by a key. The
// checksum is no signature: it finds texts that were cut off or mixed up.
const (
	Version    = 2
	HeaderSize = 5
)

// Forms of a cursor.
const (
	Open   = 0
	closed = 1
)

// Longest texts that are looked at. Nobody can make a program decode more.
const (
	MaxPage = 64 << 10
	MaxFeed = 1 << 20
)

// Purposes of cursors, which are not taken for each other.
const (
	OfPage = "page"
	OfFeed = "changes"
)

// Written returns the text of a cursor for this purpose, closed if there are keys.
func (k Keys) Written(purpose string, body []byte) string {
	if len(k) == 0 {
		return framed(Open, body)
	}
	return framed(closed, k[0].closed(purpose, body))
}

// Read returns the JSON in what written has made.
func (k Keys) Read(purpose, cursor string, longest int) ([]byte, error) {
	form, body, err := unframed(cursor, longest)
	switch {
	case err != nil:
		return nil, err
	case form == Open && len(k) == 0:
		return body, nil
	case form == Open:
		return nil, errors.New("it is not closed by a key, and WithCursorKey takes no other: begin again without a cursor")
	case len(k) == 0:
		return nil, errors.New("it is closed by a key: give that to WithCursorKey, or begin again without a cursor")
	}
	for _, key := range k {
		if opened, ok := key.opened(purpose, body); ok {
			return opened, nil
		}
	}
	return nil, errors.New("it was changed, or is closed by a key that WithCursorKey does not have: begin again without a cursor")
}

// framed writes the form and the body of a cursor as text.
func framed(form byte, body []byte) string {
	text := make([]byte, HeaderSize, HeaderSize+1+len(body))
	text[0] = Version
	text = append(append(text, form), body...)
	binary.BigEndian.PutUint32(text[1:], Sum(text))
	return base64.RawURLEncoding.EncodeToString(text)
}

// unframed returns the form and the body in what framed has written.
func unframed(cursor string, longest int) (form byte, body []byte, err error) {
	if len(cursor) > longest {
		return 0, nil, fmt.Errorf("it has %d bytes, and the longest that is looked at %d", len(cursor), longest)
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	switch {
	case err != nil || len(text) < HeaderSize || binary.BigEndian.Uint32(text[1:]) != Sum(text):
		return 0, nil, ErrDamaged
	case text[0] > Version:
		return 0, nil, fmt.Errorf("it is of version %d, and this program reads %d at most: update its module, or begin again without a cursor", text[0], Version)
	case text[0] == Version-1:
		return 0, nil, fmt.Errorf("it is of version %d, and this program reads %d: begin again without a cursor", text[0], Version)
	case text[0] != Version || len(text) == HeaderSize || !slices.Contains([]byte{Open, closed}, text[HeaderSize]):
		return 0, nil, ErrDamaged
	}
	return text[HeaderSize], text[HeaderSize+1:], nil
}

// Sum is the checksum of the version and the rest of a cursor.
func Sum(text []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(text[:1]), crc32.IEEETable, text[HeaderSize:])
}

// ErrDamaged is why a text that was changed or cut off is not read as a cursor.
var ErrDamaged = errors.New("it is damaged: pass what Page.Cursor or Change.Cursor gave, unchanged")

// ErrOtherContainer is why a cursor does not fit that has outlived its container.
var ErrOtherContainer = errors.New("it is of another container, which may have had the same name: begin again without a cursor")
