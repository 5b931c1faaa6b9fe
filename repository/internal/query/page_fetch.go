package query

import (
	"container/heap"
	"context"
	"errors"
	"sync"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// unopened returns the streams that were not opened yet.
func (r *pageRun) unopened() []*pageStream {
	var all []*pageStream
	for _, s := range r.streams.all {
		if !s.opened {
			all = append(all, s)
		}
	}
	return all
}

// fetch reads the next responses of streams at once. A stream whose physical
// partition is gone, or whose token is refused, is replaced by others.
func (r *pageRun) fetch(ctx context.Context, streams []*pageStream, wanted int) error {
	workCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(streams))
	var workers sync.WaitGroup
	for i, s := range streams {
		work := func() {
			if errs[i] = s.fetch(workCtx, r, wanted); errs[i] != nil && !r.replaceable(s, errs[i]) {
				cancel() // the others are of no use
			}
		}
		if len(streams) == 1 {
			work()
			break
		}
		workers.Go(work)
	}
	workers.Wait()
	if err := r.failed(streams, errs); err != nil {
		return err
	}
	for i, s := range streams {
		if err := r.arrived(ctx, s, errs[i]); err != nil {
			return err
		}
	}
	heap.Init(&r.streams)
	return nil
}

// replaceable reports whether other streams can take over after an error.
func (r *pageRun) replaceable(s *pageStream, err error) bool {
	return s.job.scoped && route.Gone(err) || s.refuses(err)
}

// failed returns the error that ends the page, if there is one: not that of a
// request which was cancelled because another one had failed.
func (r *pageRun) failed(streams []*pageStream, errs []error) error {
	var failure error
	for i, err := range errs {
		if err == nil || r.replaceable(streams[i], err) {
			continue
		}
		if failure == nil || errors.Is(failure, context.Canceled) {
			var own *wire.OperationError
			if failure = err; !errors.As(err, &own) {
				failure = r.failure(streams[i].job, err)
			}
		}
	}
	return failure
}

// arrived notes what a response has shown, or replaces the stream after an error.
func (r *pageRun) arrived(ctx context.Context, s *pageStream, err error) error {
	if err != nil {
		return r.replace(ctx, s, err)
	}
	if s.last != nil {
		r.found = true
	}
	if s.container != "" && !r.pos.within(s.container) {
		return r.q.cursorError(cursor.ErrOtherContainer)
	}
	r.passed += s.passed
	if r.pos.Direction = r.pos.Direction.and(s.direction); r.pos.Direction == unsorted {
		for _, stretch := range r.pos.Stretches {
			if stretch.UpTo != nil {
				return r.failure(s.job, errUnsorted)
			}
		}
	}
	if len(s.rows) == 0 && s.ended {
		r.remove(s)
	}
	return nil
}

// remove takes a stream out. The heap has to be made again.
func (r *pageRun) remove(s *pageStream) {
	kept := r.streams.all[:0]
	for _, other := range r.streams.all {
		if other != s {
			kept = append(kept, other)
		}
	}
	r.streams.all = kept
}

// replace puts others in place of a stream: those of the physical partitions that
// there are now, or the same without the token that was refused.
func (r *pageRun) replace(ctx context.Context, s *pageStream, cause error) error {
	r.remove(s)
	if s.refuses(cause) && !route.Gone(cause) {
		return r.add([]job{s.job}, false)
	}
	jobs, err := r.successors(ctx, s.job, r.failure(s.job, cause))
	if err != nil {
		return err
	}
	r.lead(s)
	return r.add(pieces(jobs, r.pos), true)
}
