package server

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/explorer"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/traffic"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// Server is one account. It is an http.Handler and safe for concurrent use.
type Server struct {
	options Options
	key     []byte
	clock   clock
	faults  faults
	journal journal
	account *store.Account
	removed sync.Map // names of regions that the account does not list
	gatesMu sync.Mutex
	gates   []*gate
	turns   *work.Turns
	latency atomic.Int64 // least nanoseconds of a request

	page    *explorer.Explorer // the explorer's page, or nil
	traffic traffic.Counter    // what clients send, for the page
}

// New returns a server without databases, or with those of Records. It fails if Key is not
// base64, if Endpoint is not a URL, if Throughput is set for a serverless account, if a region
// has no endpoint of its own, if the service does not allow these regions with this consistency
// level, or if a record is damaged.
func New(o Options) (*Server, error) {
	o = o.withDefaults()
	key, err := base64.StdEncoding.DecodeString(o.Key)
	if err != nil {
		return nil, fmt.Errorf("account key: %w; pass base64, such as emulator.WellKnownKey", err)
	}
	if o.Serverless && o.Throughput > 0 {
		return nil, fmt.Errorf("a serverless account has no throughput of %d RU/s: leave one of the two out", o.Throughput)
	}
	if o.Endpoint != "" {
		if u, err := url.Parse(o.Endpoint); err != nil || u.Host == "" {
			return nil, fmt.Errorf("endpoint %q is not a URL; pass one such as http://127.0.0.1:8081/", o.Endpoint)
		}
	}
	if err := o.checkRegions(); err != nil {
		return nil, err
	}
	account, err := o.account()
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, key: key, clock: clock{of: o.Clock}, account: account, turns: work.NewTurns()}
	s.clock.notBefore(account.Written())
	s.latency.Store(int64(o.Latency))
	if o.Explorer {
		s.page = s.newExplorer()
	}
	return s, nil
}

// Key returns the account key.
func (s *Server) Key() string { return s.options.Key }

// Inject adds a fault, which waits for the requests that it selects. If several faults select
// one request, the oldest acts. Inject panics on a Status that is neither 0 nor from 400 to
// 599.
func (s *Server) Inject(f Fault) { s.faults.add(f) }

// ClearFaults removes all pending faults.
func (s *Server) ClearFaults() { s.faults.clear() }

// Requests returns a copy of the journal, in the order of the responses: the last 100,000
// requests, or fewer if their queries are very long.
func (s *Server) Requests() []Request { return s.journal.all() }

// ResetRequests empties the journal.
func (s *Server) ResetRequests() { s.journal.reset() }

// Reset returns the account to its initial state: no databases, no faults, an empty journal.
// The clock stays advanced. Clients that used a container before Reset find it missing, or find
// another resource id under its name.
func (s *Server) Reset() {
	s.account.Reset()
	s.faults.clear()
	s.journal.reset()
	s.traffic.Reset()
}

// call is one request in progress.
type call struct {
	*http.Request
	front  Front
	place  place // the region that serves it
	target target
	body   []byte
	now    time.Time // by the clock of the server
	entry  *Request
	// held is the physical partition whose budget pays for the request, or nil.
	held *store.Range
	// meter bounds the work of a query, and locked the work done while a container is locked.
	meter, locked *work.Meter
	// session is the session token that the region must cover, or empty.
	session string
	// own marks a request of the server itself, for the explorer's page. It needs no signature,
	// and no budget pays for it.
	own bool
}

// reply is a response. With an error it has headers of the error's response.
type reply struct {
	status    int
	substatus int // only of a batch
	header    map[string]string
	body      []byte
	charge    float64
}

// ServeHTTP serves one request through the front of Options: that of the region whose endpoint
// has the request's host, or that of the account.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.serveHTTP(w, r, Front{Endpoint: s.options.Endpoint, Region: s.regionAt(r.Host)})
}

