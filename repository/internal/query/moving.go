package query

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// A query over documents that move determines where each one is at a fixed time: a document
// that has moved since is at its old place, and any other one at its new place. The time is
// before the query begins, and moves from before it are finished first. So the condition is
// plain SQL, and sums are exact.

// sinceParameter is the parameter with the time of a query.
const sinceParameter = text.OwnParameter + "S"

// located is the condition for documents at their places at that time.
const located = `(` + marks.Shown + ` OR c.` + marks.Property + `.state = "` + marks.Moved + `" AND c._ts >= ` + sinceParameter + `)` +
	` AND (NOT IS_DEFINED(c.` + marks.Property + `.at) OR c.` + marks.Property + `.at < ` + sinceParameter + `)`

// copied is the condition for copies that are not final.
const copied = `c.` + marks.Property + `.state = "` + marks.Copied + `"`

// Stored is a kind of stored items while documents move.
type Stored string

// Kinds of stored items: documents at any place, and everything else.
const (
	Documents Stored = marks.Shown
	Marks     Stored = `NOT ` + marks.Shown
)

// AsStored returns q for one kind of stored items. PageSize applies unless the settings
// have one; 0 is the service's choice.
func (q Selection) AsStored(what Stored, pageSize int32) Selection {
	q = q.And(string(what))
	q.asStored, q.pageSize = true, pageSize
	return q
}

// settled finishes the moves that have begun, and returns q at a time before now. It costs
// one more query for each physical partition. If no documents move, it returns q and costs
// nothing.
func (q Selection) settled(ctx context.Context) (Selection, error) {
	if q.Store == nil || q.Store.Moves == nil {
		return q, nil
	}
	began := time.Now()
	now, err := q.finishMoves(ctx)
	if err != nil {
		return q, err
	}
	return q.at(now.Add(-store.Margin).Unix(), began), nil
}

// settle settles q and the statement s, which was made of q.
func (q *Selection) settle(ctx context.Context, s *Statement) error {
	if q.Store.Moves == nil || q.asStored {
		return nil
	}
	settled, err := q.settled(ctx)
	if err != nil {
		return err
	}
	n, m := len(q.Conditions), len(q.Parameters)
	s.conditions = append(s.conditions[:len(s.conditions):len(s.conditions)], settled.Conditions[n:]...)
	s.parameters = append(s.parameters[:len(s.parameters):len(s.parameters)], settled.Parameters[m:]...)
	*q = settled
	return nil
}

// at returns q at a time in seconds.
func (q Selection) at(since int64, began time.Time) Selection {
	q = q.And(located, wire.Parameter{Name: sinceParameter, Value: since})
	q.since, q.began = since, began
	return q
}

// finishMoves finishes the moves that have begun, and returns the service's time of the
// call.
func (q Selection) finishMoves(ctx context.Context) (time.Time, error) {
	clock := dates{began: time.Now()}
	s := Statement{conditions: append(q.Conditions[:len(q.Conditions):len(q.Conditions)], copied), parameters: q.Parameters}
	jobs, _, err := q.jobs(ctx, s)
	if err != nil {
		return time.Time{}, err
	}
	e := newExecution(q.Store, s, func(raw []byte) (any, error) { return raw, nil })
	e.dates = &clock
	for raw, err := range e.each(ctx, jobs, e.read) {
		if err == nil {
			err = q.Store.Moves.Finish(ctx, raw.([]byte))
		}
		if err != nil {
			return time.Time{}, err
		}
	}
	return clock.begin()
}

// dates collects the times of the service's answers.
type dates struct {
	began time.Time
	mu    sync.Mutex
	first time.Time // an upper bound of the time of the first request
}

// note records the time of an answer, if it has one.
func (d *dates) note(answer *http.Response) {
	if d == nil {
		return
	}
	date, err := wire.DateOf(answer)
	if err != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if date = date.Add(-time.Since(d.began)); d.first.IsZero() || date.Before(d.first) {
		d.first = date
	}
}

// begin returns the service's time of the first request, or an error if no answer had a
// date.
func (d *dates) begin() (time.Time, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.first.IsZero() {
		return d.first, fmt.Errorf("query: %w, which a query over moving documents needs", wire.ErrNoDate)
	}
	return d.first, nil
}

// inTime returns an error if the query has run for longer than marks of moved documents
// stay.
func (q Selection) inTime() error {
	if q.began.IsZero() || time.Since(q.began) < store.Grace {
		return nil
	}
	return &documents.Error{Op: "query", Type: q.TypeName(), Err: errors.New("it has run for longer than " + strconv.Itoa(int(store.Grace/time.Hour)) + " hours, while documents move to other keys: divide it, or use pages")}
}

// fresh returns an error if the time of a cursor is so old that marks of documents which
// have moved since may be gone.
func (q Selection) fresh(ctx context.Context, since int64) error {
	now, err := q.now(ctx)
	if err != nil {
		return err
	}
	if now.Sub(time.Unix(since, 0)) >= store.Grace-store.CommitWait {
		return q.cursorError(errors.New("it is older than " + strconv.Itoa(int(store.Grace/time.Hour)) + " hours, and documents of the type are moving to other keys: begin again without a cursor"))
	}
	return nil
}

// continued returns q at the time of a position. It sets the time if the position has none.
func (q Selection) continued(ctx context.Context, from *position) (Selection, error) {
	if q.Store.Moves == nil {
		return q, nil
	}
	if from.Since > 0 {
		return q.at(from.Since, time.Now()), q.fresh(ctx, from.Since)
	}
	q, err := q.settled(ctx)
	from.Since = q.since
	return q, err
}

// now returns the service's time. It costs a request.
func (q Selection) now(ctx context.Context) (time.Time, error) {
	callCtx, done := q.Store.Begin(q.Store.Marked(ctx), wire.Event{Op: "page"})
	response, err := q.Store.Client.Read(callCtx, nil)
	done(response.RequestCharge, err)
	if err != nil {
		return time.Time{}, wire.NewError("page", q.TypeName(), "", "", err)
	}
	clock := dates{began: time.Now()}
	clock.note(response.RawResponse)
	return clock.begin()
}
