package query

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// position is the end of a page and the start of the next, as a cursor stores it.
//
// Pages break ties by effective partition key, and then by the service's order, so that few
// documents have to be named even if many sort alike. All documents that sort before Keys
// were given. For the ones that sort like Keys, the stretches say which were given. This
// holds through splits and merges. Tokens only save reading again.
type position struct {
	// Query is a hash of the query.
	Query []byte `json:"q"`

	// Container is the RID of the container; empty before the first document.
	Container string `json:"c"`

	// In is the name of the container, if the type has several. All documents that sort
	// like Keys were given in earlier containers, and none in later ones.
	In string `json:"x,omitempty"`

	// Since is the time at which documents are located, in seconds; 0 if they do not move.
	Since int64 `json:"w,omitempty"`

	// Delivered counts the documents of all pages so far.
	Delivered int `json:"n"`

	// Keys are the sort values of the last document; nil before the first.
	Keys []text.SortValue `json:"k"`

	// Stretches cover the key space from its beginning, as far as documents that sort like
	// Keys were given.
	Stretches []stretch `json:"g"`

	// Last names the last few documents given that sort like Keys. A document that is
	// deleted and created again gets another number, but keeps its name.
	Last docNumbers `json:"l,omitempty"`

	// Direction is the order by _rid of documents that sort alike.
	Direction direction `json:"o,omitempty"`

	// Tokens resume the reading of the stretches, the latest first.
	Tokens []pageToken `json:"t,omitempty"`
}

// maxPageTokens bounds the tokens of a position.
const maxPageTokens = 4

// pageToken is the service's continuation of a query for documents that sort like Keys or
// after them. Everything before it was given, for effective partition keys from Min to
// below Max.
type pageToken struct {
	Min string `json:"i"`
	Max string `json:"m"`

	// From and To bound the partition keys that the query lists. Both are empty if they are
	// Min and Max.
	From string `json:"f,omitempty"`
	To   string `json:"l,omitempty"`

	// Token is empty at the beginning of the query.
	Token string `json:"t,omitempty"`

	// Read is how many documents after the token were given too.
	Read int `json:"d,omitempty"`

	// Sum is a hash of the query's text and parameters.
	Sum []byte `json:"s,omitempty"`
}

func (t *pageToken) listed() (from, to string) {
	if t.From == "" && t.To == "" {
		return t.Min, t.Max
	}
	return t.From, t.To
}

// within records the container of a document. It returns false if the position has another
// container. An empty RID is unknown, and matches.
func (p *position) within(container string) bool {
	if p.Container == "" {
		p.Container = container
	}
	return container == "" || container == p.Container
}

// clone returns a deep copy of p.
func (p *position) clone() *position {
	c := *p
	c.Stretches = slices.Clone(p.Stretches)
	for i := range c.Stretches {
		c.Stretches[i].Some = slices.Clone(c.Stretches[i].Some)
	}
	c.Tokens = slices.Clone(p.Tokens)
	c.Last = slices.Clone(p.Last)
	return &c
}

// overlapping returns the stretches that overlap the key space from low to below high, and
// whether one begins or ends inside.
func (p *position) overlapping(low, high string) (found []stretch, divided bool) {
	from := route.FirstKey
	for _, s := range p.Stretches {
		if partition.CompareEPK(from, high) < 0 && partition.CompareEPK(low, s.Max) < 0 {
			found = append(found, s)
			divided = divided || partition.CompareEPK(low, from) < 0 || partition.CompareEPK(s.Max, high) < 0
		}
		from = s.Max
	}
	return found, divided
}

// at returns the stretch with an effective partition key, or nil.
func (p *position) at(epk string) *stretch {
	for i := range p.Stretches {
		if partition.CompareEPK(epk, p.Stretches[i].Max) < 0 {
			return &p.Stretches[i]
		}
	}
	return nil
}