// serveHTTP serves one request: faults first, then authentication, then the operation. It
// writes every request to the journal, except those of the explorer's page.
func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request, f Front) {
	if s.isExplorer(r) {
		s.page.ServeHTTP(w, r)
		return
	}
	entry := &Request{
		Method:      r.Method,
		Path:        r.URL.EscapedPath(),
		RangeHeader: header.RangeID(r.Header),
		Start:       time.Now(),
	}
	w.Header().Set("Date", s.clock.now().UTC().Format(http.TimeFormat)) // like _ts, even after Advance
	path, pathErr := f.path(entry.Path)
	t, known := parsePath(path)
	if known {
		entry.Operation = operation(r, t)
	}
	if k, err := store.ParseKey(r.Header.Get(header.PartitionKey)); err == nil && k != nil {
		entry.PartitionKey = k.Text
	}
	c := &call{Request: r, front: f, target: t, entry: entry}
	w.Header().Set("Date", s.clock.now().UTC().Format(http.TimeFormat)) // which clients compare with _ts

	if c.place = s.place(f); len(s.options.Regions) > 0 {
		entry.Region = c.place.Name
		if !c.place.Online {
			s.abort(entry)
		}
	}
	fault := s.faults.take(entry, func() string { return s.rangeFor(t, r.Header) })
	entry.Faulted = fault != nil
	wait := time.Duration(s.latency.Load())
	if fault != nil {
		wait += fault.Delay
	}
	if !sleep(r.Context(), wait) {
		s.abort(entry)
	}

	var answer *reply
	err := pathErr
	if err == nil && (fault == nil || fault.After || fault.Status == 0 && !fault.Drop) {
		answer, err = s.serve(c, known) //nolint:contextcheck // the call has the context of its request
	}
	var retryAfter time.Duration
	if fault != nil && fault.Status != 0 {
		answer, err = nil, status.New(fault.Status, fault.Substatus, "this fault was injected")
		retryAfter = fault.RetryAfter
	}
	if fault != nil && fault.Drop {
		s.abort(entry)
	}
	if fault != nil && fault.Body != nil && err == nil && len(answer.body) > 0 {
		changed := *answer
		changed.body = fault.Body(slices.Clone(answer.body))
		answer = &changed
	}
	_, _ = io.CopyN(io.Discard, r.Body, maxDrain) // an error means that the body has ended
	w.Header().Set("Date", s.clock.now().UTC().Format(http.TimeFormat))
	respond(w, entry, activity(r), answer, err, retryAfter, func() {
		s.record(entry)
		s.count(entry, t, r.Header)
	})
}

// serve authenticates a request, reads its body and runs its operation. It takes the
// charge from the budget of the physical partition that served the request.
func (s *Server) serve(c *call, known bool) (*reply, error) {
	if c.Method == http.MethodOptions { // no other origin is allowed
		return &reply{status: status.NoContent, header: map[string]string{"allow": allowed}}, nil
	}
	if !known {
		if err := refuseMissing(c.Request, c.entry.Path); err != nil {
			return nil, err
		}
	}
	if !c.own {
		if err := s.authenticate(c.Request, c.target, time.Now()); err != nil {
			return nil, err
		}
	}
	handle, ok := handlers[c.entry.Operation]
	if !known || !ok {
		return nil, status.Unsupported("%s of %s with these headers", c.Method, c.entry.Path)
	}
	if err := s.checkRegion(c); err != nil {
		return nil, err
	}
	if err := checkHeaders(c.Header); err != nil {
		return nil, err
	}
	if err := s.checkConsistency(c); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(c.Body, maxBody+1))
	if err != nil {
		return nil, status.BadRequest("the body could not be read: %v", err)
	}
	if len(body) > maxBody {
		return nil, status.BodyTooLarge(maxBody)
	}
	c.body = body
	c.now = s.clock.now()
	c.meter = work.NewMeter(c.Context(), s.queryLimits())
	defer c.meter.Close()
	answer, err := handle(s, c)
	if err == nil {
		s.tellOwner(c.target, answer)
	}
	if c.held != nil {
		c.held.Budget.Spend(chargeOf(answer, err))
	}
	// The response may show others' writes, so it also waits for them.
	if lost := s.account.Settle(); lost != nil {
		return nil, status.New(status.InternalError, 0, "The emulator cannot store data any more: %v", lost)
	}
	return answer, err
}

// queryLimits bound the work of a query.
func (s *Server) queryLimits() work.Limits {
	return work.Limits{Time: s.options.QueryTime, Turns: s.turns}
}

