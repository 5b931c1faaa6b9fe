package analyze

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/layout"
)

// hotIntervals are the intervals whose busiest keys are determined.
var hotIntervals = []struct {
	name    string
	seconds int64
}{{"minute", 60}, {"hour", 3600}, {"day", 86400}}

const (
	// mostWindows is the maximum number of intervals: the minutes of a day.
	mostWindows = 1440
	// windowSlots is the number of keys per interval.
	windowSlots = 1 << 10
	// manyDocuments is the number of documents from which an interval's busiest share is
	// significant.
	manyDocuments = 100
)

// hotKeys finds the busiest keys of intervals of one length. If there are too many intervals, it
// keeps the ones with low hashes.
type hotKeys struct {
	seconds int64
	windows map[int64]*window
	slots   int    // of all windows
	most    int    // maximum number of slots
	limit   uint64 // intervals with higher hashes are skipped
	halved  int    // how often limit was halved
}

// window counts the keys of an interval.
type window struct {
	counts

	documents int64
	best      heavy // the key with the highest count
}

// newHotKeys returns hotKeys with about most slots at most.
func newHotKeys(seconds int64, most int) *hotKeys {
	return &hotKeys{seconds: seconds, windows: map[int64]*window{}, most: max(most, 2*windowSlots), limit: math.MaxUint64}
}

// add counts a document.
func (h *hotKeys) add(seconds int64, id keyID, key layout.Key) {
	at := seconds / h.seconds
	w := h.windows[at]
	if w == nil {
		if mix(uint64(at)) > h.limit {
			return
		}
		w = &window{counts: newCounts(windowSlots, false)}
		h.windows[at] = w
		h.slots += len(w.slots)
	}
	before := len(w.slots)
	w.add(id, key)
	h.slots += len(w.slots) - before
	for len(h.windows) > mostWindows || h.slots > h.most && len(h.windows) > 1 {
		h.halve()
	}
}

// halve drops half of the intervals.
func (h *hotKeys) halve() {
	h.limit /= 2
	h.halved++
	for at, w := range h.windows {
		if mix(uint64(at)) > h.limit {
			h.slots -= len(w.slots)
			delete(h.windows, at)
		}
	}
}

// add counts a document.
func (w *window) add(id keyID, key layout.Key) {
	w.documents++
	slot, purged := w.counts.add(id, 0)
	w.best.count -= min(w.best.count, uint64(purged))
	if n := uint64(slot.documents); n > w.best.count {
		w.best = heavy{id, key, n}
	}
}

// report returns the figures of the intervals.
func (h *hotKeys) report(name string) Hot {
	r := Hot{Interval: name, Intervals: len(h.windows), Of: int64(len(h.windows)) << h.halved}
	var sure, unsure int64
	for _, at := range h.order() {
		w := h.windows[at]
		sure += int64(w.best.count)
		unsure += int64(w.slack)
		r.Documents += w.documents
		share := float64(w.best.count) / float64(w.documents)
		if w.documents >= manyDocuments && (r.Most == nil || share > r.Most.Share) {
			r.Most = &HotKey{Key: w.best.key.String(), From: time.Unix(at*h.seconds, 0).UTC(), Share: share}
		}
	}
	if r.Documents > 0 {
		r.Share, r.ShareError = float64(sure)/float64(r.Documents), float64(unsure)/float64(r.Documents)
	}
	return r
}

// order returns the intervals in order of time.
func (h *hotKeys) order() []int64 {
	all := make([]int64, 0, len(h.windows))
	for at := range h.windows {
		all = append(all, at)
	}
	slices.SortFunc(all, cmp.Compare)
	return all
}

// stays returns the longest time for which one key is the busiest of each interval with documents;
// nil if no key has several documents in an interval.
func (h *hotKeys) stays(name string) *Stays {
	var best, run *Stays
	var of keyID
	for _, at := range h.order() {
		w := h.windows[at]
		if w.best.count < 2 {
			run = nil
			continue
		}
		if run == nil || w.best.id != of {
			run = &Stays{Key: w.best.key.String(), Interval: name, From: time.Unix(at*h.seconds, 0).UTC()}
			of = w.best.id
		}
		run.To = time.Unix((at+1)*h.seconds, 0).UTC()
		if best == nil || run.To.Sub(run.From) > best.To.Sub(best.From) {
			best = run
		}
	}
	return best
}

// staysOf returns the Stays of the finest intervals that were all kept and have 20 documents on
// average, or else of the longest intervals.
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

// Telling reports whether the intervals have 100 documents on average, so that the share of the
// busiest key is significant.
func (h Hot) Telling() bool {
	return h.Intervals > 0 && h.Documents >= manyDocuments*int64(h.Intervals)
}
