package query

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// position is where a page ends and the next begins: what a cursor says.
//
// Pages break ties by effective partition key and then by the service's order, so
// that few documents have to be named however many sort alike: what sorts before
// Keys was given, and of what sorts like them, the stretches say which part. All
// of this holds whatever becomes of physical partitions. Tokens only save reading
// again what was given.
type position struct {
	// Query is a hash of what is asked for.
	Query []byte `json:"q"`

	// Container is the RID of the container, empty before the first document.
	Container string `json:"c"`

	// Delivered is how many documents came before, of all pages.
	Delivered int `json:"n"`

	// Keys are the values by which the last document is sorted, nil before the first.
	Keys []text.SortValue `json:"k"`

	// Stretches are the parts of the key space, from its beginning on, in which
	// documents that sort like Keys were given.
	Stretches []stretch `json:"g"`

	// Direction is that of the _rid of documents that sort alike.
	Direction direction `json:"o,omitempty"`

	// Tokens lead to where the reading of the stretches has come, the latest first.
	Tokens []pageToken `json:"t,omitempty"`
}

// pageToken is the service's continuation of a query for what sorts like the keys
// of a position or after them. What comes before it was given, of all documents
// whose effective partition key is from Min to below Max.
type pageToken struct {
	Min string `json:"i"`
	Max string `json:"m"`

	// The list of partition keys in the query is of those from From to below To.
	// Both are empty if that is Min and Max.
	From string `json:"f,omitempty"`
	To   string `json:"l,omitempty"`

	// Token is empty at the beginning of the query.
	Token string `json:"t,omitempty"`

	// Read is how many documents after the token were given as well.
	Read int `json:"d,omitempty"`

	// Sum is a hash of the query's text and parameters.
	Sum []byte `json:"s,omitempty"`
}

// listed returns the bounds of the partition keys that are listed in the query.
func (t *pageToken) listed() (from, to string) {
	if t.From == "" && t.To == "" {
		return t.Min, t.Max
	}
	return t.From, t.To
}

// within notes the container that a document is in. It returns false if it is
// another one. An RID that is not known is no container's.
func (p *position) within(container string) bool {
	if p.Container == "" {
		p.Container = container
	}
	return container == "" || container == p.Container
}

// Bounds of cursors. The service keeps its tokens within a kilobyte, as it is
// asked to.
const (
	cursorSize       = 2 << 10 // for all but long values
	cursorValuesSize = 256     // of that, for values
	maxPageToken     = 1 << 10
	maxPageTokens    = 4
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
	if p.bounded() != nil || len(p.Stretches) == 0 || len(p.Tokens) > maxPageTokens || !p.Direction.known() {
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
	}{q.TypeName(), s.sql(""), q.Store.Paths, keys, q.Parameters, q.Limit})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(described)
	return sum[:16], nil
}
