package query

import (
	"container/heap"
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxPassed is how many documents a page passes over that were given before, if
// cursors are open: who makes one up cannot have the program read more than this
// and a page.
const maxPassed = 1000

// open makes the streams of the page, and reads none.
func (r *pageRun) open(ctx context.Context) error {
	jobs, plan, err := r.q.jobs(ctx, r.listing())
	if err != nil {
		return err
	}
	if err := r.store.JoinSession(ctx, r.op); err != nil {
		return err
	}
	if jobs, err = r.q.pageJobs(jobs, plan.Strategy, r.pos); err != nil {
		return err
	}
	return r.add(jobs, true)
}

// admit limits the requests of runs that are under way at once.
func admit(runs ...*pageRun) {
	var jobs []job
	for i, r := range runs {
		for _, s := range r.streams.all {
			j := s.job
			j.part = i
			jobs = append(jobs, j)
		}
	}
	slots := make(chan struct{}, width(runs[0].store.Settings, jobs))
	for _, r := range runs {
		r.slots = slots
	}
}

// listing returns the statement with a limit, as a mark that partition keys are to
// be listed: documents of others would be read for nothing.
func (r *pageRun) listing() Statement {
	st := r.Statement
	st.Top = 1
	return st
}

// deep reports whether more documents that sort alike were given than are read
// again with the next page.
func (p *position) deep() bool {
	for _, t := range p.Tokens {
		if t.Token != "" {
			return true
		}
	}
	for _, s := range p.Stretches {
		if s.UpTo != nil {
			return true
		}
	}
	return false
}

// give gives the next document of the first stream. Given is false of one that was given
// before and created again since.
func (r *pageRun) give(s *pageStream) (doc any, given bool, err error) {
	row := s.rows[0]
	if doc, err = r.decode(row.raw); err != nil {
		return nil, false, r.failure(s.job, undecodableOf(row.raw, err))
	}
	p := r.pos
	alike := p.Keys != nil && text.CompareKeys(r.orders, p.Keys, row.keys) == 0
	if !alike {
		p.Keys, p.Stretches, p.Tokens, p.Last = row.keys, nil, nil, p.Last[:0]
	}
	if !alike || r.giver != s {
		r.giver, r.alike = s, 0
		r.first, r.end = p.reach(s.job.low, s.job.high)
	}
	for i := r.first; i < r.end; i++ {
		p.Stretches[i].add(row.number, p.Direction)
	}
	r.alike++
	s.rows = s.rows[1:]
	if !p.again(nameOf(s.container, text.ValueAt(row.raw, wire.IDPath), r.store.Paths, row.raw).number()) {
		p.Delivered++
		given = true
	}
	r.settle(s)
	return doc, given, nil
}

// settle puts a stream, which must be the first, to its place.
func (r *pageRun) settle(s *pageStream) {
	if len(s.rows) == 0 && s.ended {
		heap.Pop(&r.streams)
		return
	}
	heap.Fix(&r.streams, 0)
}

// overspent reports whether the page is to end before it is full, because too much
// was read that had been given before, and notes where the next one goes on.
func (r *pageRun) overspent(s *pageStream) bool {
	if len(r.store.Settings.CursorKeys) > 0 || r.passed <= maxPassed+r.size || len(s.rows) > 0 || !s.opened || s.ended {
		return false
	}
	return r.lead(s)
}

// more reports whether there is a next page.
func (r *pageRun) more(ctx context.Context) (bool, error) {
	for {
		for _, s := range r.streams.all {
			if s.opened {
				return true, nil // with documents or a continuation
			}
		}
		if r.streams.Len() == 0 {
			return false, nil
		}
		if err := r.fetch(ctx, r.unopened(), 1); err != nil {
			return false, err
		}
	}
}

// next returns the cursor of the next page. Full says that the giver has given the last
// document that this page may have.
func (r *pageRun) next(full bool) (string, error) {
	s, p := r.giver, r.pos
	if s != nil && full {
		if len(s.rows) > 0 && text.CompareKeys(r.orders, s.rows[0].keys, p.Keys) != 0 || len(s.rows) == 0 && s.ended {
			p.finish(s.job.high)
		} else {
			r.lead(s)
		}
	}
	return p.cursor(r.store.Settings.CursorKeys)
}
