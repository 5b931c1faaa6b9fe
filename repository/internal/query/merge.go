package query

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"iter"
	"maps"
	"sync"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// row is an item and its sort values.
type row struct {
	item any
	keys []text.SortValue
}

// merged runs jobs and yields their rows in the order of the statement. Each job has a
// goroutine that holds the page after the one being merged, so memory is bounded by two
// pages for each job. Concurrent requests are bounded by the settings. Ties are broken by
// the order of jobs, and then by the service's order, so that a merge of the same streams
// gives the same result.
func (e *execution) merged(ctx context.Context, jobs []job) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		workCtx, cancel := context.WithCancel(ctx)
		var workers sync.WaitGroup
		defer func() {
			cancel()
			workers.Wait()
		}()
		h := heads{orders: e.orders}
		streams := make([]*stream, len(jobs))
		for i, j := range jobs {
			s := &stream{rank: i, ctx: workCtx, batches: make(chan []row)}
			if e.Lazy {
				s.wanted = make(chan struct{})
			}
			streams[i] = s
			workers.Go(func() { s.fill(e.in(j), j) })
		}
		for _, s := range streams {
			ok, err := s.advance()
			if err != nil {
				yield(row{}, e.ended(err))
				return
			}
			if ok {
				h.streams = append(h.streams, s)
			}
		}
		heap.Init(&h)
		for len(h.streams) > 0 {
			s := h.streams[0]
			if !yield(s.page[0], nil) {
				return
			}
			ok, err := s.advance()
			switch {
			case err != nil:
				yield(row{}, e.ended(err))
				return
			case ok:
				heap.Fix(&h, 0)
			default:
				heap.Pop(&h)
			}
		}
	}
}

// ended turns an error of a context into an error of the query.
func (e *execution) ended(err error) error {
	var own *documents.Error
	if errors.As(err, &own) {
		return err
	}
	return &documents.Error{Op: e.op, Type: e.store.Type, Err: err}
}

// ordered runs one job in the order of the statement. If its physical partition is gone, it
// merges the successors, which resume after the delivered documents.
func (e *execution) ordered(ctx context.Context, j job, emit func([]row) bool) error {
	parts, err := attempt(ctx, e, j, e.rows, emit)
	if err != nil {
		return err
	}
	for r, err := range e.merged(ctx, parts) {
		if err != nil {
			return err
		}
		if !emit([]row{r}) {
			return errStopped
		}
	}
	return nil
}

// rows decodes a page. It skips documents that were delivered by an earlier page or before
// a restart. If more pages follow, it records how far the stream was delivered.
func (e *execution) rows(j *job, raw [][]byte, more bool) ([]row, error) {
	rows := make([]row, 0, len(raw))
	all := make([]text.SortValue, 0, len(raw)*len(e.orders)) // the keys of the page
	for _, document := range raw {
		from := len(all)
		var err error
		if all, err = e.keys(all, document); err != nil {
			return nil, err
		}
		keys := all[from:len(all):len(all)]
		skip, err := stray(e.store, j, document)
		if err == nil && !skip && (more || j.restarts > 0 || j.last() != nil) {
			skip, err = e.passed(j, document, keys, more)
		}
		if err != nil {
			return nil, err
		}
		if skip {
			continue
		}
		item, err := e.item(document)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{item, keys})
	}
	return rows, nil
}

// keys appends the sort values of an item. A distinct value sorts by itself.
func (e *execution) keys(to []text.SortValue, item []byte) ([]text.SortValue, error) {
	if !e.Combined {
		return text.SortKeys(to, e.orders, item)
	}
	for range e.orders {
		v, err := text.SortValueOf(text.ValueAt(item, ValuePath))
		if err != nil {
			return nil, err
		}
		to = append(to, v)
	}
	return to, nil
}

// passed reports whether to skip a document: it was delivered before a restart, or j is not
// responsible for it. If note is set, it records the others.
func (e *execution) passed(j *job, document []byte, keys []text.SortValue, note bool) (bool, error) {
	var name docName
	if !e.Combined {
		var err error
		if name, err = named(e.store, document); err != nil {
			return false, err
		}
		if foreign, err := foreignTo(e.store, j, document); err != nil || foreign {
			return foreign, err
		}
	}
	if j.after != nil {
		order := text.CompareKeys(e.orders, keys, j.after.keys)
		if order < 0 || order == 0 && j.after.names[name] {
			return true, nil
		}
	}
	if r := j.reached; r != nil && !e.Combined && r.names[name] && text.CompareKeys(e.orders, keys, r.keys) == 0 {
		return true, nil
	}
	if note {
		j.note(e.orders, keys, name)
	}
	return false, nil
}

// note records a delivered document.
func (j *job) note(orders []text.Order, keys []text.SortValue, name docName) {
	last := j.last()
	switch {
	case last == nil || text.CompareKeys(orders, keys, last.keys) != 0:
		j.reached = &reached{keys: keys, names: map[docName]bool{}}
	case j.reached == nil: // from before the restart; other jobs read it
		j.reached = &reached{keys: keys, names: maps.Clone(last.names)}
	}
	j.reached.names[name] = true
}

// stream has the rows of one job for the merge.
type stream struct {
	rank    int
	ctx     context.Context
	batches chan []row
	failure error         // valid once batches is closed
	page    []row         // rows received, the next one first
	wanted  chan struct{} // receives a value when all rows were used; nil if pages are read ahead
}

func (s *stream) fill(e *execution, j job) {
	defer close(s.batches)
	send := func(rows []row) bool {
		select {
		case s.batches <- rows:
		case <-s.ctx.Done():
			return false
		}
		if s.wanted == nil {
			return true
		}
		select {
		case <-s.wanted:
			return true
		case <-s.ctx.Done():
			return false
		}
	}
	err := e.ordered(s.ctx, j, func(rows []row) bool {
		return len(rows) == 0 || send(rows)
	})
	if !errors.Is(err, errStopped) {
		s.failure = err
	}
}

// advance moves to the next row. It returns false at the end.
func (s *stream) advance() (bool, error) {
	if len(s.page) > 1 {
		s.page = s.page[1:]
		return true, nil
	}
	if s.wanted != nil && s.page != nil {
		select {
		case s.wanted <- struct{}{}:
		case <-s.ctx.Done():
			return false, s.ctx.Err()
		}
	}
	page, ok := <-s.batches
	if !ok {
		return false, cmp.Or(s.failure, s.ctx.Err())
	}
	s.page = page
	return true, nil
}

type heads struct {
	orders  []text.Order
	streams []*stream
}

func (h *heads) Len() int      { return len(h.streams) }
func (h *heads) Swap(i, j int) { h.streams[i], h.streams[j] = h.streams[j], h.streams[i] }

func (h *heads) Less(i, j int) bool {
	a, b := h.streams[i], h.streams[j]
	if c := text.CompareKeys(h.orders, a.page[0].keys, b.page[0].keys); c != 0 {
		return c < 0
	}
	return a.rank < b.rank
}

func (h *heads) Push(x any) { h.streams = append(h.streams, x.(*stream)) }

func (h *heads) Pop() any {
	last := h.streams[len(h.streams)-1]
	h.streams = h.streams[:len(h.streams)-1]
	return last
}
