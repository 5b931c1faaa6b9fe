package query

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
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

	// In is the name of the container, if the type has several. In those before it, all
	// documents that sort like Keys were given, and in those after it none.
	In string `json:"x,omitempty"`

	// Since is the time for which pages say where documents are, in seconds, 0 if
	// documents do not move.
	Since int64 `json:"w,omitempty"`

	// Delivered is how many documents came before, of all pages.
	Delivered int `json:"n"`

	// Keys are the values by which the last document is sorted, nil before the first.
	Keys []text.SortValue `json:"k"`

	// Stretches are the parts of the key space, from its beginning on, in which
	// documents that sort like Keys were given.
	Stretches []stretch `json:"g"`

	// Last names the last few documents that were given, of those that sort like Keys: one
	// that was deleted and created again has another number.
	Last docNumbers `json:"l,omitempty"`

	// Direction is that of the _rid of documents that sort alike.
	Direction direction `json:"o,omitempty"`

	// Tokens lead to where the reading of the stretches has come, the latest first.
	Tokens []pageToken `json:"t,omitempty"`
}

// maxPageTokens is how many tokens a position has at most.
const maxPageTokens = 4

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

// clone returns a position that changes of p do not reach.
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