// chargeOf is the charge of a request.
func chargeOf(answer *reply, err error) float64 {
	var f *status.Error
	switch {
	case err == nil:
		return answer.charge
	case !errors.As(err, &f):
		return charge.Refused
	case f.Status == status.TooManyRequests:
		return 0
	}
	return max(f.Charge, charge.Refused)
}

// respond writes a response or an error, which may come with a response. It calls known, which
// may be nil, when the outcome is known and before the client sees it.
func respond(w http.ResponseWriter, entry *Request, activity string, answer *reply, err error, retryAfter time.Duration, known func()) {
	h := w.Header()
	setHeader(h, "x-ms-activity-id", activity)
	if err != nil {
		f := &status.Error{Status: status.InternalError, Message: err.Error()}
		errors.As(err, &f)
		refusal := &reply{status: f.Status, substatus: f.Substatus, charge: chargeOf(nil, err), body: errorBody(f, activity+resourceWords(f, entry.Operation))}
		if answer != nil {
			refusal.header = answer.header
		}
		answer = refusal
		retryAfter = max(retryAfter, f.RetryAfter)
		if f.Status == status.TooManyRequests || retryAfter > 0 {
			setHeader(h, "x-ms-retry-after-ms", strconv.FormatInt(max(1, retryAfter.Milliseconds()), 10))
		}
	}
	if answer.substatus != 0 {
		entry.Substatus = answer.substatus
		setHeader(h, "x-ms-substatus", strconv.Itoa(answer.substatus))
	}
	for name, value := range answer.header {
		setHeader(h, name, value)
	}
	units := strconv.FormatFloat(answer.charge, 'f', 2, 64)
	setHeader(h, "x-ms-request-charge", units)
	setHeader(h, "x-ms-request-duration-ms", strconv.FormatFloat(float64(time.Since(entry.Start))/float64(time.Millisecond), 'f', 3, 64))
	if len(answer.body) > 0 {
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(len(answer.body)))
	}
	entry.Status = answer.status
	entry.Charge, _ = strconv.ParseFloat(units, 64)
	if known != nil {
		known()
	}
	w.WriteHeader(answer.status)
	if entry.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(answer.body) // the client may have left
}

// setHeader sets a header with a lower-case name, as the service sends it. Some clients look
// names up as sent: the SDK for Python would not find a continuation token under
// X-Ms-Continuation.
func setHeader(h http.Header, name, value string) { h[strings.ToLower(name)] = []string{value} }

// abort closes the connection without a response. It does not return.
func (s *Server) abort(entry *Request) {
	s.record(entry)
	panic(http.ErrAbortHandler)
}

// record completes a line of the journal and logs it.
func (s *Server) record(entry *Request) {
	entry.Duration = time.Since(entry.Start)
	entry.shorten()
	s.journal.add(*entry)
	if s.options.Logf != nil {
		in := ""
		if entry.Region != "" {
			in = fmt.Sprintf(" region=%q", entry.Region)
		}
		s.options.Logf("%s %s %s key=%s range=%s%s status=%d/%d charge=%.2f", entry.Operation, entry.Method,
			entry.Path, entry.PartitionKey, entry.Range, in, entry.Status, entry.Substatus, entry.Charge)
	}
}

// sleep waits. It returns false if the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// activity returns the activity id of a request: the one that the client sent, as in the
// service's gateway, or a new id.
func activity(r *http.Request) string {
	id := r.Header.Get("X-Ms-Activity-Id")
	if id == "" || len(id) > 64 {
		return store.NewUUID()
	}
	return id
}

// admit refuses a request if the request units of a physical partition are spent, or if the
// partition, in the region of the request, has not reached the session token. The caller holds
// the lock of the container.
func (c *call) admit(in *store.Container, r *store.Range) error {
	c.entry.Range = r.ID
	if c.own {
		return nil
	}
	if wait := r.Budget.Admit(c.now, in.Rate()); wait > 0 {
		return status.Throttle(wait)
	}
	c.held = r
	return c.covered(r)
}

// covered refuses a request if a physical partition has not reached its session token. The
// caller holds the lock of the container.
func (c *call) covered(r *store.Range) error {
	if c.session == "" {
		return nil
	}
	covers, err := r.Covers(c.session)
	if err == nil && !covers {
		err = status.NoReadSession()
	}
	return err
}
