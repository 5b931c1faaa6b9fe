package query

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// read emits the pages of a job, decoded, in no order. It returns errStopped if
// emit returns false.
//
// If the job's physical partition is gone, split or merged or of a container
// that was made again, its successors begin again and leave out what was
// delivered before.
func (e *execution) read(ctx context.Context, j job, emit func([]any) bool) error {
	parts, err := attempt(ctx, e, j, e.page, emit)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := e.read(ctx, part, emit); err != nil {
			return err
		}
	}
	return nil
}

// attempt emits the pages of a job as decode makes them, and returns the jobs that
// take over if the job's physical partition is gone.
func attempt[I any](ctx context.Context, e *execution, j job, decode func(*job, [][]byte, bool) ([]I, error), emit func([]I) bool) ([]job, error) {
	err := e.pages(ctx, j, func(raw [][]byte, more bool) error {
		items, err := decode(&j, raw, more)
		if err != nil {
			return e.failure(j, err)
		}
		if !emit(items) {
			return errStopped
		}
		return nil
	})
	if !j.scoped || !route.Gone(err) {
		return nil, err
	}
	return e.successors(ctx, j, err)
}

// page decodes the items of a page. It notes what it delivers if there are more pages, and
// leaves out what was delivered by an earlier page or before a restart.
func (e *execution) page(j *job, raw [][]byte, more bool) ([]any, error) {
	items := make([]any, 0, len(raw))
	for _, document := range raw {
		skip, err := stray(e.store, j, document)
		if err == nil && !skip && !e.Combined && (more || j.restarts > 0 || j.seen != nil) {
			skip, err = delivered(e.store, j, document, more)
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
		items = append(items, item)
	}
	return items, nil
}

// item decodes a document. An error says which one it is.
func (e *execution) item(document []byte) (any, error) {
	item, err := e.decode(document)
	if err == nil {
		return item, nil
	}
	return nil, undecodableOf(document, err)
}
