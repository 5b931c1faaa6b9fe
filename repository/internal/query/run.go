package query

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// All yields the documents that q selects, each as a pointer.
func (q Selection) All(ctx context.Context) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) { q.Run(ctx, q.Statement(), nil, q.Limit, yield) }
}

// While yields the documents that q selects, in its order, until test is false of one. A
// page is asked for when those before it have been used.
func (q Selection) While(ctx context.Context, test func(doc any) bool) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		if err := q.Validate(); err != nil {
			yield(nil, err)
			return
		}
		if len(q.Orders) == 0 {
			yield(nil, fmt.Errorf("query %s: TakeWhile ends at the first unwanted document, which needs an order: call it after OrderBy", q.TypeName()))
			return
		}
		s := q.Statement()
		s.Lazy = true
		q.Run(ctx, s, nil, q.Limit, func(doc any, err error) bool {
			return (err != nil || test(doc)) && yield(doc, err)
		})
	}
}

// Exists reports whether q selects a document: each physical partition sends one at most,
// and of it what tells documents apart. The first one ends the query.
func (q Selection) Exists(ctx context.Context) (found bool, err error) {
	if err := q.Validate(); err != nil {
		return false, err
	}
	q.Orders = nil
	s := q.Statement()
	s.Top, s.Columns = 1, q.Columns()
	q.Run(ctx, s, func([]byte) (any, error) { return nil, nil }, 1, func(_ any, failure error) bool {
		found, err = failure == nil, failure
		return false
	})
	return found, err
}

// Statement returns what q selects, whole documents.
func (q Selection) Statement() Statement {
	return Statement{conditions: q.Conditions, parameters: q.Parameters, orders: q.Orders, Top: q.Limit}
}

// Run is one loop over the items of a statement. A nil decode is that of whole
// documents.
func (q Selection) Run(ctx context.Context, s Statement, decode func([]byte) (any, error), limit int, yield func(any, error) bool) {
	if err := q.Validate(); err != nil {
		yield(nil, err)
		return
	}
	err := q.over(ctx, func(ctx context.Context, q Selection, parts []Part) (given bool, failure error) {
		take := func(item any, err error) bool {
			if failure = err; err != nil {
				return false
			}
			given = true
			return yield(item, nil)
		}
		if parts != nil {
			q.runOver(ctx, parts, s, decode, limit, take)
		} else {
			q.runIn(ctx, s, decode, limit, take)
		}
		return given, failure
	})
	if err != nil {
		yield(nil, err)
	}
}

// runIn is Run in one container.
func (q Selection) runIn(ctx context.Context, s Statement, decode func([]byte) (any, error), limit int, yield func(any, error) bool) {
	var once func(doc any) bool
	if decode == nil {
		decode = q.Store.Decode
		if q.Store.Once != nil {
			once, s.Top = q.Store.Once(), 0 // a physical partition may have to send more than the limit
		}
	}
	ctx, end := q.start(ctx)
	var failure error
	defer func() { end(failure) }()
	if failure = q.settle(ctx, &s); failure != nil {
		yield(nil, failure)
		return
	}
	jobs, plan, err := q.jobs(ctx, s)
	if err != nil {
		failure = err
		yield(nil, err)
		return
	}
	if plan.Strategy == store.Gateway { // which has no TOP and no DISTINCT
		s.Top, s.Distinct = 0, false
	}
	e := q.newExecution(s, decode)
	e.pageSize = cmp.Or(e.pageSize, q.pageSize)
	if plan.Strategy == store.Gateway && limit > 0 && limit < defaultPage {
		e.pageSize = int32(limit)
	}
	n := 0
	take := func(item any, err error) bool {
		if err == nil {
			if err = q.inTime(); err != nil {
				item = nil
			}
		}
		if once != nil && err == nil && !once(item) {
			return true
		}
		n++
		failure = err
		return yield(item, err) && n != limit
	}
	for item, err := range e.all(ctx, jobs) {
		if plan.Strategy == store.Gateway && refusedByGateway(err) && n == 0 && q.Store.Settings.Strategy == store.Automatic {
			q.Store.GatewayRefused.Store(true)
			e.all(ctx, perKey(list(q.Store, q.keys)))(take)
			return
		}
		if !take(item, err) {
			return
		}
	}
}

