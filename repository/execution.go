package repository

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// execution is one run of a query: what its jobs have in common. Its items are
// what decode makes of those of responses.
type execution struct {
	statement
	store    *store
	plain    string // the statement as it is
	op       string // for errors
	pageSize int32
	decode   func([]byte) (any, error) // called by several goroutines

	// The container that documents came from, by its RID, once some did.
	origin atomic.Pointer[string]

	// What limits the requests under way, where each job has its own goroutine;
	// nil does not.
	slots chan struct{}
}

// statement is the SQL of a query, but for the condition that lists a job's
// partition keys.
type statement struct {
	// columns are what is selected of a document; nil is all of it.
	columns []string

	// combined says that an item of a response is not one document, but made of
	// several: an aggregate, or a distinct value.
	combined bool

	distinct   bool
	top        int // 0 is no TOP
	conditions []string
	parameters []azcosmos.QueryParameter
	orders     []text.Order
}

// sql returns the text of the statement with one more condition, if that is not
// empty.
func (s *statement) sql(condition string) string {
	var b strings.Builder
	b.Grow(256)
	b.WriteString("SELECT ")
	if s.distinct {
		b.WriteString("DISTINCT ")
	}
	if s.top > 0 {
		b.WriteString("TOP " + strconv.Itoa(s.top) + " ")
	}
	if s.columns == nil {
		b.WriteString("*")
	}
	for i, column := range s.columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(column)
	}
	b.WriteString(" FROM c")
	and := " WHERE ("
	for _, c := range s.conditions {
		b.WriteString(and + c + ")")
		and = " AND ("
	}
	if condition != "" {
		b.WriteString(and + condition + ")")
	}
	b.WriteString(text.OrderClause(s.orders))
	return b.String()
}

// text returns the SQL of a job and its parameters.
func (e *execution) text(j job) (string, []azcosmos.QueryParameter) {
	listed, more := listCondition(e.store, j)
	if listed == "" {
		return e.plain, e.parameters
	}
	return e.sql(listed), append(e.parameters[:len(e.parameters):len(e.parameters)], more...)
}

// combines says that the results of several physical partitions are more than
// those of one after the other, as the gateway gives them: they are sorted or
// aggregated. Distinct values are, too, but can be told apart here.
func (s *statement) combines() bool { return len(s.orders) > 0 || s.combined && !s.distinct }

// certain is a property that every item of a response has, or empty.
func (s *statement) certain() string {
	switch {
	case s.columns == nil:
		return wire.IDPath[0]
	case !s.combined:
		return wire.RIDPath[0]
	case slices.Contains(s.columns, countColumn):
		return "n"
	default:
		return ""
	}
}

// unlisted says that more documents than are wanted may be asked for, since what
// is returned tells them apart.
func (s *statement) unlisted() bool { return !s.combined && s.top == 0 }

// errStopped says that the consumer wants no more.
var errStopped = errors.New("stopped")

// pages sends the requests of a job and hands over its pages; more says that
// another one follows. An error of emit ends it.
func (e *execution) pages(ctx context.Context, j job, emit func(items [][]byte, more bool) error) error {
	if err := e.store.joinSession(ctx, e.op); err != nil {
		return err
	}
	text, parameters := e.text(j)
	requests := ctx
	if j.scoped {
		requests = route.InRange(ctx, j.rid, j.in.ID)
	}
	demanded := wire.OptionsOf(ctx)
	options := azcosmos.QueryOptions{
		QueryParameters:  parameters,
		PageSizeHint:     e.pageSize,
		ConsistencyLevel: demanded.Consistency,
		PriorityLevel:    demanded.Priority,
	}
	pager := e.store.Client.NewQueryItemsPager(text, j.key, &options)
	for more := true; more; { // a page may be empty and not the last
		var page azcosmos.QueryItemsResponse
		err := wire.Reread(ctx, func() (err error) {
			if page, err = e.request(requests, j, pager); wire.IsBroken(err) { // a pager has ended with its first error
				pager = e.store.Client.NewQueryItemsPager(text, j.key, &options)
			}
			return err
		})
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
	callCtx, done := e.store.Begin(ctx, wire.Event{Op: e.op, PartitionKey: j.name, Range: j.in.ID})
	page, err := pager.NextPage(callCtx)
	if err = wire.Unparsed(err); err == nil {
		err = wire.CheckPage(page.RawResponse, page.Items, e.certain())
	}
	done(page.RequestCharge, err)
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

// page decodes the items of a page. It notes what it delivers if there are more
// pages, and leaves out what was delivered before a restart.
func (e *execution) page(j *job, raw [][]byte, more bool) ([]any, error) {
	items := make([]any, 0, len(raw))
	for _, document := range raw {
		skip, err := stray(e.store, j, document)
		if err == nil && !skip && j.scoped && !e.combined && (more || j.restarts > 0) {
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

// delivered reports whether a document is to be left out: it was delivered
// before j was restarted, or is not one that j answers for. It notes the others
// if j may be restarted once more.
func delivered(s *store, j *job, document []byte, note bool) (bool, error) {
	rid, err := ridOf(document)
	if err != nil || j.seen[rid] {
		return err == nil, err
	}
	if foreign, err := foreignTo(s, j, document); err != nil || foreign {
		return foreign, err
	}
	if note {
		if j.seen == nil {
			j.seen = map[string]bool{}
		}
		j.seen[rid] = true
	}
	return false, nil
}

func ridOf(document []byte) (string, error) {
	raw := text.ValueAt(document, wire.RIDPath)
	if raw == nil {
		return "", errors.New("the service sent a document without _rid")
	}
	var rid string
	err := json.Unmarshal(raw, &rid)
	return rid, err
}

// foreignTo reports whether a document is not one that j answers for, as there
// are where j was restarted and physical partitions have been merged.
func foreignTo(s *store, j *job, document []byte) (bool, error) {
	if j.restarts == 0 || route.Contains(j.low, j.high, j.in) {
		return false, nil
	}
	epk, err := s.EPK(document)
	if err != nil {
		return false, err
	}
	return partition.CompareEPK(epk, j.low) < 0 || partition.CompareEPK(epk, j.high) >= 0, nil
}

func (e *execution) failure(j job, err error) *wire.OperationError {
	failure := wire.NewOperationError(e.op, e.store.Type, "", j.name, err)
	failure.Range = j.in.ID
	var bad *undecodable
	if errors.As(err, &bad) {
		failure.ID, failure.Err = bad.id, bad.err
	}
	return failure
}
