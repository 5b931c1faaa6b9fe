package query

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Bounds of cursors. The service keeps its tokens within a kilobyte, as it is
// asked to.
const (
	cursorSize       = 2 << 10 // for all but long values
	cursorValuesSize = 256     // of that, for values
	maxPageToken     = 1 << 10
	maxStretches     = 16
)

// cursor writes p as text.
func (p *position) cursor(keys cursor.Keys) (string, error) {
	if err := p.bounded(); err != nil {
		return "", err
	}
	values, err := json.Marshal(p.Keys)
	if err != nil {
		return "", err
	}
	short := *p
	short.Tokens = nil
	for len(short.Stretches) > 1 && short.Stretches[1].All { // it begins where another one ends
		short.Stretches = short.Stretches[1:]
	}
	body, err := json.Marshal(&short)
	if err != nil {
		return "", err
	}
	// In base64, less the header, and the bytes that close it.
	room := cursorSize*3/4 - cursor.HeaderSize - 1 - cursor.SaltSize - sha256.Size/2 - len(`,"t":[]`)
	room += max(0, len(values)-cursorValuesSize) - len(body)
	if room < 0 { // what was given matters more than what was given and created again
		short.Last = nil
	}
	for i, t := range p.Tokens {
		if i > 0 && t.Token == "" || short.Stretches[0].All && partition.CompareEPK(t.Max, short.Stretches[0].Max) <= 0 {
			continue // it leads to nothing that is left, or saves little
		}
		text, err := json.Marshal(&t)
		if err != nil {
			return "", err
		}
		if room -= len(text) + 1; room < 0 {
			break
		}
		short.Tokens = append(short.Tokens, t)
	}
	if body, err = json.Marshal(&short); err != nil {
		return "", err
	}
	text := keys.Encode(cursor.ForPage, body)
	if len(text) > cursor.MaxPage {
		return "", fmt.Errorf("the values by which the last document is sorted make a cursor of %d bytes, and the longest has %d: order by something shorter", len(text), cursor.MaxPage)
	}
	return text, nil
}

// bounded returns an error if a cursor cannot say which documents were given.
func (p *position) bounded() error {
	named := 0
	for _, s := range p.Stretches {
		named += len(s.Some)
	}
	switch {
	case named > maxNamed:
		return errUnsorted
	case len(p.Stretches) > maxStretches:
		return fmt.Errorf("physical partitions were split more than %d times while documents were read that sort alike: begin again without a cursor", maxStretches-1)
	}
	return nil
}

// parseCursor reads a text that position.cursor has written.
func parseCursor(keys cursor.Keys, encodedCursor string) (position, error) {
	var p position
	body, err := keys.Decode(cursor.ForPage, encodedCursor, cursor.MaxPage)
	if err != nil {
		return p, err
	}
	if json.Unmarshal(body, &p) != nil || len(p.Keys) == 0 || p.Delivered < 1 || p.Delivered > math.MaxInt32 || !p.sound() {
		return p, cursor.ErrDamaged
	}
	return p, nil
}

// sound reports whether the stretches and tokens of a position may be those of a
// page.
func (p *position) sound() bool {
	if p.bounded() != nil || len(p.Stretches) == 0 || len(p.Tokens) > maxPageTokens || len(p.Last) > fewNamed || !p.Direction.known() {
		return false
	}
	low := route.FirstKey
	for i, s := range p.Stretches {
		if !cursor.IsBound(s.Max) || partition.CompareEPK(low, s.Max) >= 0 || s.All && i > 0 || s.UpTo != nil && !p.Direction.sorted() {
			return false
		}
		low = s.Max
	}
	for _, t := range p.Tokens {
		from, to := t.listed()
		if !cursor.IsBound(t.Min) || !cursor.IsBound(t.Max) || !cursor.IsBound(from) || !cursor.IsBound(to) || len(t.Token) > maxPageToken || t.Read < 0 ||
			partition.CompareEPK(t.Min, t.Max) >= 0 || partition.CompareEPK(from, t.Min) > 0 || partition.CompareEPK(t.Max, to) > 0 || !cursor.FitsHeader(t.Token) {
			return false
		}
	}
	return true
}

// fits returns why a position is not one of the query that has this hash, and is
// sorted by so many values.
func (p *position) fits(query []byte, orders, limit int) error {
	if !bytes.Equal(p.Query, query) || len(p.Keys) != orders || limit > 0 && p.Delivered >= limit {
		return errors.New("it is of another query: its keys, conditions, order and limit must be those of the first page")
	}
	return nil
}

// fingerprint returns a hash of what q asks for: its type, its partition keys and
// their layout, its conditions with all values, its order and its limit.
func (q Selection) fingerprint() ([]byte, error) {
	s := Statement{conditions: q.Conditions, parameters: q.Parameters, orders: q.Orders}
	keys := make([]string, q.keys.Len())
	for i := range keys {
		keys[i] = wire.NameOf(q.keys.At(i))
	}
	described, err := json.Marshal(struct {
		Type       string                    `json:"type"`
		Text       string                    `json:"text"`
		Paths      []string                  `json:"paths"`
		Keys       []string                  `json:"keys"`
		Parameters []azcosmos.QueryParameter `json:"parameters"`
		Limit      int                       `json:"limit"`
		Containers string                    `json:"containers,omitempty"`
	}{q.TypeName(), s.sql(""), q.Store.Paths, keys, q.Parameters, q.Limit, q.containers()})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(described)
	return sum[:16], nil
}

// cursorError says why a cursor cannot be used.
func (q Selection) cursorError(reason error) error {
	return &wire.OperationError{Op: "page", Type: q.TypeName(), Kind: wire.ErrCursor, Err: reason}
}
