package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Container is a container of documents of one type, with the settings of all requests for
// them. It is safe for concurrent use once its fields are set.
type Container struct {
	Client     *azcosmos.ContainerClient
	Type       string   // of the documents, for errors and events
	Paths      []string // of the partition key, one for each level
	Partitions route.Partitions

	Missing *Missing // nil for a container that must exist

	// Resident reports that each operation belongs to one tenant, and that its context names
	// the tenant's container: see WithStay.
	Resident bool

	// Moving reports that documents move within the container or between containers, so all
	// reads go to the write region. In another region, a read could find neither the mark of a
	// moving document nor its copy.
	Moving bool

	Hedge *Hedge // nil if no read is sent to a second region

	// Relies returns the part of an operation that relies on one write region, or nil. It is
	// nil for a container whose operations do not rely on that.
	Relies func(op string) *writeregions.Use

	// Resolves reports that the type has conflict= in its tag. Conditional writes are then
	// also sent in an account with several write regions.
	Resolves bool

	Unusable error                        // the error of all operations; nil if the container can be used
	Observe  func(context.Context, Event) // called after each request, unless nil

	draft string      // the command that seals the layout of the key; "" if the layout is not a draft
	here  atomic.Bool // whether the documents of a draft are on this machine

	account atomic.Pointer[account] // nil until a request has named it
	asked   atomic.Bool             // whether a request was sent that could have named the account
	told    atomic.Pointer[regions] // the regions that the observer knows; nil until a request has listed them
}

// Join returns an error if no operation can be sent: the container cannot be used, or the
// client was not configured for the session or the excluded regions of the context.
func (c *Container) Join(ctx context.Context) error {
	if c.Unusable != nil {
		return c.Unusable
	}
	if c.Resident {
		if _, ok := ctx.Value(stayKey{}).(*Stay); !ok {
			return errNoStay
		}
	}
	inSession := sessionOf(ctx) != nil
	if !inSession && !excludes(ctx) {
		return nil
	}
	// For other errors, tokens of all physical partitions are sent.
	switch _, _, err := c.Physical(ctx); {
	case !errors.Is(err, route.ErrNotConfigured):
		return nil
	case inSession:
		return fmt.Errorf("a session cannot work: %w", err)
	default:
		return fmt.Errorf("no region can be excluded: %w", err)
	}
}

// Physical returns the physical partitions of the container and the version of that map. If
// queries cannot be scoped to them, it returns an error. The first call for a container sends
// up to three requests for metadata, later ones none. For a draft, one more request checks
// whether the container is on this machine.
func (c *Container) Physical(ctx context.Context) (m *route.Map, version int, err error) {
	if err := c.Stays(ctx); err != nil {
		return nil, 0, err
	}
	return c.Partitions.Read(ctx, c.Client)
}

// Refresh returns the physical partitions after a request has shown that the ones of this
// version are gone. Concurrent callers share the requests.
func (c *Container) Refresh(ctx context.Context, version int) (*route.Map, int, error) {
	return c.Partitions.Refresh(ctx, c.Client, version)
}

// Properties reads the container's properties: one request, sent again if its answer
// is broken.
func (c *Container) Properties(ctx context.Context) (*azcosmos.ContainerProperties, error) {
	response, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	return response.ContainerProperties, nil
}

// ReadComputed reads the computed properties of the container, as Properties does.
func (c *Container) ReadComputed(ctx context.Context) ([]containers.ComputedProperty, error) {
	response, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	body, err := azruntime.Payload(response.RawResponse)
	if err != nil {
		return nil, err
	}
	var p containers.Properties
	err = json.Unmarshal(body, &p)
	return p.ComputedProperties, err
}

// read reads the container.
func (c *Container) read(ctx context.Context) (response azcosmos.ContainerResponse, err error) {
	err = Reread(ctx, func() (err error) {
		response, err = c.Client.Read(ctx, nil)
		return ContainerAnswer(response, c.Client.ID(), err)
	})
	return response, err
}

