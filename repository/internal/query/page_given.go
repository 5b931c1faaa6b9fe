package query

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// docNumber is the part of a document's _rid that no other document of the
// container has: its last eight bytes, little endian, which is how the other SDKs
// compare documents that sort alike (ResourceId.Document in azure-cosmos-dotnet-v3).
type docNumber uint64

// numberOf returns the number in a _rid. It returns false if there is none, and
// then a hash in its place, which has no order.
func numberOf(rid string) (docNumber, bool) {
	const length = 16
	raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(rid, "-", "/"))
	if err != nil || len(raw) != length {
		sum := sha256.Sum256([]byte(rid))
		return docNumber(binary.LittleEndian.Uint64(sum[:])), false
	}
	return docNumber(binary.LittleEndian.Uint64(raw[length-8:])), true
}

// docNumbers are written as one text.
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

// direction is how the service sorts documents of one physical partition that
// sort alike: by _rid, upwards or downwards. The other SDKs rely on it where they
// go on with an ORDER BY (FilterNextAsync in azure-cosmos-dotnet-v3), and ask the
// service for the direction. Here the documents themselves show it.
type direction int8

const (
	unsorted  direction = 2 // by something else
	upwards   direction = 1
	downwards direction = -1
	unknown   direction = 0 // no two documents sort alike so far
)

func (d direction) known() bool  { return d >= downwards && d <= unsorted }
func (d direction) sorted() bool { return d == upwards || d == downwards }

// next returns d after number b came after a.
func (d direction) next(a, b docNumber) direction {
	seen := upwards
	if b < a {
		seen = downwards
	}
	return d.and(seen)
}

// and returns what two directions say together.
func (d direction) and(e direction) direction {
	switch {
	case d == unknown || d == e:
		return e
	case e == unknown:
		return d
	}
	return unsorted
}

// after reports whether number a comes after b.
func (d direction) after(a, b docNumber) bool {
	if d == downwards {
		return a < b
	}
	return a > b
}

// stretch says which documents were given of those that sort like a position,
// with effective partition keys from where the stretch before ends to below Max.
type stretch struct {
	Max string `json:"m"`

	// All of them were given. Only the first stretch says so.
	All bool `json:"a,omitempty"`

	// Some of them were given: these, and all up to the last.
	Some docNumbers `json:"s,omitempty"`
	UpTo *docNumber `json:"u,omitempty"`
}

// Documents that a stretch names while they are few, so that nothing depends on
// their order, and that a position names where they have none.
const (
	fewNamed = 16
	maxNamed = 128
)

// errUnsorted is why many documents that sort alike have no pages.
var errUnsorted = errors.New("many documents sort alike, and the service does not give them by their _rid: add an order by what tells them apart, such as their ids")

// has reports whether the document of this number was given.
func (s *stretch) has(n docNumber, d direction) bool {
	return s.All || s.UpTo != nil && !d.after(n, *s.UpTo) || slices.Contains(s.Some, n)
}

// add notes that the document of this number was given.
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

// clone returns a position that changes of p do not reach.
func (p *position) clone() *position {
	c := *p
	c.Stretches = slices.Clone(p.Stretches)
	for i := range c.Stretches {
		c.Stretches[i].Some = slices.Clone(c.Stretches[i].Some)
	}
	c.Tokens = slices.Clone(p.Tokens)
	return &c
}

// overlapping returns the stretches that reach into the key space from low to
// below high, and whether one begins or ends there.
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

// at returns the stretch that holds an effective partition key, or nil.
func (p *position) at(epk string) *stretch {
	for i := range p.Stretches {
		if partition.CompareEPK(epk, p.Stretches[i].Max) < 0 {
			return &p.Stretches[i]
		}
	}
	return nil
}

// reach makes stretches that begin at low and end at high, after all documents
// below low have been given. It returns the indices of the first stretch from low
// on and of the first from high on.
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
			put(s, bound) // the rest of it is put in the next turn
			break
		}
		if bound == high {
			put(stretch{}, high)
			end = len(p.Stretches)
		}
	}
	return first, end
}

// finish notes that all documents below an effective partition key were given, of
// those that sort like p.
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

// lead notes where the reading of a part of the key space has come.
func (p *position) lead(t pageToken) {
	kept := []pageToken{t}
	for _, other := range p.Tokens {
		if len(kept) < maxPageTokens && (partition.CompareEPK(other.Min, t.Min) < 0 || partition.CompareEPK(t.Max, other.Max) < 0) {
			kept = append(kept, other)
		}
	}
	p.Tokens = kept
}

// leading returns the token for a part of the key space, nil if there is none.
func (p *position) leading(low, high string) *pageToken {
	for i := range p.Tokens {
		t := &p.Tokens[i]
		if partition.CompareEPK(t.Min, low) <= 0 && partition.CompareEPK(high, t.Max) <= 0 {
			return t
		}
	}
	return nil
}
