package query

import (
	"cmp"
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// place is the position at which a query with ORDER BY begins: all documents with some values,
// or one of these documents. Continuation tokens hold it, and the SDKs for .NET and Rust send
// it as resumeFilter in the body of a query (SqlQueryResumeFilter in azure-cosmos-dotnet-v3).
type place struct {
	keys  []value.Value
	rid   string // of the document, as a client sent it
	seq   uint64 // of the document, or 0
	after bool   // whether the documents with these values are left out
}

// parsePlace reads a resumeFilter. It returns nil if there is none. An undefined value is sent
// as an empty array. Other arrays and objects are sent as a hash that is not documented, so
// they are refused.
func parsePlace(raw json.RawMessage) (*place, error) {
	if raw == nil || string(raw) == "null" {
		return nil, nil
	}
	var sent struct {
		Value   []json.RawMessage `json:"value"`
		RID     string            `json:"rid"`
		Exclude bool              `json:"exclude"`
	}
	if err := json.Unmarshal(raw, &sent); err != nil {
		return nil, status.BadRequest(`The resumeFilter of the query is invalid: it is an object such as {"value":[1],"rid":"…","exclude":false}.`)
	}
	if sent.Exclude && sent.RID != "" {
		return nil, status.Unsupported("a resumeFilter that has both exclude and rid")
	}
	p := &place{rid: sent.RID, after: sent.Exclude, keys: make([]value.Value, len(sent.Value))}
	for i, text := range sent.Value {
		v, err := value.Decode(text)
		switch {
		case err != nil:
			return nil, status.BadRequest("Value %d of the resumeFilter is invalid: %v.", i+1, err)
		case v.Kind() == value.Array && v.Len() == 0: // undefined
		case v.Kind() == value.Array || v.Kind() == value.Object:
			return nil, status.Unsupported("the value %s in a resumeFilter", text)
		default:
			p.keys[i] = v
		}
	}
	return p, nil
}

// checkPlace refuses a resumeFilter that names no place in the rows of the query. It also
// finds the document that the filter names.
func (q *Query) checkPlace(c *store.Container) error {
	p := q.begin
	switch order := q.order(); {
	case p == nil:
		return nil
	case q.wholeSet() || len(order) == 0:
		return status.BadRequest("The query has a resumeFilter, which needs ORDER BY without DISTINCT, GROUP BY and aggregates.")
	case q.offset > 0:
		return status.Unsupported("a resumeFilter with OFFSET %d", q.offset)
	case len(p.keys) != len(order):
		return status.BadRequest("The resumeFilter has %d values, and ORDER BY of the query has %d.", len(p.keys), len(order))
	}
	if p.rid != "" {
		var ok bool
		if p.seq, ok = c.Seq(p.rid); !ok {
			return status.BadRequest("The rid %q of the resumeFilter is not the resource id of a document of this container.", p.rid)
		}
	}
	return nil
}

// compareSeq orders documents with equal ORDER BY values by their resource ids, in reverse if
// the first property descends, as when an index is read backwards. Clients that resume a query
// rely on it.
func (q *Query) compareSeq(a, b uint64) int {
	if q.backwards {
		a, b = b, a
	}
	return cmp.Compare(a, b)
}

// compareEntries is the order of the documents of a query with ORDER BY.
func (q *Query) compareEntries(a, b entry) int {
	return cmp.Or(q.compareKeys(a.keys, b.keys), q.compareSeq(a.doc.Seq, b.doc.Seq))
}

// precedes reports whether a document is before a place. p may be nil.
func (q *Query) precedes(e entry, p *place) bool {
	if p == nil {
		return false
	}
	switch order := q.compareKeys(e.keys, p.keys); {
	case order != 0:
		return order < 0
	case p.seq > 0:
		return q.compareSeq(e.doc.Seq, p.seq) < 0
	}
	return p.after
}