// Expiry reads the default time to live of the documents.
func (c *Container) Expiry(ctx context.Context, op string) (system.Expiry, error) {
	properties, err := c.Properties(c.RelyingOf(ctx, op))
	if err != nil {
		return 0, NewError(op, c.Type, "", "", err)
	}
	return system.ExpiryOf(properties.DefaultTimeToLive), nil
}

// Listing is a query of which all pages are read, in one logical partition or, with
// [NewPartitionKey], in all of them.
type Listing struct {
	Event      Event
	Statement  string
	Parameters []Parameter
	Key        PartitionKey
	PageSize   int32 // 0 means the default of the service
	Values     bool  // whether its items are values, not objects with an id

	// Retry sends a request again; nil is Reread.
	Retry func(ctx context.Context, send func() error) error
}

// List calls each for each page of a query. It reads a broken page again until it is whole,
// because missing documents would go unnoticed.
func (c *Container) List(ctx context.Context, l Listing, each func(Page) error) error {
	retry := l.Retry
	if retry == nil {
		retry = Reread
	}
	options := azcosmos.QueryOptions{QueryParameters: l.Parameters, PageSizeHint: l.PageSize}
	for {
		var page Page
		err := retry(ctx, func() (err error) {
			callCtx, done := c.Begin(ctx, l.Event)
			page, err = c.Client.NewQueryItemsPager(l.Statement, l.Key, &options).NextPage(callCtx) // a pager ends with its first error
			switch err = Unparsed(err); {
			case err != nil:
			case l.Values:
				err = CheckValues(page.RawResponse, page.Items)
			default:
				err = CheckPage(page.RawResponse, page.Items, IDPath[0])
			}
			done(page.RequestCharge, err)
			return err
		})
		if err == nil {
			err = each(page)
		}
		if options.ContinuationToken = page.ContinuationToken; err != nil || page.ContinuationToken == nil {
			return err
		}
	}
}

// ReadItem reads the document at p, whatever its type. It sends one request, and sends it
// again if the answer is broken.
func (c *Container) ReadItem(ctx context.Context, op string, p Place) (response Answer, err error) {
	err = Reread(ctx, func() error {
		if !c.hedges(op) {
			response, err = c.readFrom(c.anywhere(ctx, op), op, p, false)
			return err
		}
		response, err = Hedged(ctx, c.Hedge, func(ctx context.Context, second bool) (Answer, error) {
			return c.readFrom(ctx, op, p, second)
		}, func(Answer) bool { return true }) // a missing document is an error
		return err
	})
	return response, err
}

