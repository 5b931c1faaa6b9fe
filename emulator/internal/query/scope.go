package query

import (
	"cmp"
	"iter"
	"net/http"
	"slices"
	"sort"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// scope is the part of a container that a query or feed reads: one logical partition, all
// logical partitions under a prefix of a hierarchical key, one physical partition, or
// everything.
type scope struct {
	min, max string       // bounds of its effective partition keys
	prefix   *store.Key   // nil, or the first components of all its keys
	keys     []*store.Key // nil, or the only keys that the query can match, in the order of their EPK
	window   *window      // nil, or a part of the key space that the request names
	held     *store.Range // nil, or the range that the request names
	parts    int          // the number of ranges that it can touch
	single   bool         // whether it is one logical or one physical partition
	text     string       // identifies the scope in continuation tokens
	bare     string       // text without the window
}

// window is the part of the key space from min, inclusive, to max, exclusive.
type window struct{ min, max string }

// holds reports whether an effective partition key is in a window. w may be nil.
func (w *window) holds(epk string) bool {
	return w == nil || partition.CompareEPK(w.min, epk) <= 0 && partition.CompareEPK(epk, w.max) < 0
}

// cut returns the part of a window between two effective partition keys. A nil window is the
// whole key space.
func (w *window) cut(low, high string) (from, to string) {
	if w == nil {
		return low, high
	}
	return slices.MaxFunc([]string{low, w.min}, partition.CompareEPK), slices.MinFunc([]string{high, w.max}, partition.CompareEPK)
}

// parseWindow reads the headers by which SDKs limit a request to a feed range that is smaller
// than a physical partition. It returns nil without these headers.
func parseWindow(h http.Header) (*window, error) {
	const start, end, kind = "x-ms-start-epk", "x-ms-end-epk", "x-ms-read-key-type"
	if h.Values(start) == nil && h.Values(end) == nil {
		return nil, nil
	}
	// The service refuses other combinations (azure-sdk-for-rust pull request 4729).
	if !strings.EqualFold(h.Get(kind), "EffectivePartitionKeyRange") {
		return nil, status.BadRequest("One of the input values is invalid: the headers %s and %s need %s: EffectivePartitionKeyRange.", start, end, kind)
	}
	w := &window{strings.ToUpper(h.Get(start)), strings.ToUpper(h.Get(end))}
	if w.max == "" {
		w.max = store.MaxEPK
	}
	if strings.Trim(w.min+w.max, "0123456789ABCDEF") != "" || partition.CompareEPK(w.min, w.max) >= 0 {
		return nil, status.BadRequest("One of the input values is invalid: the effective partition keys from %q to %q are not a range.", w.min, w.max)
	}
	return w, nil
}

// scopeOf reads the scope of a request from its headers. The WHERE clause of a query may
// narrow the scope by the partition key. The caller holds the lock.
func scopeOf(c *store.Container, h http.Header, q *Query) (*scope, error) {
	s := &scope{min: store.MinEPK, max: store.MaxEPK}
	given, err := c.ParseKey(h.Get(header.PartitionKey))
	if err != nil {
		return nil, err
	}
	if given != nil {
		if err := c.CheckComponents(given, true); err != nil {
			return nil, err
		}
		s.text, s.bare = given.Text, given.Text
		s.narrow(c, given)
	}
	if s.window, err = parseWindow(h); err != nil {
		return nil, err
	}
	if s.window != nil {
		s.text += "[" + s.window.min + "," + s.window.max + ")"
	}
	if id := header.RangeID(h); id != "" {
		if s.held, err = c.RangeByID(id); err != nil {
			return nil, err
		}
		s.text += "@"
		s.bare += "@"
		s.single = true
	}
	if q != nil && s.keys == nil {
		s.keys = slices.Clone(q.pins)
		if given != nil {
			s.keys = slices.DeleteFunc(s.keys, func(k *store.Key) bool { return !k.HasPrefix(given) })
		}
		if len(s.keys) == 1 {
			s.narrow(c, s.keys[0])
		}
	}
	s.parts = touched(c, s)
	s.single = s.single || s.parts == 1 && (s.prefix != nil || s.window != nil)
	return s, nil
}

// narrow restricts a scope to a key or to a prefix of a hierarchical key.
func (s *scope) narrow(c *store.Container, k *store.Key) {
	s.prefix = k
	s.min = k.EPK
	if k.Len == len(c.Paths) {
		s.keys = []*store.Key{k}
		s.max = s.min
		return
	}
	s.max = s.min + store.MaxEPK
}

// Pin finds the keys of a container to which a query is limited. It must be called before the
// query is read from that container. It may be slow, and needs no lock.
func (q *Query) Pin(c *store.Container) {
	q.pins, q.prefixes = pinned(c, c.Paths, q), nil
	for n := len(c.Paths) - 1; n > 0 && q.pins == nil && q.prefixes == nil; n-- {
		q.prefixes = pinned(c, c.Paths[:n], q)
	}
}

// pinned returns the keys to which the WHERE clause of a query limits the documents, by
// equality or IN on each of some paths: all paths of the key, or the first ones. It returns
// nil if there is no such limit. The keys are in the order of the key space.
func pinned(c *store.Container, paths [][]string, q *Query) []*store.Key {
	combinations := [][]any{nil}
	for _, path := range paths {
		values, ok := q.restricts(path)
		if !ok || len(values)*len(combinations) > maxPinned {
			return nil
		}
		var longer [][]any
		for _, head := range combinations {
			for _, v := range values {
				longer = append(longer, append(slices.Clip(slices.Clone(head)), v))
			}
		}
		combinations = longer
	}
	keys := make([]*store.Key, 0, len(combinations))
	seen := map[string]bool{}
	for _, values := range combinations {
		if k, err := c.NewKey(values); err == nil && !seen[k.Text] {
			seen[k.Text] = true
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b *store.Key) int { return partition.CompareEPK(a.EPK, b.EPK) })
	return keys
}

// maxPinned bounds the number of keys that pinned looks up one by one.
const maxPinned = 10_000

// touched is the number of ranges that can hold documents of a scope.
func touched(c *store.Container, s *scope) int {
	if s.held != nil {
		return 1
	}
	n := 0
	for _, r := range c.Ranges {
		if s.touches(r) {
			n++
		}
	}
	return n
}

// touches reports whether a range can hold documents of a scope.
func (s *scope) touches(r *store.Range) bool {
	switch {
	case s.held != nil:
		return s.held == r
	case s.window != nil && (partition.CompareEPK(r.Min, s.window.max) >= 0 || partition.CompareEPK(s.window.min, r.Max) >= 0):
		return false
	case s.keys != nil:
		i := sort.Search(len(s.keys), func(i int) bool { return partition.CompareEPK(s.keys[i].EPK, r.Min) >= 0 })
		return i < len(s.keys) && r.Holds(s.keys[i].EPK)
	}
	return partition.CompareEPK(r.Min, s.max) <= 0 && partition.CompareEPK(s.min, r.Max) < 0
}

// within reports whether the part of a scope in the range that its request names lies between
// two effective partition keys.
func (s *scope) within(low, high string) bool {
	inside := &window{low, high}
	if s.keys != nil {
		return !slices.ContainsFunc(s.keys, func(k *store.Key) bool {
			return s.held.Holds(k.EPK) && s.window.holds(k.EPK) && !inside.holds(k.EPK)
		})
	}
	from, to := s.window.cut(s.held.Min, s.held.Max)
	return partition.CompareEPK(low, from) <= 0 && partition.CompareEPK(to, high) <= 0
}

// misses reports whether a scope in the range that its request names may lack documents
// between two effective partition keys. Then a count of rows over all documents there does not
// apply to the scope.
func (s *scope) misses(low, high string) bool {
	from, to := s.window.cut(s.held.Min, s.held.Max)
	return len(s.keys) != 1 && (partition.CompareEPK(low, from) < 0 || partition.CompareEPK(to, high) < 0)
}

// documents are the documents of a scope in one range, in the order of their creation, as a
// snapshot, which needs no lock.
type documents struct {
	all    store.Documents
	filter func(*store.Document) bool // nil, or reports whether the scope holds a document
}

// after returns the documents with a higher seq.
func (l documents) after(seq uint64) iter.Seq[*store.Document] {
	if l.filter == nil {
		return l.all.After(seq)
	}
	return func(yield func(*store.Document) bool) {
		for d := range l.all.After(seq) {
			if l.filter(d) && !yield(d) {
				return
			}
		}
	}
}

// documentsIn returns the documents of a scope in one range. The caller holds the lock.
func documentsIn(c *store.Container, s *scope, r *store.Range) documents {
	if len(s.keys) == 1 {
		if k := s.keys[0]; r.Holds(k.EPK) && s.window.holds(k.EPK) {
			return documents{all: c.DocumentsOf(k)}
		}
		return documents{}
	}
	list := documents{all: r.Snapshot().Docs}
	if s.keys == nil && s.prefix == nil && s.window == nil {
		return list
	}
	var wanted map[string]bool
	if s.keys != nil {
		wanted = make(map[string]bool, len(s.keys))
		count := 0
		for _, k := range s.keys {
			wanted[k.Text] = true
			if r.Holds(k.EPK) {
				count += c.DocumentsOf(k).Len()
			}
		}
		if count < list.all.Len()/4 {
			return documentsOfKeys(c, s, r)
		}
	}
	list.filter = func(d *store.Document) bool {
		return s.window.holds(d.Key.EPK) && (wanted == nil || wanted[d.Key.Text]) && (s.prefix == nil || d.Key.HasPrefix(s.prefix))
	}
	return list
}

// documentsOfKeys returns the documents of a few keys in one range.
func documentsOfKeys(c *store.Container, s *scope, r *store.Range) documents {
	var list []*store.Document
	for _, k := range s.keys {
		if r.Holds(k.EPK) && s.window.holds(k.EPK) {
			list = slices.AppendSeq(list, c.DocumentsOf(k).All())
		}
	}
	slices.SortFunc(list, func(a, b *store.Document) int { return cmp.Compare(a.Seq, b.Seq) })
	return documents{all: store.DocumentsOf(list)}
}
