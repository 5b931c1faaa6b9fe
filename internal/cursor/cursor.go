package cursor

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
)

// Version is the version of the cursor format. A cursor begins with the version, one byte, and the
// CRC-32 (IEEE) of the version and the rest, four bytes, big endian. The rest is one byte for its
// form, and the JSON of a position, plain or encrypted. The whole is base64url without padding. The
// checksum is not a signature: it detects truncated and mixed-up texts.
const (
	Version    = 2
	HeaderSize = 5
)

// Forms of a cursor.
const (
	Open   = 0
	closed = 1
)

// Maximum lengths of cursors, in bytes of text. Longer ones are refused without decoding.
const (
	MaxPage = 64 << 10
	MaxFeed = 1 << 20
)

// Purposes of cursors. A cursor is valid for one purpose only.
const (
	ForPage = "page"
	ForFeed = "changes"
)

// Encode returns the text of a cursor for a purpose, encrypted if there are keys.
func (k Keys) Encode(purpose string, body []byte) string {
	if len(k) == 0 {
		return frame(Open, body)
	}
	return frame(closed, k[0].seal(purpose, body))
}

// Decode returns the JSON in a cursor that Encode wrote for the same purpose. Longest is the
// maximum length of the text in bytes.
func (k Keys) Decode(purpose, cursor string, longest int) ([]byte, error) {
	form, body, err := unframe(cursor, longest)
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
		if opened, ok := key.open(purpose, body); ok {
			return opened, nil
		}
	}
	return nil, errors.New("it was changed, or is closed by a key that WithCursorKey does not have: begin again without a cursor")
}

// frame encodes the form and the body of a cursor as text.
func frame(form byte, body []byte) string {
	text := make([]byte, HeaderSize, HeaderSize+1+len(body))
	text[0] = Version
	text = append(append(text, form), body...)
	binary.BigEndian.PutUint32(text[1:], Checksum(text))
	return base64.RawURLEncoding.EncodeToString(text)
}

// unframe is the inverse of frame.
func unframe(cursor string, longest int) (form byte, body []byte, err error) {
	if len(cursor) > longest {
		return 0, nil, fmt.Errorf("it has %d bytes, and the longest that is read has %d", len(cursor), longest)
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	switch {
	case err != nil || len(text) < HeaderSize || binary.BigEndian.Uint32(text[1:]) != Checksum(text):
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

// Checksum returns the checksum of the version and the rest of a cursor.
func Checksum(text []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(text[:1]), crc32.IEEETable, text[HeaderSize:])
}

// ErrDamaged is returned for a text that is not an intact cursor.
var ErrDamaged = errors.New("it is damaged: pass the cursor that a page or a change gave, unchanged")

// ErrOtherContainer is returned for a cursor whose container was deleted.
var ErrOtherContainer = errors.New("it is of another container, which may have had the same name: begin again without a cursor")