// Failure returns the error of an operation on the document at p.
func (c *Container) Failure(op string, p Place, err error) *documents.Error {
	return &documents.Error{Op: op, Type: c.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
}

// EPK computes the effective partition key of a document.
func (c *Container) EPK(document []byte) (string, error) {
	values := make([]any, len(c.Paths))
	for i, path := range c.Paths {
		raw := text.ValueAt(document, jsonpointer.Names(path))
		if raw == nil {
			values[i] = partition.Undefined{}
			continue
		}
		if err := json.Unmarshal(raw, &values[i]); err != nil {
			return "", err
		}
	}
	return partition.EPK(values...)
}

// ErrDraft is the error of a request of a draft that would leave this machine.
var ErrDraft = failure.ErrDraft

// drafted reports that the program has a repository of a draft. Without one, requests are not
// checked.
var drafted atomic.Bool

// draftKey is the context key for requests of a draft. Its value is the command that seals it.
type draftKey struct{}

// SetDraft sets that the layout of the documents is a draft, which the command seals.
func (c *Container) SetDraft(command string) {
	c.draft = command
	drafted.Store(true)
}

// WithDraft returns the context of requests of a draft, which the command seals.
func WithDraft(ctx context.Context, command string) context.Context {
	drafted.Store(true)
	return context.WithValue(ctx, draftKey{}, command)
}

// Marked returns the context of requests of c, which tells the policies whether it is a draft.
func (c *Container) Marked(ctx context.Context) context.Context {
	if c.draft == "" {
		return ctx
	}
	return context.WithValue(ctx, draftKey{}, c.draft)
}

// Stays returns an error if c is a draft and not on this machine. The SDK reads physical
// partitions under contexts of its own, so Stays sends one request for the container first,
// for drafts only.
func (c *Container) Stays(ctx context.Context) error {
	if c.draft == "" || c.here.Load() {
		return nil
	}
	_, err := c.Client.Read(c.Marked(ctx), nil)
	if errors.Is(err, ErrDraft) {
		return err
	}
	c.here.Store(err == nil)
	return nil
}

// refuseDraft returns an error for a request of a draft that would leave this
// machine.
func refuseDraft(r *http.Request) error {
	if !drafted.Load() {
		return nil
	}
	command, ok := r.Context().Value(draftKey{}).(string)
	if !ok || failure.IsThisMachine(r.URL.Hostname()) || asksForRegions(r) {
		return nil
	}
	return &failure.DraftError{Host: r.URL.Host, Command: command}
}

// asksForRegions reports whether a request reads the regions of the account. The SDK sends it
// before the first request of a client. If it fails, the SDK keeps the error for some minutes,
// for all types.
func asksForRegions(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Trim(r.URL.Path, "/") == ""
}

// LeavesMachine returns an error if the answer to a request of a draft comes from another
// machine. It is the check for clients without the policies. answer may be nil; an empty
// command means no draft.
func LeavesMachine(answer *http.Response, command string) error {
	if command == "" || answer == nil || answer.Request == nil || failure.IsThisMachine(answer.Request.URL.Hostname()) {
		return nil
	}
	return &failure.DraftError{Host: answer.Request.URL.Host, Command: command}
}

// Missing configures a container that need not exist, such as the container of a future
// period. A missing container has no documents.
type Missing struct {
	// Create creates the container before a document is stored in it. It is nil if
	// programs create containers themselves.
	Create func(context.Context) error

	// Advice says how a program creates the container, for errors.
	Advice string

	turns sync.Once     // creates turn
	turn  chan struct{} // full while one goroutine creates the container
	made  bool          // whether Create has succeeded; guarded by turn
}

// begin waits for the turn. The returned function ends the turn.
func (m *Missing) begin(ctx context.Context) (func(), error) {
	m.turns.Do(func() { m.turn = make(chan struct{}, 1) })
	select {
	case m.turn <- struct{}{}:
		return func() { <-m.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// absentError is ErrNoContainer for an operation on a document: it also matches ErrNotFound.
type absentError struct{}

func (absentError) Error() string   { return ErrNoContainer.Error() }
func (absentError) Unwrap() []error { return []error{ErrNoContainer, ErrNotFound} }

// IsNoContainer reports whether an answer means that the container does not exist. The request
// may be for documents or for the container itself.
func IsNoContainer(err error) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == http.StatusNotFound && Substatus(response) == substatusOwnerNotFound
}

// Lacks reports whether err, of a request for documents, means that the container does not
// exist, and the container need not exist.
func (c *Container) Lacks(err error) bool {
	return c.Missing != nil && err != nil && IsNoContainer(err)
}

// LacksItself is Lacks for the error of a request for the container itself, or for its
// physical partitions.
func (c *Container) LacksItself(err error) bool {
	var response *azcore.ResponseError
	return c.Missing != nil && errors.As(err, &response) && response.StatusCode == http.StatusNotFound
}

// Failed is NewError for an operation on a document of the container. If the container does
// not exist, the error says so. creates reports that the operation does not need an existing
// document.
func (c *Container) Failed(op, id, key string, creates bool, err error) *documents.Error {
	f := NewError(op, c.Type, id, key, err)
	if !c.Lacks(err) {
		return f
	}
	f.Kind = absentError{}
	if creates {
		f.Kind, f.Note = ErrNoContainer, c.Missing.Advice
	}
	return f
}

// Limits on how often a write to a missing container is sent again: the service may not know a
// new container everywhere at once, and the container may be dropped again.
const (
	maxMisses = 6
	dropped   = 3 // misses after which the container must have been dropped since it was created here
)

// Supply creates the container after an operation has failed because the container does not
// exist, and reports whether the operation should be sent again. misses counts these failures
// of one operation. Concurrent callers create the container once. If that fails, the error
// goes into failed.
func (c *Container) Supply(ctx context.Context, misses *int, failed *documents.Error) bool {
	m := c.Missing
	*misses++
	if m.Create == nil || *misses > maxMisses {
		return false
	}
	if err := m.supply(ctx, *misses); err != nil {
		failed.Note = "and it cannot be created: " + failure.DiscreetText(err)
		failed.Err = errors.Join(failed.Err, err)
		return false
	}
	return true
}

func (m *Missing) supply(ctx context.Context, misses int) error {
	if misses > 1 {
		if err := backoff.Pause(ctx, misses+2); err != nil {
			return err
		}
	}
	end, err := m.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if m.made && misses != dropped {
		return nil
	}
	err = m.Create(ctx)
	m.made = m.made || err == nil
	return err
}

type beforePagesKey struct{}

// BeforePages returns a context that calls a function before each request for a page of a
// query or of a change feed. If the function returns an error, the page is not requested.
// Several goroutines may call it at once.
func BeforePages(ctx context.Context, before func(ctx context.Context) error) context.Context {
	return context.WithValue(ctx, beforePagesKey{}, before)
}

type aroundPagesKey struct{}

// PageChecks are called before each page of a query is requested, and after it has arrived. If
// one returns an error, the page is discarded. Several goroutines may call them at once.
type PageChecks interface {
	BeforePage(ctx context.Context) error
	AfterPage(ctx context.Context) error
}

// CheckPages returns a context whose pages are checked.
func CheckPages(ctx context.Context, c PageChecks) context.Context {
	return context.WithValue(ctx, aroundPagesKey{}, c)
}

// BeforePage calls the functions of the context, if any.
func BeforePage(ctx context.Context) error {
	if before, _ := ctx.Value(beforePagesKey{}).(func(context.Context) error); before != nil {
		if err := before(ctx); err != nil {
			return err
		}
	}
	if c, _ := ctx.Value(aroundPagesKey{}).(PageChecks); c != nil {
		return c.BeforePage(ctx)
	}
	return nil
}

// AfterPage calls the check of the context, if any.
func AfterPage(ctx context.Context) error {
	if c, _ := ctx.Value(aroundPagesKey{}).(PageChecks); c != nil {
		return c.AfterPage(ctx)
	}
	return nil
}

// readFrom reads the document at p. second reports that it is the second request of a hedged
// read.
func (c *Container) readFrom(ctx context.Context, op string, p Place, second bool) (response Answer, err error) {
	event := p.Event(op)
	event.Hedge = second
	if op != OpGet && op != OpGetMany { // a write relies on this read
		ctx = c.primary(ctx)
	}
	callCtx, done := c.Begin(ctx, event)
	response, err = answerOf(c.Target(ctx).ReadItem(callCtx, p.Key, p.ID, readOptions(ctx, op)))
	if err == nil {
		err = c.checkRead(response.Value, p, response.ETag)
	}
	done(response.RequestCharge, err)
	return response, err
}

// Stay is the container for the requests of one operation of a tenant, if a directory decides
// where tenants live.
type Stay struct {
	Client *azcosmos.ContainerClient

	// Fence is nil while writes need none.
	Fence *Fence
}

// Fence has the operations that accompany a write while the documents of its logical partition
// are copied to another container. They are one batch, so all of them take effect, or none
// does.
type Fence struct {
	// Patch fails unless this container accepts writes. It is the first operation of a batch,
	// so that the answer names its failure.
	Patch Operation

	// Tombstone records that the document with an id was deleted, for the process that copies.
	Tombstone func(id string) Operation
}

// ErrFenced is the error of a write that the fence has refused.
var ErrFenced = errors.New("this container takes no writes: the tenant has moved, or is about to")

type stayKey struct{}

// WithStay returns the context of an operation whose requests go to a container.
func WithStay(ctx context.Context, s *Stay) context.Context {
	return context.WithValue(ctx, stayKey{}, s)
}

// errNoStay is the error of an operation on the documents of all tenants, which is not sent.
var errNoStay = errors.New("its tenants are in several containers: call the method For of the repository, for one tenant")

// stay returns the destination of a context's requests, or nil for the container itself.
func (c *Container) stay(ctx context.Context) *Stay {
	if !c.Resident {
		return nil
	}
	s, ok := ctx.Value(stayKey{}).(*Stay)
	if !ok {
		panic("repository: a request of type " + c.Type + " is not of one tenant") // Join refuses the operation
	}
	return s
}

// Target returns the container to which the requests of a context go.
func (c *Container) Target(ctx context.Context) *azcosmos.ContainerClient {
	if s := c.stay(ctx); s != nil {
		return s.Client
	}
	return c.Client
}

// fence returns the fence of a context's writes, or nil if they need none.
func (c *Container) fence(ctx context.Context) *Fence {
	if s := c.stay(ctx); s != nil {
		return s.Fence
	}
	return nil
}

// IsFenced reports whether the writes of a context are sent as batches.
func (c *Container) IsFenced(ctx context.Context) bool { return c.fence(ctx) != nil }

// CreateItem is CreateItem of azcosmos, with the fence of the context.
func (c *Container) CreateItem(ctx context.Context, key azcosmos.PartitionKey, body []byte, o *azcosmos.ItemOptions) (Answer, error) {
	if f := c.fence(ctx); f != nil {
		return c.fenced(ctx, f, key, Operation{Op: OpCreate, Body: body}, o)
	}
	return answerOf(c.Target(ctx).CreateItem(ctx, key, body, o))
}

// UpsertItem is UpsertItem of azcosmos, with the fence of the context.
func (c *Container) UpsertItem(ctx context.Context, key azcosmos.PartitionKey, body []byte, o *azcosmos.ItemOptions) (Answer, error) {
	if f := c.fence(ctx); f != nil {
		return c.fenced(ctx, f, key, Operation{Op: OpUpsert, Body: body}, o)
	}
	return answerOf(c.Target(ctx).UpsertItem(ctx, key, body, o))
}

// ReplaceItem is ReplaceItem of azcosmos, with the fence of the context.
func (c *Container) ReplaceItem(ctx context.Context, key azcosmos.PartitionKey, id string, body []byte, o *azcosmos.ItemOptions) (Answer, error) {
	if f := c.fence(ctx); f != nil {
		return c.fenced(ctx, f, key, Operation{Op: OpReplace, ID: id, Body: body}, o)
	}
	if isConditional(o) {
		ctx = c.onCondition(ctx)
	}
	return answerOf(c.Target(ctx).ReplaceItem(ctx, key, id, body, o))
}

// DeleteItem is DeleteItem of azcosmos, with the fence of the context.
func (c *Container) DeleteItem(ctx context.Context, key azcosmos.PartitionKey, id string, o *azcosmos.ItemOptions) (Answer, error) {
	if f := c.fence(ctx); f != nil {
		return c.fenced(ctx, f, key, Operation{Op: OpDelete, ID: id}, o)
	}
	if isConditional(o) {
		ctx = c.onCondition(ctx)
	}
	return answerOf(c.Target(ctx).DeleteItem(ctx, key, id, o))
}

// PatchItem is PatchItem of azcosmos, with the fence of the context.
func (c *Container) PatchItem(ctx context.Context, key azcosmos.PartitionKey, id string, operations PatchOperations, o *azcosmos.ItemOptions) (Answer, error) {
	if f := c.fence(ctx); f != nil {
		return c.fenced(ctx, f, key, Operation{Op: OpPatch, ID: id, Patch: operations}, o)
	}
	if isConditional(o) || operations.conditional {
		ctx = c.onCondition(ctx)
	}
	return answerOf(c.Target(ctx).PatchItem(ctx, key, id, operations.SDK(), o))
}

// isConditional reports whether a write requires a version of the document.
func isConditional(o *azcosmos.ItemOptions) bool {
	return o != nil && o.IfMatchEtag != nil && *o.IfMatchEtag != azcore.ETagAny
}

// around adds the operations of the fence. Each id whose last operation deletes it gets a
// tombstone; a document that is marked as deleted is copied as it is.
func (f *Fence) around(operations []Operation) []Operation {
	all := append([]Operation{f.Patch}, operations...)
	for i := range operations {
		id := operations[i].ID
		if operations[i].Op == OpDelete && !operations[i].Marks && !slices.ContainsFunc(operations[i+1:], func(o Operation) bool { return o.ID == id && o.Op != OpGet }) {
			all = append(all, f.Tombstone(id))
		}
	}
	return all
}

// refuses reports whether the fence made a batch fail. Concurrent writes of the fence may also
// make it fail; they count only after the last attempt.
func (f *Fence) refuses(response azcosmos.TransactionalBatchResponse, attempt int) bool {
	return !response.Success && Culprit(response.OperationResults) == 0 &&
		(attempt == backoff.MaxAttempts || !isBusy(int(response.OperationResults[0].StatusCode)))
}

// isBusy reports whether a status means that the service was busy, and does not depend on the
// stored documents.
func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == failure.StatusRetryWith
}

// fenced sends one write with the fence, as one batch. It returns the answer of the write.
func (c *Container) fenced(ctx context.Context, f *Fence, key azcosmos.PartitionKey, o Operation, options *azcosmos.ItemOptions) (Answer, error) {
	full := false
	if options != nil {
		full = options.EnableContentResponseOnWrite
		if options.IfMatchEtag != nil {
			o.Unchanged = *options.IfMatchEtag
		}
	}
	if o.ID == "" {
		_ = json.Unmarshal(text.Member(o.Body, IDPath[0]), &o.ID) // this program wrote the body
	}
	operations := f.around([]Operation{o})
	for attempt := 1; ; attempt++ {
		response, err := c.execute(ctx, key, operations, full)
		answer := Answer{RequestCharge: response.RequestCharge}
		switch bad := Culprit(response.OperationResults); {
		case err != nil:
			return answer, err
		case response.Success:
			if len(response.OperationResults) == len(operations) {
				answer.ETag, answer.Value = response.OperationResults[1].ETag, response.OperationResults[1].ResourceBody
			}
			return answer, nil
		case bad == NoOperation && full:
			return answer, errors.New("the service has rolled the write back without a reason")
		case bad == NoOperation:
			full = true // the answer to another attempt may have a reason
		case f.refuses(response, attempt):
			return answer, ErrFenced
		default:
			failure := failed(response, bad)
			if attempt == backoff.MaxAttempts || !isBusy(StatusOf(failure)) {
				return answer, failure
			}
			if err := backoff.Pause(ctx, attempt); err != nil {
				return answer, errors.Join(failure, err)
			}
		}
	}
}

// execute sends a batch.
func (c *Container) execute(ctx context.Context, key azcosmos.PartitionKey, operations []Operation, full bool) (azcosmos.TransactionalBatchResponse, error) {
	client, demanded := c.Target(ctx), OptionsOf(ctx)
	switch {
	case c.IsFenced(ctx):
		ctx = c.relying(ctx, writeregions.Tenancy)
	case slices.ContainsFunc(operations, func(o Operation) bool { return o.Token }):
		ctx = c.relying(ctx, writeregions.Tokens)
	case slices.ContainsFunc(operations, Operation.isConditional):
		ctx = c.onCondition(ctx)
	}
	b := client.NewTransactionalBatch(key)
	for i := range operations {
		operations[i].addTo(&b)
	}
	response, err := client.ExecuteTransactionalBatch(ctx, b, &azcosmos.TransactionalBatchOptions{
		EnableContentResponseOnWrite: full, PriorityLevel: demanded.Priority, ThroughputBucket: demanded.Bucket,
	})
	if err = Unparsed(err); err == nil && response.Success {
		err = checkCommitted(response, operations, full)
	}
	return response, err
}
