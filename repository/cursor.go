package repository

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// position is where a page ends and the next begins: what a cursor says.
//
// It names no physical partition and holds no continuation token of the service,
// which would be void after a split, so that a page may begin wherever its
// documents are by then.
type position struct {
	// Query is a hash of what is asked for.
	Query []byte `json:"q"`

	// Container is the RID of the container, empty before the first document.
	Container string `json:"c"`

	// Delivered is how many documents came before, of all pages.
	Delivered int `json:"n"`

	// Keys are the values by which the last document is sorted, nil before the
	// first, and Ties the _rid of all documents before that have just these.
	Keys []sortValue `json:"k"`
	Ties []string    `json:"t"`
}

// maxTies bounds cursors, and how much each page reads again.
const maxTies = 1000

// passed reports whether a document comes before the position.
func (p *position) passed(orders []sortOrder, keys []sortValue, rid string) bool {
	if p.Keys == nil {
		return false
	}
	c := compareKeys(orders, keys, p.Keys)
	return c < 0 || c == 0 && slices.Contains(p.Ties, rid)
}

// advance moves the position behind a document.
func (p *position) advance(orders []sortOrder, keys []sortValue, rid string) {
	if p.Keys == nil || compareKeys(orders, keys, p.Keys) != 0 {
		p.Keys, p.Ties = keys, nil
	}
	p.Ties = append(p.Ties[:len(p.Ties):len(p.Ties)], rid)
	p.Delivered++
}

// within notes the container that a document is in. It returns false if it is
// another one. One that is not known is none.
func (p *position) within(container string) bool {
	if p.Container == "" {
		p.Container = container
	}
	return container == "" || container == p.Container
}

// Version of the format of cursors. Before the JSON of a position stand the
// version, one byte, and the CRC-32 (IEEE) of both in four bytes, big endian; the
// whole is in base64 for URLs, without padding. The checksum is no signature: a
// cursor that somebody has made up gets him no more than the query gives.
const (
	cursorVersion = 1
	cursorHeader  = 5
)

// sealed writes the JSON of a position as text.
func sealed(body []byte) string {
	text := make([]byte, cursorHeader, cursorHeader+len(body))
	text[0] = cursorVersion
	text = append(text, body...)
	binary.BigEndian.PutUint32(text[1:], cursorSum(text))
	return base64.RawURLEncoding.EncodeToString(text)
}

// unsealed returns the JSON in what sealed has written.
func unsealed(cursor string) ([]byte, error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	switch {
	case err != nil || len(text) < cursorHeader || binary.BigEndian.Uint32(text[1:]) != cursorSum(text):
		return nil, errDamaged
	case text[0] > cursorVersion:
		return nil, fmt.Errorf("it is of version %d, and this program reads %d at most: update its module, or begin again without a cursor", text[0], cursorVersion)
	case text[0] != cursorVersion:
		return nil, errDamaged
	}
	return text[cursorHeader:], nil
}

// cursor writes p as text.
func (p *position) cursor() (string, error) {
	if len(p.Ties) > maxTies {
		return "", fmt.Errorf("more than %d documents sort alike across the end of a page: add an order by what tells them apart, such as their ids", maxTies)
	}
	body, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	return sealed(body), nil
}

// cursorSum is the checksum of the version and the JSON in a cursor.
func cursorSum(text []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(text[:1]), crc32.IEEETable, text[cursorHeader:])
}

var errDamaged = errors.New("it is damaged: pass what Page.Cursor or Changed.Cursor gave, unchanged")

// parseCursor reads what cursor has written.
func parseCursor(cursor string) (position, error) {
	var p position
	body, err := unsealed(cursor)
	if err != nil {
		return p, err
	}
	if json.Unmarshal(body, &p) != nil || len(p.Keys) == 0 || len(p.Ties) > maxTies || p.Delivered < 1 {
		return p, errDamaged
	}
	return p, nil
}

// fits returns why a position is not one of the query that has this hash, and is
// sorted by so many values.
func (p *position) fits(query []byte, orders, limit int) error {
	if !bytes.Equal(p.Query, query) || len(p.Keys) != orders || limit > 0 && p.Delivered >= limit {
		return errors.New("it is of another query: its keys, conditions, order and limit must be those of the first page")
	}
	return nil
}

// sortValueJSON is a sortValue in a cursor.
type sortValueJSON struct {
	Kind   sortKind `json:"k"`
	Number float64  `json:"n,omitempty"`
	Text   string   `json:"s,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (v sortValue) MarshalJSON() ([]byte, error) {
	return json.Marshal(sortValueJSON{v.kind, v.number, v.text})
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *sortValue) UnmarshalJSON(data []byte) error {
	var j sortValueJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	if j.Kind > sortObject || j.Kind != sortNumber && j.Number != 0 || j.Kind != sortString && j.Text != "" {
		return fmt.Errorf("no value of kind %d", j.Kind)
	}
	*v = sortValue{j.Kind, j.Number, j.Text}
	return nil
}

// fingerprint returns a hash of what q asks for: its type, its partition keys and
// their layout, its conditions with all values, its order and its limit.
func (q selection) fingerprint() ([]byte, error) {
	s := statement{conditions: q.conditions, parameters: q.parameters, orders: q.orders}
	keys := make([]string, q.keys.Len())
	for i := range keys {
		keys[i] = nameOf(q.keys.At(i))
	}
	described, err := json.Marshal(struct {
		Type       string                    `json:"type"`
		Text       string                    `json:"text"`
		Paths      []string                  `json:"paths"`
		Keys       []string                  `json:"keys"`
		Parameters []azcosmos.QueryParameter `json:"parameters"`
		Limit      int                       `json:"limit"`
	}{q.typ(), s.sql(""), q.source.paths, keys, q.parameters, q.limit})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(described)
	return sum[:16], nil
}
