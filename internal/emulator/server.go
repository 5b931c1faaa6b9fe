package emulator

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// maxBody is the size that a document and a request may have: 2 MB ("Azure
// Cosmos DB service quotas"). maxDrain bounds what is read and thrown away
// beyond it, so that the client sees the answer and not a broken connection.
const (
	maxBody  = 2 << 20
	maxDrain = 32 << 20
)

// Options configure a Server. The zero value is ready.
type Options struct {
	// Partitions is the least number of physical partitions of a container;
	// below 1 means 1. Provisioned throughput above 10,000 RU/s a partition
	// adds more, as in the service.
	Partitions int
	// Latency is how long every request takes at least.
	Latency time.Duration
	// Key is the account key, base64; empty means WellKnownKey.
	Key string
	// Endpoint is the base URL by which clients reach the server, as the account
	// names it to them; empty means the host of each request.
	Endpoint string
	// ScanLimit is the number of documents after which a query ends a page, full
	// or not, as the service does when a page takes too long: pages may be
	// empty and aggregates partial, and clients must cope. 0 means no limit.
	ScanLimit int
	// Lenient accepts what the service's gateway accepts although its
	// documentation forbids it: ids with / \ ? #, and containers that are not of
	// key version 2, which are then placed by the hash of version 2 all the same.
	Lenient bool
	// Logf, if set, is called with a line for every request.
	Logf func(format string, args ...any)
}

// Server is one account. It is an http.Handler and safe for concurrent use.
type Server struct {
	options Options
	key     []byte
	faults  faults
	journal journal

	mu        sync.RWMutex
	databases registry[*database]
}

// New returns a server with no databases. The error is about a Key that is not
// base64, or an Endpoint that is no URL.
func New(o Options) (*Server, error) {
	o.Partitions = max(o.Partitions, 1)
	if o.Key == "" {
		o.Key = WellKnownKey
	}
	key, err := base64.StdEncoding.DecodeString(o.Key)
	if err != nil {
		return nil, fmt.Errorf("account key: %w; pass base64, such as emulator.WellKnownKey", err)
	}
	if o.Endpoint != "" {
		if u, err := url.Parse(o.Endpoint); err != nil || u.Host == "" {
			return nil, fmt.Errorf("endpoint %q is not a URL; pass one such as http://127.0.0.1:8081/", o.Endpoint)
		}
	}
	return &Server{options: o, key: key}, nil
}

// Key returns the account key.
func (s *Server) Key() string { return s.options.Key }

// Inject adds a fault. Faults wait for requests that they select; of several
// that select the same request the oldest acts. It panics on a Status that is
// neither 0 nor from 400 to 599, which is a mistake in the calling test.
func (s *Server) Inject(f Fault) { s.faults.add(f) }

// ClearFaults forgets all faults that have not acted yet.
func (s *Server) ClearFaults() { s.faults.clear() }

// Requests returns the journal, a copy, in the order in which requests were
// answered: the last 100,000.
func (s *Server) Requests() []Request { return s.journal.all() }

// ResetRequests empties the journal.
func (s *Server) ResetRequests() { s.journal.reset() }

// call is one request on its way through the server.
type call struct {
	*http.Request
	target target
	body   []byte
	now    time.Time
	entry  *Request
}

// reply is an answer that is no error.
type reply struct {
	status int
	header map[string]string
	body   []byte
	charge float64
}