// reach makes stretches that begin at low and end at high, and marks everything below low
// as given. It returns the indexes of the first stretch from low and of the first from
// high.
func (p *position) reach(low, high string) (first, end int) {
	all := p.Stretches
	p.Stretches = nil
	from := route.FirstKey
	put := func(s stretch, to string) {
		if partition.CompareEPK(from, to) < 0 {
			s.Max = to
			s.Some = slices.Clone(s.Some)
			p.Stretches = append(p.Stretches, s)
			from = to
		}
	}
	put(stretch{All: true}, low)
	first = len(p.Stretches)
	for _, bound := range []string{high, route.LastKey} {
		for _, s := range all {
			if partition.CompareEPK(s.Max, bound) < 0 {
				put(s, s.Max)
				continue
			}
			put(s, bound) // the rest follows in the next turn
			break
		}
		if bound == high {
			put(stretch{}, high)
			end = len(p.Stretches)
		}
	}
	return first, end
}

// finish records that all documents below an effective partition key that sort like Keys
// were given.
func (p *position) finish(epk string) {
	p.reach(epk, epk)
	kept := p.Tokens[:0:0]
	for _, t := range p.Tokens {
		if partition.CompareEPK(t.Max, epk) > 0 {
			kept = append(kept, t)
		}
	}
	p.Tokens = kept
}

// lead adds a token.
func (p *position) lead(t pageToken) {
	kept := []pageToken{t}
	for _, other := range p.Tokens {
		if len(kept) < maxPageTokens && (partition.CompareEPK(other.Min, t.Min) < 0 || partition.CompareEPK(t.Max, other.Max) < 0) {
			kept = append(kept, other)
		}
	}
	p.Tokens = kept
}

// leading returns the token for a part of the key space, or nil.
func (p *position) leading(low, high string) *pageToken {
	for i := range p.Tokens {
		t := &p.Tokens[i]
		if partition.CompareEPK(t.Min, low) <= 0 && partition.CompareEPK(high, t.Max) <= 0 {
			return t
		}
	}
	return nil
}

// docNumber is the part of a _rid that is unique in the container: its last eight bytes,
// little endian. The other SDKs compare documents that sort alike in this way
// (ResourceId.Document in azure-cosmos-dotnet-v3).
type docNumber uint64

// numberOf returns the number in a _rid. If there is none, it returns a hash without an
// order, and false.
func numberOf(rid string) (docNumber, bool) {
	const length = 16
	raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(rid, "-", "/"))
	if err != nil || len(raw) != length {
		sum := sha256.Sum256([]byte(rid))
		return docNumber(binary.LittleEndian.Uint64(sum[:])), false
	}
	return docNumber(binary.LittleEndian.Uint64(raw[length-8:])), true
}

// docNumbers are stored as one text.
type docNumbers []docNumber

// MarshalJSON implements json.Marshaler.
func (n docNumbers) MarshalJSON() ([]byte, error) {
	var all []byte
	for _, one := range n {
		all = binary.LittleEndian.AppendUint64(all, uint64(one))
	}
	return json.Marshal(all)
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *docNumbers) UnmarshalJSON(data []byte) error {
	var all []byte
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	if len(all)%8 != 0 {
		return cursor.ErrDamaged
	}
	*n = nil
	for one := range slices.Chunk(all, 8) {
		*n = append(*n, docNumber(binary.LittleEndian.Uint64(one)))
	}
	return nil
}

// direction is the order in which the service returns documents of one physical partition
// that sort alike: by _rid, ascending or descending. The other SDKs rely on it to resume an
// ORDER BY (FilterNextAsync in azure-cosmos-dotnet-v3), and ask the service for the
// direction. Here the documents show it.
type direction int8

const (
	unsorted  direction = 2 // not by _rid
	upwards   direction = 1
	downwards direction = -1
	unknown   direction = 0 // no two documents sort alike so far
)

func (d direction) known() bool  { return d >= downwards && d <= unsorted }
func (d direction) sorted() bool { return d == upwards || d == downwards }

// next returns d after number b followed a.
func (d direction) next(a, b docNumber) direction {
	seen := upwards
	if b < a {
		seen = downwards
	}
	return d.and(seen)
}

