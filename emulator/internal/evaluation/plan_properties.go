package evaluation

import "github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"

// Names are the properties of documents that the query reads, or nil if it reads whole
// documents. A document passed to the plan may lack other properties, but needs its whole
// text.
func (p *Plan) Names() map[string]bool { return p.names }

// HasOrderBy reports whether the query has an ORDER BY clause that has an effect. It
// has no effect together with aggregates.
func (p *Plan) HasOrderBy() bool { return len(p.order) > 0 }

// ReadsDocuments reports whether FROM names a container. A query without one, such as SELECT
// 1, returns its rows once, whatever the documents are: the service runs it in one partition
// only.
func (p *Plan) ReadsDocuments() bool { return p.query.Main.ReadsDocuments() }

// WholeSet reports whether rows depend on many documents at once, or on none, so that only Run
// can make them: aggregates, GROUP BY, DISTINCT, also in a subquery in FROM over the
// container, and queries that read no documents.
func (p *Plan) WholeSet() bool { return p.query.Main.WholeSet() }

// Window returns the part of the rows that TOP, or OFFSET and LIMIT, select: skip the first
// skip rows, then take at most take. take is -1 if there is no limit.
func (p *Plan) Window() (skip, take int) {
	if p.top >= 0 {
		return 0, p.top
	}
	return p.offset, p.limit
}

// OrderKey is a key of ORDER BY.
type OrderKey struct {
	Path       []string // property names; nil if the path leads through an array, and for a score
	Descending bool
}

// OrderBy returns the keys of ORDER BY. With more than one, the service requires a composite
// index.
func (p *Plan) OrderBy() []OrderKey {
	keys := make([]OrderKey, len(p.order))
	for i, k := range p.order {
		if k.path != nil {
			keys[i].Path, _ = k.path.names()
		}
		keys[i].Descending = k.descending
	}
	return keys
}

// SortKey returns the values by which ORDER BY sorts a document and so all its rows,
// one value for each key. It allocates the slice, and a frame for a score.
func (p *Plan) SortKey(doc value.Value) []value.Value {
	key := make([]value.Value, len(p.order))
	if doc.Kind() != value.Object {
		return key
	}
	r := row{doc: doc.Members()}
	if p.scored {
		r.frame = newFrame(p.query) // if it fails, Match and Rows fail, too
	}
	for i, k := range p.order {
		key[i] = k.eval(r)
	}
	return key
}

// CompareKeys orders two results of SortKey, in the form of slices.SortFunc. Documents with
// equal keys should keep their order within a partition.
func (p *Plan) CompareKeys(a, b []value.Value) int {
	for i, k := range p.order {
		if !p.meter.Spend(4 + min(a[i].Bytes(), b[i].Bytes())/16) {
			return 0
		}
		order := value.Compare(a[i], b[i])
		if k.descending {
			order = -order
		}
		if order != 0 {
			return order
		}
	}
	return 0
}