// defaultPage is how many items the service puts into a page if it is not asked
// for a number: "Pagination in Azure Cosmos DB".
const defaultPage = 100

// newExecution returns a run of s on st.
func newExecution(st *store.Store, s Statement, decode func([]byte) (any, error)) *execution {
	if s.Columns == nil && st.Computed.Sorts(s.orders) {
		// Documents do not have what they are sorted by.
		s.Columns, decode = Selection{Store: st, Orders: s.orders}.Columns("c AS "+ValueName, text.Column(wire.IDPath[0])), decodingRows(decode)
	}
	return &execution{Statement: s, store: st, op: "query", plain: s.sql(""), pageSize: st.Settings.PageSize, decode: decode}
}

// decodingRows returns what decodes rows that have documents in them.
func decodingRows(decode func([]byte) (any, error)) func([]byte) (any, error) {
	return func(row []byte) (any, error) {
		document := text.ValueAt(row, ValuePath)
		if document == nil {
			return nil, errors.New("the service sent a row without its document")
		}
		return decode(document)
	}
}

// newExecution returns a run of s for q, which other regions may answer if it is for a program.
func (q Selection) newExecution(s Statement, decode func([]byte) (any, error)) *execution {
	e := newExecution(q.Store, s, decode)
	if q.ForProgram {
		e.forProgram()
	}
	return e
}

// forProgram lets other regions answer, if they may.
func (e *execution) forProgram() {
	e.hedge = e.store.Hedging()
	e.anywhere = e.hedge == nil && !e.store.Resident && wire.Troubled()
}

// Untyped returns decode as executions call it. Executions are not generic, so that a
// program has their code once, and not for each document type.
func Untyped[R any](decode func([]byte) (R, error)) func([]byte) (any, error) {
	return func(item []byte) (any, error) { return decode(item) }
}

// typed returns the items of an execution with the type that decode had before Untyped.
func typed[R any](items iter.Seq2[any, error]) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for item, err := range items {
			r, _ := item.(R) // nil with an error
			if !yield(r, err) {
				return
			}
		}
	}
}

