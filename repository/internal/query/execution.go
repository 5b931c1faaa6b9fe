package query

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// execution is one run of a query: what its jobs have in common. Its items are
// what decode makes of those of responses.
type execution struct {
	Statement
	store    *store.Store
	plain    string // the statement as it is
	op       string // for errors
	pageSize int32
	decode   func([]byte) (any, error) // called by several goroutines

	// The container that documents came from, by its RID, once some did.
	origin atomic.Pointer[string]

	// Of several containers, their executions, and nothing else of this one is used but
	// its order and its slots.
	parts []*execution

	// The container does not exist, as it need not.
	missing atomic.Bool

	// When answers came, if that is wanted.
	dates *dates

	// What limits the requests under way, where each job has its own goroutine;
	// nil does not.
	slots chan struct{}
}

// text returns the SQL of a job and its parameters.
func (e *execution) text(j job) (string, []azcosmos.QueryParameter) {
	listed, more := listCondition(e.store, j)
	if listed == "" {
		return e.plain, e.parameters
	}
	return e.sql(listed), append(e.parameters[:len(e.parameters):len(e.parameters)], more...)
}

// errStopped says that the consumer wants no more.
var errStopped = errors.New("stopped")

// pages sends the requests of a job and hands over its pages; more says that
// another one follows. An error of emit ends it.
func (e *execution) pages(ctx context.Context, j job, emit func(items [][]byte, more bool) error) error {
	if err := e.store.JoinSession(ctx, e.op); err != nil {
		return err
	}
	text, parameters := e.text(j)
	requests := ctx
	if j.scoped {
		requests = route.InRange(ctx, j.rid, j.in.ID)
	}
	options := wire.QueryOptions(ctx)
	options.QueryParameters, options.PageSizeHint = parameters, e.pageSize
	pager := e.store.Target(ctx).NewQueryItemsPager(text, j.key, &options)
	first := true
	for more := true; more; first = false { // a page may be empty and not the last
		var page azcosmos.QueryItemsResponse
		err := wire.Reread(ctx, func() (err error) {
			if page, err = e.request(requests, j, pager); wire.IsBroken(err) { // a pager has ended with its first error
				pager = e.store.Target(ctx).NewQueryItemsPager(text, j.key, &options)
			}
			return err
		})
		if e.store.Lacks(err) && first && e.origin.Load() == nil {
			e.missing.Store(true)
			return nil
		}
		if e.store.Lacks(err) || len(page.Items) > 0 && e.missing.Load() {
			return e.madeAgain(j, errors.Join(err, errDropped))
		}
		if err != nil {
			return e.failure(j, err)
		}
		if j.scoped && len(page.Items) > 0 && !e.from(j.rid) {
			return e.madeAgain(j, errors.New("its documents are others"))
		}
		options.ContinuationToken = page.ContinuationToken
		more = page.ContinuationToken != nil
		if err := emit(page.Items, more); err != nil {
			return err
		}
	}
	return nil
}

// errDropped is why a query ends in a container that exists for some of its requests.
var errDropped = errors.New("the container was dropped, or made again")

// request reads a page, once one of the slots is free.
func (e *execution) request(ctx context.Context, j job, pager *runtime.Pager[azcosmos.QueryItemsResponse]) (azcosmos.QueryItemsResponse, error) {
	if e.slots != nil {
		select {
		case e.slots <- struct{}{}:
			defer func() { <-e.slots }()
		case <-ctx.Done():
			return azcosmos.QueryItemsResponse{}, ctx.Err()
		}
	}
	if err := wire.BeforePage(ctx); err != nil {
		return azcosmos.QueryItemsResponse{}, err
	}
	callCtx, done := e.store.Begin(ctx, wire.Event{Op: e.op, PartitionKey: j.name, Range: j.in.ID})
	page, err := pager.NextPage(callCtx)
	e.dates.note(page.RawResponse)
	if err = wire.Unparsed(err); err == nil {
		err = wire.CheckPage(page.RawResponse, page.Items, e.certain())
	}
	done(page.RequestCharge, err)
	if err == nil {
		wire.NoteIndexMetrics(ctx, page)
		err = wire.AfterPage(ctx)
	}
	return page, err
}

// from notes that documents come from the container with this RID. It returns
// false if others came from another container.
func (e *execution) from(rid string) bool {
	if origin := e.origin.Load(); origin != nil {
		return *origin == rid
	}
	return e.origin.CompareAndSwap(nil, &rid) || e.from(rid)
}

func (e *execution) failure(j job, err error) *wire.OperationError {
	failure := wire.NewContainerError(e.op, e.store.Type, j.name, err)
	failure.Range = j.in.ID
	var bad *undecodable
	if errors.As(err, &bad) {
		failure.ID, failure.Err = bad.id, bad.err
	}
	return failure
}

// madeAgain is the error of a query that has delivered documents of a container
// which is no more.
func (e *execution) madeAgain(j job, cause error) error {
	failure := e.failure(j, cause)
	failure.Note = "the container was deleted and made again while it was read: run the query again"
	return failure
}