// ServeHTTP serves one request: faults first, then authentication, then the
// operation; whatever happens is written to the journal.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	entry := &Request{
		Method:      r.Method,
		Path:        r.URL.EscapedPath(),
		RangeHeader: rangeHeader(r.Header),
		Start:       now,
	}
	t, known := parsePath(entry.Path)
	if known {
		entry.Operation = operation(r, t)
	}
	if k, err := parseKey(r.Header.Get(headerPartitionKey)); err == nil && k != nil {
		entry.PartitionKey = k.text
	}
	c := &call{Request: r, target: t, now: now, entry: entry}

	fault := s.faults.take(entry, entry.RangeHeader)
	entry.Faulted = fault != nil
	wait := s.options.Latency
	if fault != nil {
		wait += fault.Delay
	}
	if !sleep(r.Context(), wait) {
		s.abort(entry)
	}

	var answer *reply
	var err error
	if fault == nil || fault.After || (fault.Status == 0 && !fault.Drop) {
		answer, err = s.serve(c, known)
	}
	var retryAfter time.Duration
	if fault != nil && fault.Status != 0 {
		err = fail(fault.Status, fault.Substatus, "this fault was injected")
		retryAfter = fault.RetryAfter
	}
	if fault != nil && fault.Drop {
		s.abort(entry)
	}
	s.respond(w, entry, activity(r), answer, err, retryAfter)
}

// serve authenticates a request, reads its body and runs its operation.
func (s *Server) serve(c *call, known bool) (*reply, error) {
	if err := s.authenticate(c.Request, c.target, c.now); err != nil {
		return nil, err
	}
	handle, ok := handlers[c.entry.Operation]
	if !known || !ok {
		return nil, unsupported("%s of %s with these headers", c.Method, c.entry.Path)
	}
	if err := checkHeaders(c.Header); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(c.Body, maxBody+1))
	if err != nil {
		return nil, badRequest("the body could not be read: %v", err)
	}
	if len(body) > maxBody {
		_, _ = io.CopyN(io.Discard, c.Body, maxDrain)
		return nil, tooLarge()
	}
	c.body = body
	return handle(s, c)
}

// respond writes an answer or an error, and the journal.
func (s *Server) respond(w http.ResponseWriter, entry *Request, activity string, answer *reply, err error, retryAfter time.Duration) {
	h := w.Header()
	h.Set("x-ms-activity-id", activity)
	if err != nil {
		f := &failure{status: http.StatusInternalServerError, message: err.Error()}
		errors.As(err, &f)
		answer = &reply{status: f.status, charge: f.charge, body: f.body(activity)}
		if answer.charge == 0 {
			answer.charge = chargeRefused
		}
		if f.substatus != 0 {
			entry.Substatus = f.substatus
			h.Set("x-ms-substatus", strconv.Itoa(f.substatus))
		}
		if f.status == http.StatusTooManyRequests || retryAfter > 0 {
			h.Set("x-ms-retry-after-ms", strconv.FormatInt(max(1, retryAfter.Milliseconds()), 10))
		}
	}
	for name, value := range answer.header {
		h.Set(name, value)
	}
	h.Set("x-ms-request-charge", strconv.FormatFloat(answer.charge, 'f', 2, 64))
	if len(answer.body) > 0 {
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(len(answer.body)))
	}
	entry.Status = answer.status
	entry.Charge, _ = strconv.ParseFloat(h.Get("x-ms-request-charge"), 64)
	s.record(entry)
	w.WriteHeader(answer.status)
	_, _ = w.Write(answer.body) // a client that went away is no error of ours
}

// abort closes the connection without an answer. It does not return.
func (s *Server) abort(entry *Request) {
	s.record(entry)
	panic(http.ErrAbortHandler)
}

// record completes a line of the journal and logs it.
func (s *Server) record(entry *Request) {
	entry.Duration = time.Since(entry.Start)
	s.journal.add(*entry)
	if s.options.Logf != nil {
		s.options.Logf("%s %s %s key=%s range=%s status=%d/%d charge=%.2f", entry.Operation, entry.Method,
			entry.Path, entry.PartitionKey, entry.Range, entry.Status, entry.Substatus, entry.Charge)
	}
}

// sleep waits, and reports whether it did so to the end.
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

// activity returns the activity id of a request: the client's own, as the
// gateway does it, or a new one.
func activity(r *http.Request) string {
	id := r.Header.Get("x-ms-activity-id")
	if id == "" || len(id) > 64 {
		return newUUID()
	}
	return id
}
