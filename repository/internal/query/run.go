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

// All yields the documents of q, each as a pointer.
func (q Selection) All(ctx context.Context) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) { q.Run(ctx, q.Statement(), nil, q.Limit, yield) }
}

// While yields the documents of q, in its order, until test is false. It requests a page
// only after the earlier ones were used.
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

// Exists reports whether q has a document. Each physical partition sends at most one, reduced
// to the columns that identify it. The first one ends the query.
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

// Statement returns the statement for whole documents.
func (q Selection) Statement() Statement {
	return Statement{conditions: q.Conditions, parameters: q.Parameters, orders: q.Orders, Top: q.Limit}
}

// Run is one loop over the items of a statement. A nil decode decodes whole documents.
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

func (q Selection) runIn(ctx context.Context, s Statement, decode func([]byte) (any, error), limit int, yield func(any, error) bool) {
	var once func(doc any) bool
	if decode == nil {
		decode = q.Store.Decode
		if q.Store.Once != nil {
			once, s.Top = q.Store.Once(), 0 // one physical partition may have to send more than the limit
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
	if plan.Strategy == store.Gateway { // the gateway has no TOP and no DISTINCT
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

// defaultPage is the service's page size without a hint: "Pagination in Azure Cosmos DB".
const defaultPage = 100

// newExecution returns an execution of s on st.
func newExecution(st *store.Store, s Statement, decode func([]byte) (any, error)) *execution {
	if s.Columns == nil && st.Computed.Sorts(s.orders) {
		// Documents do not have the computed properties by which they are sorted.
		s.Columns, decode = Selection{Store: st, Orders: s.orders}.Columns("c AS "+ValueName, text.Column(wire.IDPath[0])), decodingRows(decode)
	}
	return &execution{Statement: s, store: st, op: "query", plain: s.sql(""), pageSize: st.Settings.PageSize, decode: decode}
}

// decodingRows returns a decoder of rows that contain documents.
func decodingRows(decode func([]byte) (any, error)) func([]byte) (any, error) {
	return func(row []byte) (any, error) {
		document := text.ValueAt(row, ValuePath)
		if document == nil {
			return nil, errors.New("the service sent a row without its document")
		}
		return decode(document)
	}
}

// newExecution returns an execution of s for q. Other regions may answer it if q is
// ForProgram.
func (q Selection) newExecution(s Statement, decode func([]byte) (any, error)) *execution {
	e := newExecution(q.Store, s, decode)
	if q.ForProgram {
		e.forProgram()
	}
	return e
}

// forProgram allows other regions to answer.
func (e *execution) forProgram() {
	e.hedge = e.store.Hedging()
	e.anywhere = e.hedge == nil && !e.store.Resident && wire.Troubled()
}

// Untyped returns decode without its type. Executions are not generic, so that a program
// contains their code once, not once for each document type.
func Untyped[R any](decode func([]byte) (R, error)) func([]byte) (any, error) {
	return func(item []byte) (any, error) { return decode(item) }
}

// typed returns the items of an execution with the type of decode before Untyped.
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

// Collect returns the items of an iteration, or only its error.
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

// all runs jobs and yields their items in the order of the statement, or as they come if it
// has none.
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

// Statement is the SQL of a query, without the condition that selects a job's partition
// keys.
type Statement struct {
	// Columns are the selected expressions; nil selects whole documents.
	Columns []string

	// Combined says that an item is made of several documents: an aggregate, or a distinct
	// value.
	Combined bool

	// Lazy says that a page is requested only after the earlier documents were used.
	Lazy bool

	Distinct bool
	Top      int // 0 means no TOP

	// Ranked is an expression in SQL by which each physical partition sorts, nearest first,
	// instead of orders. The caller merges the items.
	Ranked string

	// Planned is SQL from the service's query plan, which replaces everything else. Each
	// item has the property Key, and its document, if any, at Within.
	Planned string
	Key     string
	Within  []string

	conditions []string
	parameters []wire.Parameter
	orders     []text.Order
	group      []string // properties by which documents are grouped
}

// sql returns the text of the statement with one more condition, which may be empty.
func (s *Statement) sql(condition string) string {
	if s.Planned != "" {
		if condition != "" {
			condition = "(" + condition + ")" // it may be a chain of OR
		}
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

// combines reports whether results of several physical partitions must be sorted or
// aggregated. The gateway does not do that. Distinct values are combined too, but can be
// compared here.
func (s *Statement) combines() bool {
	return len(s.orders) > 0 || s.Ranked != "" || s.Combined && !s.Distinct
}

// certain returns a property that every item has, or "".
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

// unlisted reports whether the query may request more documents than needed, because its
// results can be filtered.
func (s *Statement) unlisted() bool { return !s.Combined && s.Top == 0 }

// CountColumn counts documents. A query with it always returns a row.
const CountColumn = "COUNT(1) AS n"

// execution is one run of a query: the common state of its jobs. Its items are decoded by
// decode.
type execution struct {
	Statement
	store    *store.Store
	plain    string // the statement's text without a job's condition
	op       string // for errors
	pageSize int32
	decode   func([]byte) (any, error) // called concurrently

	// origin is the RID of the documents' container, once one has come.
	origin atomic.Pointer[string]

	// parts are the executions of a query over several containers. The parent then only has
	// the order and the slots.
	parts []*execution

	// missing is set if the container does not exist, which is allowed.
	missing atomic.Bool

	// home is another execution whose documents must be from the same container; may be
	// nil.
	home *execution

	// check returns an error for a broken page. Nil checks what the statement selects.
	check func(wire.Page) error

	// hedge says when requests are hedged; nil means never. Pages of one physical partition
	// may then come from several regions. Session tokens ensure that each page is at least
	// as recent as earlier ones, so that a document that moves in between is not missed.
	hedge *wire.Hedge
	// anywhere says that requests may go to another region while a circuit is open. It is
	// decided before the first page, because session tokens must be kept from then on.
	anywhere bool
	session  wire.Session

	// dates collects the times of answers; may be nil.
	dates *dates

	// slots bound the concurrent requests if each job has a goroutine; nil does not.
	slots chan struct{}
}

// base returns the execution that records the documents' container.
func (e *execution) base() *execution {
	if e.home != nil {
		return e.home
	}
	return e
}

func (e *execution) text(j job) (string, []wire.Parameter) {
	listed, more := listCondition(e.store, j, e.Ranked != "" || e.Planned != "")
	if listed == "" {
		return e.plain, e.parameters
	}
	return e.sql(listed), append(e.parameters[:len(e.parameters):len(e.parameters)], more...)
}

// errStopped says that the consumer has stopped.
var errStopped = errors.New("stopped")

// pages reads the pages of a job and passes them to emit; more says that another one
// follows. An error of emit ends it.
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
	for more := true; more; first = false { // an empty page need not be the last
		var page wire.Page
		err := wire.Reread(ctx, func() (err error) {
			if page, err = e.request(requests, j, pages, text, options); wire.IsBroken(err) { // a pager ends with its first error
				pages = e.store.Target(ctx).NewQueryItemsPager(text, j.key, &options)
			}
			return err
		})
		if e.store.Lacks(err) && first && e.base().origin.Load() == nil {
			e.base().missing.Store(true)
			return nil
		}
		if e.store.Lacks(err) || len(page.Items) > 0 && e.base().missing.Load() {
			return e.createdAgain(j, errors.Join(err, errDropped))
		}
		if err != nil {
			return e.failure(j, err)
		}
		if j.scoped && len(page.Items) > 0 && !e.from(j.rid) {
			return e.createdAgain(j, errors.New("its documents are others"))
		}
		options.ContinuationToken = page.ContinuationToken
		more = page.ContinuationToken != nil
		if err := emit(page.Items, more); err != nil {
			return err
		}
	}
	return nil
}

// errDropped is the error if the container exists for some requests of a query but not for
// others.
var errDropped = errors.New("the container was dropped, or created again")

// pager reads pages one after the other.
type pager = *runtime.Pager[wire.Page]

// request reads the next page of a pager once a slot is free. If requests are hedged, it
// reads the page of text and options instead.
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

// hedged reads a page by one or two requests, each with its own pager.
func (e *execution) hedged(ctx context.Context, j job, text string, options wire.PageOptions) (wire.Page, error) {
	return wire.Hedged(wire.InSession(ctx, &e.session), e.hedge, func(ctx context.Context, second bool) (wire.Page, error) {
		return e.ask(ctx, j, e.store.Target(ctx).NewQueryItemsPager(text, j.key, &options), second)
	}, func(page wire.Page) bool { return e.op != wire.OpGetMany || isComplete(page, j) })
}

// ask sends the request for a page. Second says that it goes to a second region.
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

// isComplete reports whether a page has all documents of a job of GetMany. Only the first
// region's answer proves that a document does not exist, because another region may lag.
func isComplete(page wire.Page, j job) bool {
	return page.ContinuationToken == nil && len(page.Items) >= len(j.values)
}

// from records that documents come from the container with this RID. It returns false if
// others came from another container.
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

// createdAgain is the error of a query that has delivered documents of a container which was
// deleted and created again.
func (e *execution) createdAgain(j job, cause error) error {
	failure := e.failure(j, cause)
	failure.Note = "the container was deleted and created again while it was read: run the query again"
	return failure
}

// read emits the decoded pages of a job, in no order. It returns errStopped if emit returns
// false.
//
// If the job's physical partition is gone, because it was split or merged or its container
// created again, successors start from the beginning and skip delivered documents.
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

// attempt emits the decoded pages of a job. If its physical partition is gone, it returns
// the jobs that take over.
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

// page decodes a page. It skips documents that were delivered by an earlier page or before
// a restart. If more pages follow, it records the delivered documents.
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

// item decodes a document. The error names the document.
func (e *execution) item(document []byte) (any, error) {
	item, err := e.decode(document)
	if err == nil {
		return item, nil
	}
	return nil, undecodableOf(e.store, document, err)
}

// delivered reports whether to skip a document: it was delivered before, or j is not
// responsible for it. If note is set, it records the others.
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

// foreignTo reports whether j is not responsible for a document. There are such documents
// after a restart, if physical partitions were merged.
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

// maxRestarts bounds how often a job is divided again while physical partitions change.
const maxRestarts = 10

// successors divides a job among the present physical partitions. Cause is the reason why
// it cannot continue.
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
		return nil, e.createdAgain(j, cause)
	}
	j.restarts++
	return j.split(m, version), nil
}

// refusedByGateway reports whether the gateway refuses to run the query over several
// physical partitions: 400 with substatus 1004 ("cross partition query not servable").
func refusedByGateway(err error) bool {
	var own *documents.Error
	return errors.As(err, &own) && own.Status == http.StatusBadRequest && own.Substatus == 1004
}

// batch is a page from a worker to the consumer.
type batch[R any] struct {
	items []R
	err   error
}

// reader reads one job and emits its items, in one part or several.
type reader func(ctx context.Context, j job, emit func([]any) bool) error

// each calls read for all jobs, several concurrently, and yields their items as they come.
// Workers decode the items. Each holds one page, so memory is bounded by concurrency times
// page size.
func (e *execution) each(ctx context.Context, jobs []job, read reader) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		if len(jobs) == 1 { // no goroutine needed
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
			for range batches { // until the last worker has ended
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

// start starts the workers. The channel is closed after the last one has ended.
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
						batches <- batch[any]{err: err} // the consumer takes it even if the context has ended
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

// width returns how many requests of jobs may run concurrently. Requests to different
// physical partitions do not compete, so all of them run at once, up to Wave.
func width(s store.Settings, jobs []job) int {
	if s.Wave > s.Concurrency && apart(jobs) {
		return s.Wave
	}
	return s.Concurrency
}

// widest returns the largest result of width.
func widest(s store.Settings) int { return max(s.Wave, s.Concurrency) }

// apart reports whether each job reads a different physical partition.
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

// undecodable is the error of a document that does not decode.
type undecodable struct {
	id  string
	err error
}

func (u *undecodable) Error() string { return u.err.Error() }

func (u *undecodable) Unwrap() error { return u.err }

// undecodableOf returns the error about a stored document, or about a projection of it.
func undecodableOf(s *store.Store, document []byte, err error) error {
	bad := &undecodable{err: err}
	name := wire.IDPath[0]
	if s.Entries {
		name = text.EntryID
	}
	if raw := text.Member(document, name); raw != nil {
		_ = json.Unmarshal(raw, &bad.id) // a projection may lack it
	}
	return bad
}