// and combines two directions.
func (d direction) and(e direction) direction {
	switch {
	case d == unknown || d == e:
		return e
	case e == unknown:
		return d
	}
	return unsorted
}

func (d direction) after(a, b docNumber) bool {
	if d == downwards {
		return a < b
	}
	return a > b
}

// stretch says which documents that sort like Keys were given, for effective partition keys
// from the end of the previous stretch to below Max.
type stretch struct {
	Max string `json:"m"`

	// All were given. Only the first stretch can have this.
	All bool `json:"a,omitempty"`

	// Some lists documents given. If UpTo is set, every document up to it was given too.
	Some docNumbers `json:"s,omitempty"`
	UpTo *docNumber `json:"u,omitempty"`
}

// Bounds of the documents that a stretch names, so that few documents need no order, and
// that a position names if they have no order.
const (
	fewNamed = 16
	maxNamed = 128
)

// errUnsorted is the error if many documents sort alike and the service does not return them
// by _rid.
var errUnsorted = errors.New("many documents sort alike, and the service does not order them by their _rid: add an order that distinguishes them, such as their ids")

// has reports whether the document with this number was given.
func (s *stretch) has(n docNumber, d direction) bool {
	return s.All || s.UpTo != nil && !d.after(n, *s.UpTo) || slices.Contains(s.Some, n)
}

// add records that the document with this number was given.
func (s *stretch) add(n docNumber, d direction) {
	if s.All {
		return
	}
	s.Some = append(s.Some, n)
	if len(s.Some) <= fewNamed || !d.sorted() {
		return
	}
	last := n
	for _, other := range s.Some {
		if d.after(other, last) {
			last = other
		}
	}
	if s.UpTo == nil || d.after(last, *s.UpTo) {
		s.UpTo = &last
	}
	s.Some = nil
}

// again reports whether a document with this name that sorts alike was given under another
// _rid, because it was deleted and created again. Otherwise it records the name.
func (p *position) again(name docNumber) bool {
	if slices.Contains(p.Last, name) {
		return true
	}
	if len(p.Last) == fewNamed {
		p.Last = p.Last[:copy(p.Last, p.Last[1:])]
	}
	p.Last = append(p.Last, name)
	return false
}

// docName is a hash that survives deleting and creating a document: of its partition key
// and id, and of its container in a query over several.
type docName [16]byte

// number returns the part of a name that a cursor stores.
func (n docName) number() docNumber { return docNumber(binary.LittleEndian.Uint64(n[:])) }

func nameOf(container string, id []byte, paths []string, raw []byte) docName {
	all := append(append(make([]byte, 0, 256), container...), id...)
	for _, path := range paths {
		all = append(all, 0) // no JSON has this byte
		all = append(all, text.ValueAt(raw, jsonpointer.Names(path))...)
	}
	sum := sha256.Sum256(all)
	return docName(sum[:16])
}

// containerOf returns the RID of the container in the _rid of a document, or "". It is the
// first eight bytes, four of the database and four of the container, in base64 with -
// instead of /, as in the other SDKs (ResourceId in azure-cosmos-dotnet-v3).
func containerOf(rid string) string {
	const length = 8
	bytes, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(rid, "-", "/"))
	if err != nil || len(bytes) < length {
		return ""
	}
	return strings.ReplaceAll(base64.StdEncoding.EncodeToString(bytes[:length]), "/", "-")
}

// Bounds of cursors. Requests limit the service's tokens to a kilobyte.
const (
	cursorSize       = 2 << 10 // without long values
	cursorValuesSize = 256     // of that, for values
	maxPageToken     = 1 << 10
	maxStretches     = 16
)

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
	for len(short.Stretches) > 1 && short.Stretches[1].All { // a stretch begins where the previous one ends
		short.Stretches = short.Stretches[1:]
	}
	body, err := json.Marshal(&short)
	if err != nil {
		return "", err
	}
	// In base64, without the header and the bytes that close the cursor.
	room := cursorSize*3/4 - cursor.HeaderSize - 1 - cursor.SaltSize - sha256.Size/2 - len(`,"t":[]`)
	room += max(0, len(values)-cursorValuesSize) - len(body)
	if room < 0 { // Last is the least important part
		short.Last = nil
	}
	for i, t := range p.Tokens {
		if i > 0 && t.Token == "" || short.Stretches[0].All && partition.CompareEPK(t.Max, short.Stretches[0].Max) <= 0 {
			continue // its part is finished, or it saves little
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
		return "", fmt.Errorf("the sort values of the last document make a cursor of %d bytes, and the limit is %d: order by shorter values", len(text), cursor.MaxPage)
	}
	return text, nil
}