// Collect returns what an iteration yields, or its error alone.
func Collect[R any](items iter.Seq2[R, error]) ([]R, error) {
	var all []R
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

// all runs jobs and yields what they read: in the order of the statement, if it
// has one, else as it comes.
func (e *execution) all(ctx context.Context, jobs []job) iter.Seq2[any, error] {
	if len(e.orders) == 0 || len(jobs) == 1 && !jobs[0].scoped {
		return e.each(ctx, jobs, e.read)
	}
	e.slots = make(chan struct{}, width(e.store.Settings, jobs))
	return func(yield func(any, error) bool) {
		for r, err := range e.merged(ctx, jobs) {
			if !yield(r.item, err) {
				return
			}
		}
	}
}

// Statement is the SQL of a query, but for the condition that lists a job's
// partition keys.
type Statement struct {
	// Columns are what is selected of a document; nil is all of it.
	Columns []string

	// Combined says that an item of a response is not one document, but made of
	// several: an aggregate, or a distinct value.
	Combined bool

	// Lazy says that a page is asked for when the documents before it have been used,
	// and not ahead.
	Lazy bool

	Distinct bool
	Top      int // 0 is no TOP

	// Ranked is an expression of SQL by which each physical partition sorts the nearest
	// first, in place of orders. The caller merges the items of all.
	Ranked string

	// Planned is SQL of a plan of the service, in place of all else. Each of its items has the
	// property Key, and those that are of one document have it at Within.
	Planned string
	Key     string
	Within  []string

	conditions []string
	parameters []wire.Parameter
	orders     []text.Order
	group      []string // properties by which documents are put into groups
}

// sql returns the text of the statement with one more condition, if that is not
// empty.
func (s *Statement) sql(condition string) string {
	if s.Planned != "" {
		return strings.ReplaceAll(s.Planned, placeFilter, cmp.Or(condition, "true"))
	}
	var b strings.Builder
	b.Grow(256)
	b.WriteString("SELECT ")
	if s.Distinct {
		b.WriteString("DISTINCT ")
	}
	if s.Top > 0 {
		b.WriteString("TOP " + strconv.Itoa(s.Top) + " ")
	}
	if s.Columns == nil {
		b.WriteString("*")
	}
	for i, column := range s.Columns {
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
	if s.group != nil {
		b.WriteString(" GROUP BY " + strings.Join(s.group, ", "))
	}
	b.WriteString(text.OrderClause(s.orders))
	if s.Ranked != "" {
		b.WriteString(" ORDER BY " + s.Ranked)
	}
	return b.String()
}

// combines says that the results of several physical partitions are more than
// those of one after the other, as the gateway gives them: they are sorted or
// aggregated. Distinct values are, too, but can be told apart here.
func (s *Statement) combines() bool {
	return len(s.orders) > 0 || s.Ranked != "" || s.Combined && !s.Distinct
}

// certain is a property that every item of a response has, or empty.
func (s *Statement) certain() string {
	switch {
	case s.Planned != "":
		return s.Key
	case s.Columns == nil:
		return wire.IDPath[0]
	case !s.Combined:
		return wire.RIDPath[0]
	case s.group != nil:
		return groupPayload
	case slices.Contains(s.Columns, CountColumn):
		return "n"
	default:
		return ""
	}
}

// unlisted says that more documents than are wanted may be asked for, since what
// is returned tells them apart.
func (s *Statement) unlisted() bool { return !s.Combined && s.Top == 0 }

// CountColumn counts documents. Every query with it has a row in its result.
const CountColumn = "COUNT(1) AS n"

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

	// Another execution in the same container, whose documents have to be of that one as well;
	// nil if there is none.
	home *execution

	// Check returns why a page is broken; nil compares it with what the statement has asked for.
	check func(wire.Page) error

	// When requests are hedged, nil for never. Then the pages of one physical partition may
	// come from several regions. Their tokens make each page as late as those before it, or
	// an error, so that a document that has changed its place in between is not missed.
	hedge *wire.Hedge
	// Whether requests may go to another region where a circuit is open. It is decided before
	// the first page, since tokens have to be kept from there on.
	anywhere bool
	session  wire.Session

	// When answers came, if that is wanted.
	dates *dates

	// What limits the requests under way, where each job has its own goroutine;
	// nil does not.
	slots chan struct{}
}

// base returns the execution that notes of which container documents are.
func (e *execution) base() *execution {
	if e.home != nil {
		return e.home
	}
	return e
}

// text returns the SQL of a job and its parameters.
func (e *execution) text(j job) (string, []wire.Parameter) {
	listed, more := listCondition(e.store, j, e.Ranked != "" || e.Planned != "")
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
	pages := e.store.Target(ctx).NewQueryItemsPager(text, j.key, &options)
	first := true
	for more := true; more; first = false { // a page may be empty and not the last
		var page wire.Page
		err := wire.Reread(ctx, func() (err error) {
			if page, err = e.request(requests, j, pages, text, options); wire.IsBroken(err) { // a pager has ended with its first error
				pages = e.store.Target(ctx).NewQueryItemsPager(text, j.key, &options)
			}
			return err
		})
		if e.store.Lacks(err) && first && e.base().origin.Load() == nil {
			e.base().missing.Store(true)
			return nil
		}
		if e.store.Lacks(err) || len(page.Items) > 0 && e.base().missing.Load() {
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

// pager asks for one page after the other.
type pager = *runtime.Pager[wire.Page]

// request reads the next page, once one of the slots is free: that of a pager, or, if requests
// are hedged, the one that text and options ask for.
func (e *execution) request(ctx context.Context, j job, pages pager, text string, options wire.PageOptions) (page wire.Page, err error) {
	if err := e.store.CheckComputed(ctx, text); err != nil {
		return wire.Page{}, err
	}
	if e.slots != nil {
		select {
		case e.slots <- struct{}{}:
			defer func() { <-e.slots }()
		case <-ctx.Done():
			return wire.Page{}, ctx.Err()
		}
	}
	if err := wire.BeforePage(ctx); err != nil {
		return wire.Page{}, err
	}
	if e.hedge == nil {
		page, err = e.ask(ctx, j, pages, false)
	} else {
		page, err = e.hedged(ctx, j, text, options)
	}
	e.dates.note(page.RawResponse)
	if err == nil {
		wire.NoteIndexMetrics(ctx, page)
		err = wire.AfterPage(ctx)
	}
	return page, err
}

// hedged reads a page by one or two requests, each of a pager of its own.
func (e *execution) hedged(ctx context.Context, j job, text string, options wire.PageOptions) (wire.Page, error) {
	return wire.Hedged(wire.InSession(ctx, &e.session), e.hedge, func(ctx context.Context, second bool) (wire.Page, error) {
		return e.ask(ctx, j, e.store.Target(ctx).NewQueryItemsPager(text, j.key, &options), second)
	}, func(page wire.Page) bool { return e.op != wire.OpGetMany || isComplete(page, j) })
}

// ask sends the request for a page. Second says that another region is asked as well.
func (e *execution) ask(ctx context.Context, j job, pages pager, second bool) (wire.Page, error) {
	if e.anywhere {
		ctx = wire.Anywhere(wire.InSession(ctx, &e.session))
	}
	callCtx, done := e.store.Begin(ctx, wire.Event{Op: e.op, PartitionKey: j.name, Range: j.in.ID, Hedge: second})
	page, err := pages.NextPage(callCtx)
	switch err = wire.Unparsed(err); {
	case err != nil:
	case e.check != nil:
		err = e.check(page)
	default:
		err = wire.CheckPage(page.RawResponse, page.Items, e.certain())
	}
	done(page.RequestCharge, err)
	return page, err
}

// isComplete reports whether a page has all documents that a job of GetMany names. Only the
// first region says that there is no document: another may not have it yet.
func isComplete(page wire.Page, j job) bool {
	return page.ContinuationToken == nil && len(page.Items) >= len(j.values)
}

// from notes that documents come from the container with this RID. It returns
// false if others came from another container.
func (e *execution) from(rid string) bool {
	if e.home != nil {
		return e.home.from(rid)
	}
	if origin := e.origin.Load(); origin != nil {
		return *origin == rid
	}
	return e.origin.CompareAndSwap(nil, &rid) || e.from(rid)
}

func (e *execution) failure(j job, err error) *documents.Error {
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
	failure.Note = "the container was deleted and created again while it was read: run the query again"
	return failure
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

// page decodes the items of a page. It notes what it delivers if there are more pages, and
// leaves out what was delivered by an earlier page or before a restart.
func (e *execution) page(j *job, raw [][]byte, more bool) ([]any, error) {
	items := make([]any, 0, len(raw))
	for _, row := range raw {
		document := row
		if e.Within != nil {
			document = text.ValueAt(row, e.Within)
		}
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
		item, err := e.item(row)
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
	return nil, undecodableOf(e.store, document, err)
}

// delivered reports whether a document is to be left out: it was delivered, or is not one
// that j answers for. It notes the others if more pages may come.
func delivered(s *store.Store, j *job, document []byte, note bool) (bool, error) {
	name, err := named(s, document)
	if err != nil || j.seen[name] {
		return err == nil, err
	}
	if foreign, err := foreignTo(s, j, document); err != nil || foreign {
		return foreign, err
	}
	if note {
		if j.seen == nil {
			j.seen = map[docName]bool{}
		}
		j.seen[name] = true
	}
	return false, nil
}

// named returns the name of a document in its container.
func named(s *store.Store, document []byte) (docName, error) {
	id := text.ValueAt(document, wire.IDPath)
	if id == nil {
		id = text.ValueAt(document, []string{idName})
	}
	if id == nil {
		return docName{}, errors.New("the service sent a document without an id")
	}
	return nameOf("", id, s.Paths, document), nil
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
func foreignTo(s *store.Store, j *job, document []byte) (bool, error) {
	if j.restarts == 0 || route.Contains(j.low, j.high, j.in) {
		return false, nil
	}
	epk, err := s.EPK(document)
	if err != nil {
		return false, err
	}
	return partition.CompareEPK(epk, j.low) < 0 || partition.CompareEPK(epk, j.high) >= 0, nil
}

// maxRestarts bounds how often one job is divided anew while the container's
// physical partitions change.
const maxRestarts = 10

// successors divides what a job answers for among the physical partitions that
// there are now. The cause is why it cannot go on.
func (e *execution) successors(ctx context.Context, j job, cause error) ([]job, error) {
	if j.restarts == maxRestarts {
		return nil, cause
	}
	if j.restarts > 0 { // the physical partitions keep changing
		if err := backoff.Settle(ctx, j.restarts); err != nil {
			return nil, e.failure(j, errors.Join(cause, err))
		}
	}
	m, version, err := e.store.Refresh(ctx, j.version)
	if err != nil {
		failed := e.failure(j, errors.Join(cause, err))
		failed.Note = "and the physical partitions that there are now cannot be read: " + failure.DiscreetText(err)
		return nil, failed
	}
	if origin := e.base().origin.Load(); m.RID != j.rid && origin != nil && *origin == j.rid {
		return nil, e.madeAgain(j, cause)
	}
	j.restarts++
	return j.split(m, version), nil
}

// refusedByGateway reports whether a response says that the gateway does not
// run this query over several physical partitions: 400 with substatus 1004
// ("cross partition query not servable").
func refusedByGateway(err error) bool {
	var own *documents.Error
	return errors.As(err, &own) && own.Status == http.StatusBadRequest && own.Substatus == 1004
}

// batch is a page on its way from a worker to the consumer.
type batch[R any] struct {
	items []R
	err   error
}

// reader reads one job and emits what there is in it, in one part or several.
type reader func(ctx context.Context, j job, emit func([]any) bool) error

// each calls read for each of jobs, several at once, and yields what they emit as
// it comes. Items are decoded by the workers; a worker holds one page, so that
// memory is bounded by concurrency times page size.
func (e *execution) each(ctx context.Context, jobs []job, read reader) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		if len(jobs) == 1 { // needs no goroutine
			err := read(ctx, jobs[0], func(items []any) bool {
				for _, item := range items {
					if !yield(item, nil) {
						return false
					}
				}
				return true
			})
			if err != nil && !errors.Is(err, errStopped) {
				yield(nil, err)
			}
			return
		}
		workCtx, cancel := context.WithCancel(ctx)
		batches := e.start(workCtx, jobs, read)
		defer func() {
			cancel()
			for range batches { // until the last worker has left
			}
		}()
		for b := range batches {
			if b.err != nil {
				yield(nil, b.err)
				return
			}
			for _, item := range b.items {
				if !yield(item, nil) {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, &documents.Error{Op: e.op, Type: e.store.Type, Err: err})
		}
	}
}

// start starts the workers. The channel is closed when the last has left.
func (e *execution) start(ctx context.Context, jobs []job, read reader) <-chan batch[any] {
	batches := make(chan batch[any])
	var workers sync.WaitGroup
	var next atomic.Int64
	send := func(b batch[any]) bool {
		select {
		case batches <- b:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for range min(width(e.store.Settings, jobs), len(jobs)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(jobs)); i = next.Add(1) - 1 {
				err := read(ctx, jobs[i], func(items []any) bool { return send(batch[any]{items: items}) })
				if err != nil {
					if !errors.Is(err, errStopped) {
						batches <- batch[any]{err: err} // each takes it, also if the context has ended
					}
					return
				}
			}
		})
	}
	go func() {
		workers.Wait()
		close(batches)
	}()
	return batches
}

// width returns how many requests of jobs are under way at once. Requests to different
// physical partitions do not disturb each other, so these are one wave unless the caller
// has set a number.
func width(s store.Settings, jobs []job) int {
	if s.Wave > s.Concurrency && apart(jobs) {
		return s.Wave
	}
	return s.Concurrency
}

// widest returns the most that width returns.
func widest(s store.Settings) int { return max(s.Wave, s.Concurrency) }

// apart reports whether each job reads a physical partition of its own.
func apart(jobs []job) bool {
	type place struct{ rid, within string }
	taken := make(map[place]bool, len(jobs))
	for _, j := range jobs {
		p := place{j.rid, j.in.ID}
		if !j.scoped || taken[p] {
			return false
		}
		taken[p] = true
	}
	return true
}

// undecodable is why a document of a page is not what was asked for.
type undecodable struct {
	id  string
	err error
}

func (u *undecodable) Error() string { return u.err.Error() }

func (u *undecodable) Unwrap() error { return u.err }

// undecodableOf returns the error about a stored document, or about parts of one.
func undecodableOf(s *store.Store, document []byte, err error) error {
	bad := &undecodable{err: err}
	name := wire.IDPath[0]
	if s.Entries {
		name = text.EntryID
	}
	if raw := text.Member(document, name); raw != nil {
		_ = json.Unmarshal(raw, &bad.id) // a projection may not have it
	}
	return bad
}
