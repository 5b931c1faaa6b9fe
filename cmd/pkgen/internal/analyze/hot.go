package analyze

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
)

// hotIntervals are the intervals of which the busiest key is looked for.
var hotIntervals = []struct {
	name    string
	seconds int64
}{{"minute", 60}, {"hour", 3600}, {"day", 86400}}

const (
	// mostWindows is how many intervals are looked at: the hours of a month.
	mostWindows = 720
	// windowKeys is how many keys of an interval are counted: a share is too low by at
	// most 1/32.
	windowKeys = 32
	// manyDocuments is how many an interval needs, for the share of its busiest key to
	// mean something.
	manyDocuments = 100
)

// hotKeys finds the busiest keys of intervals of one length. If there are too many
// intervals, those with a low hash are looked at.
type hotKeys struct {
	seconds int64
	windows map[int64]*window
	limit   uint64 // hashes above it are left out
	halved  int    // how often limit was
}

// window counts the keys of an interval, by the algorithm Space-Saving (Metwally et al.,
// 2005).
type window struct {
	documents int64
	ids       [windowKeys]keyID
	counts    [windowKeys]uint32
	above     [windowKeys]uint32 // by how much a count can be too high
	keys      [windowKeys]layout.Key
}

func newHotKeys(seconds int64) *hotKeys {
	return &hotKeys{seconds: seconds, windows: map[int64]*window{}, limit: math.MaxUint64}
}

// add counts a document.
func (h *hotKeys) add(seconds int64, id keyID, key layout.Key) {
	at := seconds / h.seconds
	w := h.windows[at]
	if w == nil {
		if mix(uint64(at)) > h.limit {
			return
		}
		w = &window{}
		h.windows[at] = w
		for len(h.windows) > mostWindows {
			h.limit /= 2
			h.halved++
			for at := range h.windows {
				if mix(uint64(at)) > h.limit {
					delete(h.windows, at)
				}
			}
		}
	}
	w.add(id, key)
}

// add counts a document.
func (w *window) add(id keyID, key layout.Key) {
	w.documents++
	lowest := 0
	for i := range w.ids {
		if w.ids[i] == id && w.counts[i] > 0 {
			w.counts[i]++
			return
		}
		if w.counts[i] < w.counts[lowest] {
			lowest = i
		}
	}
	w.above[lowest] = w.counts[lowest]
	w.ids[lowest], w.keys[lowest] = id, key
	w.counts[lowest]++
}

// busiest returns the key that has most documents for sure, and how many.
func (w *window) busiest() (at int, documents uint32) {
	for i := range w.ids {
		if n := w.counts[i] - w.above[i]; n > documents || n == documents && n > 0 && w.keys[i].String() < w.keys[at].String() {
			at, documents = i, n
		}
	}
	return at, documents
}

// report returns what is known of the intervals.
func (h *hotKeys) report(name string) Hot {
	r := Hot{Interval: name, Intervals: len(h.windows), Of: int64(len(h.windows)) << h.halved}
	var sure int64
	for _, at := range h.order() {
		w := h.windows[at]
		i, n := w.busiest()
		sure += int64(n)
		r.Documents += w.documents
		share := float64(n) / float64(w.documents)
		if w.documents >= manyDocuments && (r.Most == nil || share > r.Most.Share) {
			r.Most = &HotKey{Key: w.keys[i].String(), From: time.Unix(at*h.seconds, 0).UTC(), Share: share}
		}
	}
	if r.Documents > 0 {
		r.Share = float64(sure) / float64(r.Documents)
	}
	return r
}

// order returns the intervals in the order of time.
func (h *hotKeys) order() []int64 {
	all := make([]int64, 0, len(h.windows))
	for at := range h.windows {
		all = append(all, at)
	}
	slices.SortFunc(all, cmp.Compare)
	return all
}

// stays returns the longest time for which one key is the busiest of each interval that
// has documents.
func (h *hotKeys) stays(name string) *Stays {
	var best, run *Stays
	var of keyID
	for _, at := range h.order() {
		w := h.windows[at]
		i, _ := w.busiest()
		if run == nil || w.ids[i] != of {
			run = &Stays{Key: w.keys[i].String(), Interval: name, From: time.Unix(at*h.seconds, 0).UTC()}
			of = w.ids[i]
		}
		run.To = time.Unix((at+1)*h.seconds, 0).UTC()
		if best == nil || run.To.Sub(run.From) > best.To.Sub(best.From) {
			best = run
		}
	}
	return best
}

// staysOf returns that of the finest intervals of which all were looked at, and which
// have 20 documents on average, or else of the longest intervals.
func staysOf(all []*hotKeys) *Stays {
	last := len(all) - 1
	for i, h := range all {
		var documents int64
		for _, w := range h.windows {
			documents += w.documents
		}
		if i == last || h.halved == 0 && documents >= 20*int64(len(h.windows)) {
			return h.stays(hotIntervals[i].name)
		}
	}
	return nil
}
