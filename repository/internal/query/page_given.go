package query

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
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

// again reports whether the document of this name was given under another _rid, of those
// that sort alike: it was deleted and created again since. It notes the name otherwise.
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

// docName is a hash of what stays when a document is deleted and created again: its
// partition key and id, and in a walk over several containers its container.
type docName [16]byte

// number is what a cursor has of a name.
func (n docName) number() docNumber { return docNumber(binary.LittleEndian.Uint64(n[:])) }

func nameOf(container string, id []byte, paths []string, raw []byte) docName {
	all := append(append(make([]byte, 0, 256), container...), id...)
	for _, path := range paths {
		all = append(all, 0) // which no JSON has
		all = append(all, text.ValueAt(raw, text.Names(path))...)
	}
	sum := sha256.Sum256(all)
	return docName(sum[:16])
}

// containerOf returns the RID of the container that a document is in, or nothing
// if that is not a RID. Four bytes of it are the database's, and four the
// container's, in base64 with - for /, as the SDKs of other languages take it
// apart (ResourceId in azure-cosmos-dotnet-v3).
func containerOf(rid string) string {
	const length = 8
	bytes, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(rid, "-", "/"))
	if err != nil || len(bytes) < length {
		return ""
	}
	return strings.ReplaceAll(base64.StdEncoding.EncodeToString(bytes[:length]), "/", "-")
}