// bounded returns an error if a cursor cannot express which documents were given.
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

// parseCursor parses a text of position.cursor.
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

// sound reports whether the stretches and tokens of a position are valid.
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

// fits returns an error if a position is not of the query with this hash and this number of
// orders.
func (p *position) fits(query []byte, orders, limit int) error {
	if !bytes.Equal(p.Query, query) || len(p.Keys) != orders || limit > 0 && p.Delivered >= limit {
		return errors.New("it is from another query: keys, conditions, order and limit must be the same as for the first page")
	}
	return nil
}

// fingerprint returns a hash of q: its type, its partition keys and their layout, its
// conditions with all values, in any order, its order and its limit.
func (q Selection) fingerprint() ([]byte, error) {
	s := Statement{orders: q.Orders}
	conditions, err := q.described()
	if err != nil {
		return nil, err
	}
	return hashOf(struct {
		queryIdentity
		Conditions []string `json:"conditions"`
	}{q.identity(s.sql("")), conditions})
}

// formerFingerprint is fingerprint as in earlier releases, so that their cursors remain
// valid. It depends on the order of conditions.
func (q Selection) formerFingerprint() ([]byte, error) {
	s := Statement{conditions: q.Conditions, parameters: q.Parameters, orders: q.Orders}
	i := q.identity(s.sql(""))
	return hashOf(struct {
		Type       string           `json:"type"`
		Text       string           `json:"text"`
		Paths      []string         `json:"paths"`
		Keys       []string         `json:"keys"`
		Parameters []wire.Parameter `json:"parameters"`
		Limit      int              `json:"limit"`
		Containers string           `json:"containers,omitempty"`
	}{i.Type, i.Text, i.Paths, i.Keys, q.Parameters, i.Limit, i.Containers})
}

// queryIdentity is a query without its conditions.
type queryIdentity struct {
	Type       string   `json:"type"`
	Text       string   `json:"text"`
	Paths      []string `json:"paths"`
	Keys       []string `json:"keys"`
	Limit      int      `json:"limit"`
	Containers string   `json:"containers,omitempty"`
}

func (q Selection) identity(text string) queryIdentity {
	keys := make([]string, q.keys.Len())
	for i := range keys {
		keys[i] = wire.NameOf(q.keys.At(i))
	}
	return queryIdentity{q.TypeName(), text, q.Store.Paths, keys, q.Limit, q.containers()}
}

func hashOf(v any) ([]byte, error) {
	described, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(described)
	return sum[:16], nil
}

// parameterName matches a parameter in SQL.
var parameterName = regexp.MustCompile(`@\w+`)

// described returns the conditions of q with the values of their parameters, sorted. The
// names of parameters would depend on the order in which conditions were added.
func (q Selection) described() ([]string, error) {
	values := make(map[string]string, len(q.Parameters))
	for _, p := range q.Parameters {
		value, err := json.Marshal(p.Value)
		if err != nil {
			return nil, err
		}
		values[p.Name] = string(value)
	}
	conditions := make([]string, len(q.Conditions))
	for i, c := range q.Conditions {
		conditions[i] = parameterName.ReplaceAllStringFunc(c, func(name string) string {
			if value, known := values[name]; known {
				return "@" + value
			}
			return name
		})
	}
	slices.Sort(conditions)
	return conditions, nil
}

// cursorError returns the error for a cursor that cannot be used.
func (q Selection) cursorError(reason error) error {
	return &documents.Error{Op: "page", Type: q.TypeName(), Kind: wire.ErrCursor, Err: reason}
}
