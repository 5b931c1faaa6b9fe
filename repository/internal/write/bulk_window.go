package write

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxWaiting is how many items of a bulk operation wait in memory at once, for
// others of their logical partition or for one of the same document: two full
// batches for each of twenty logical partitions that take turns.
const maxWaiting = 4096

// maxWaitingBytes bounds the JSON of items that wait.
const maxWaitingBytes = 16 << 20

// bulkLane is the items that have to be stored one after the other.
type bulkLane struct {
	name    wire.Identity
	waiting []*BulkItem
	bytes   int
	full    int // how full the next request is, of wire.MaxBatchBytes
	at      int // in the heap, -1 while a group is under way
}

// group is items of a lane that are sent together. No two of a lane are under
// way at once.
type group struct {
	lane  *bulkLane
	items []*BulkItem
}

// window is the items that wait. Its lanes of which nothing is under way are in a
// heap, the fullest first, and of those the one that has waited longest.
type window struct {
	most  int // items in a group
	lanes map[wire.Identity]*bulkLane
	idle  lanes
	items int
	bytes int
}

func newWindow(most int) window {
	return window{most: most, lanes: map[wire.Identity]*bulkLane{}}
}

// size returns about how many bytes an item adds to a batch.
func (i *BulkItem) size() int {
	o := wire.Operation{ID: i.ID, Body: i.Body}
	return o.Size()
}

// add adds an item at the end of its lane.
func (w *window) add(name wire.Identity, item *BulkItem) {
	l, known := w.lanes[name]
	if !known {
		l = &bulkLane{name: name}
		w.lanes[name] = l
	}
	l.waiting = append(l.waiting, item)
	l.bytes += item.size()
	w.items++
	w.bytes += item.size()
	w.weigh(l)
	switch {
	case !known:
		heap.Push(&w.idle, l)
	case l.at >= 0:
		heap.Fix(&w.idle, l.at)
	}
}

// weigh finds how full the next request of a lane is.
func (w *window) weigh(l *bulkLane) {
	l.full = min(max(len(l.waiting)*wire.MaxBatchBytes/w.most, l.bytes), wire.MaxBatchBytes)
}

// ready reports whether a group is complete.
func (w *window) ready() bool { return len(w.idle) > 0 && w.idle[0].full == wire.MaxBatchBytes }

// crowded reports whether enough items wait that an incomplete group must be sent.
func (w *window) crowded() bool { return w.items >= maxWaiting || w.bytes >= maxWaitingBytes }

// take returns the fullest group, or nil if there is no group. If complete is set, it
// returns complete groups only.
func (w *window) take(complete bool) *group {
	if len(w.idle) == 0 || complete && !w.ready() {
		return nil
	}
	l := heap.Pop(&w.idle).(*bulkLane)
	n, bytes := 0, 0
	for n < min(w.most, len(l.waiting)) {
		size := l.waiting[n].size()
		if n > 0 && bytes+size > wire.MaxBatchBytes {
			break
		}
		n++
		bytes += size
	}
	g := &group{l, l.waiting[:n:n]}
	l.waiting = l.waiting[n:]
	l.bytes -= bytes
	w.items -= n
	w.bytes -= bytes
	return g
}

// free lets the next group of a lane go.
func (w *window) free(l *bulkLane) {
	if len(l.waiting) == 0 {
		delete(w.lanes, l.name)
		return
	}
	w.weigh(l)
	heap.Push(&w.idle, l)
}

// rest returns all the items that wait, in their order.
func (w *window) rest() []*BulkItem {
	all := make([]*BulkItem, 0, w.items)
	for _, l := range w.lanes {
		all = append(all, l.waiting...)
	}
	slices.SortFunc(all, func(a, b *BulkItem) int { return cmp.Compare(a.Index, b.Index) })
	return all
}

// lanes implements heap.Interface.
type lanes []*bulkLane

func (h lanes) Len() int { return len(h) }

func (h lanes) Less(i, j int) bool {
	if h[i].full != h[j].full {
		return h[i].full > h[j].full
	}
	return h[i].waiting[0].Index < h[j].waiting[0].Index
}

func (h lanes) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}

func (h *lanes) Push(l any) {
	l.(*bulkLane).at = len(*h)
	*h = append(*h, l.(*bulkLane))
}

func (h *lanes) Pop() any {
	last := len(*h) - 1
	l := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	l.at = -1
	return l
}
