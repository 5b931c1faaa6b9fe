package wire

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/advice"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// meters are the meters of a context and of its parents.
type meters []*meter.Meter

func (ms meters) add(units float64, retry, throttled bool) {
	for _, m := range ms {
		m.Add(units, retry, throttled)
	}
}

// operation is the state of one operation in its context: its meters, and whether the policies
// have counted for them, so that nothing counts twice. seen is nil without an observer.
type operation struct {
	meters  meters
	counted atomic.Bool
	seen    *observation
}

type operationKey struct{}

// measure prepares the context of one request of the SDK. The returned function must be called
// with the request's outcome.
func measure(ctx context.Context) (context.Context, func(units float32, err error)) {
	ms := meters(meter.Of(ctx))
	if len(ms) == 0 {
		return ctx, func(float32, error) {}
	}
	return measureBy(ctx, &operation{meters: ms})
}

// measureBy is measure for an operation.
func measureBy(ctx context.Context, op *operation) (context.Context, func(units float32, err error)) {
	return context.WithValue(ctx, operationKey{}, op), func(units float32, err error) {
		if op.counted.Load() {
			return
		}
		throttled := false
		var response *azcore.ResponseError
		switch {
		case errors.As(err, &response):
			units = charge(response.RawResponse)
			throttled = response.StatusCode == http.StatusTooManyRequests
		case err != nil:
			return // it is unknown whether anything was sent
		}
		op.meters.add(float64(units), false, throttled)
	}
}

// meterCall and meterTry count within the client's pipeline, the only place that sees retries.
// meterCall comes before the retries and gives each request a counter of its attempts;
// meterTry comes after them. Both refuse requests of drafts, and meterCall refuses requests
// that rely on one write region: a separate policy would cost every request an allocation.
//
// meterTry also sends attempts to another region if necessary: see call.direct.
type (
	meterCall struct{ preferred *[]string } // regions of the client
	meterTry  struct{}
)

type tries struct{ *call }

// Do implements policy.Policy.
func (m meterCall) Do(r *policy.Request) (*http.Response, error) {
	if err := refuseDraft(r.Raw()); err != nil {
		return nil, err
	}
	if err := refuseSeveral(r.Raw()); err != nil {
		return nil, err
	}
	r.SetOperationValue(tries{&call{account: r.Raw().URL.Host, preferred: m.preferred}})
	askForAdvice(r.Raw())
	o := observationOf(r.Raw())
	if o == nil {
		return r.Next()
	}
	asked := *r.Raw().URL // before the SDK selects a region
	response, err := r.Next()
	o.ended(r.Raw(), &asked, response, err)
	return response, err
}

// Do implements policy.Policy.
func (meterTry) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	routed := routingOf(raw.Context())
	var t tries
	var w *watched
	if routed != nil && r.OperationValue(&t) {
		w = t.direct(raw, routed)
	}
	if err := refuseDraft(raw); err != nil { // the SDK has selected another endpoint
		w.released()
		return nil, err
	}
	began := time.Now()
	response, err := r.Next()
	took := time.Since(began)
	if t.call != nil {
		t.ended(response, err)
	}
	if w == nil && outcomeOf(took, response, err) == failing && (t.call != nil || r.OperationValue(&t)) {
		w = t.watch(raw)
	}
	w.ended(took, response, err)
	countTry(r, t, response)
	if routed.isSecond() && isDocumentRequest(raw) {
		return once(response, err)
	}
	return response, err
}

// countTry counts an attempt for the meters and the observer of its context.
func countTry(r *policy.Request, t tries, response *http.Response) {
	op, _ := r.Raw().Context().Value(operationKey{}).(*operation)
	if op == nil || !isDocumentRequest(r.Raw()) {
		return
	}
	retry := false
	if t.call != nil || r.OperationValue(&t) {
		t.attempts++
		retry = t.attempts > 1
	}
	op.counted.Store(true)
	throttled := response != nil && response.StatusCode == http.StatusTooManyRequests
	op.meters.add(float64(charge(response)), retry, throttled)
	if op.seen != nil {
		op.seen.tried(r.Raw(), response)
	}
}

// isDocumentRequest distinguishes requests for documents, …/docs and …/docs/{id}, from
// requests for metadata.
func isDocumentRequest(r *http.Request) bool {
	path := r.URL.EscapedPath()
	return strings.HasSuffix(path, "/docs") || strings.Contains(path, "/docs/")
}

// charge returns the request units of a response, which may be nil.
func charge(response *http.Response) float32 {
	if response == nil {
		return 0
	}
	units, err := strconv.ParseFloat(response.Header.Get("x-ms-request-charge"), 32)
	if err != nil {
		return 0
	}
	return float32(units)
}

// Event is a completed request for documents, with all its attempts. Event of package
// repository documents the fields.
type Event struct {
	Op           string
	Type         string
	Tenant       string
	Database     string
	Container    string
	ID           string
	PartitionKey string
	Range        string
	RequestUnits float64
	Duration     time.Duration
	Attempts     int
	Throttled    int
	Status       int
	Rows         int
	Host         string
	Region       string
	Hedge        bool
	Err          error
	WriteRegions string
}

// Begin prepares the context of one call of the SDK. The returned function must be called with
// the outcome: it counts and calls the observer.
func (c *Container) Begin(ctx context.Context, e Event) (context.Context, func(units float32, err error)) {
	ctx = c.Marked(ctx)
	ctx = c.RelyingOf(ctx, e.Op)
	if c.Moving {
		ctx = c.primary(ctx)
	}
	if c.Observe == nil {
		return measure(ctx)
	}
	return c.observed(ctx, e)
}

func (c *Container) observed(ctx context.Context, e Event) (context.Context, func(units float32, err error)) {
	requestCtx, seen, done := observing(ctx)
	e.Type, e.Container, e.Tenant = c.Type, c.Target(ctx).ID(), tenantOf(ctx)
	start := time.Now()
	return requestCtx, func(units float32, err error) {
		done(units, err)
		e.Duration, e.Err = time.Since(start), failure.Discreet(err)
		var response *azcore.ResponseError
		if errors.As(err, &response) {
			units = charge(response.RawResponse)
		}
		e.RequestUnits = float64(units)
		endpoint := seen.addTo(&e)
		c.Observe(ctx, e)
		c.tellRegions(ctx, endpoint)
	}
}

type tenantKey struct{}

// WithTenant returns a context whose requests are those of a tenant, for observers.
func WithTenant(ctx context.Context, tenant any) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// tenantOf returns the name of the tenant of a context, "" without one: a string itself, or
// the JSON of another value.
func tenantOf(ctx context.Context) string {
	switch tenant := ctx.Value(tenantKey{}).(type) {
	case nil:
		return ""
	case string:
		return tenant
	default:
		raw, err := json.Marshal(tenant)
		if err != nil {
			return ""
		}
		var name string
		if json.Unmarshal(raw, &name) == nil {
			return name
		}
		return string(raw)
	}
}

// observation is the record that the policies make of one call of the SDK for an observer. The
// call may send several requests at once.
type observation struct {
	mu        sync.Mutex
	attempts  int
	throttled int
	status    int // of the last answer
	rows      int // of all pages
	database  string
	endpoint  string // of the account
	host      string
	region    string

	partition string // the physical partition of all requests so far
	several   bool   // requests went to several physical partitions, or to an unknown one
}

// tried records an attempt and its answer, which is nil if there was none.
func (o *observation) tried(request *http.Request, response *http.Response) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.attempts++
	o.host = request.URL.Host
	if response != nil && response.StatusCode == http.StatusTooManyRequests {
		o.throttled++
	}
}

// observationOf returns the observation of a request for documents, or nil without one.
func observationOf(r *http.Request) *observation {
	op, _ := r.Context().Value(operationKey{}).(*operation)
	if op == nil || op.seen == nil || !isDocumentRequest(r) {
		return nil
	}
	return op.seen
}

// ended records the outcome of a request with all its attempts. asked is the URL before the
// SDK selected a region.
func (o *observation) ended(request *http.Request, asked *url.URL, response *http.Response, err error) {
	var failed *azcore.ResponseError
	if response == nil && errors.As(err, &failed) {
		response = failed.RawResponse
	}
	link, _ := route.SplitLink(asked.EscapedPath())
	var answer http.Header
	if response != nil {
		answer = response.Header
	}
	token := answer.Get(headerSessionToken)
	a := accountOf(asked.Host)
	in := route.CacheOf(asked.Host+link).Locate(request.Header, token, answer.Get(headerContainerRID))
	o.mu.Lock()
	defer o.mu.Unlock()
	o.endpoint = asked.Host
	if segments := strings.Split(link, "/"); len(segments) > 2 {
		o.database, _ = url.PathUnescape(segments[2]) // "" for one that the SDK cannot have sent
	}
	o.region = a.name(o.host)
	if response != nil {
		o.status = response.StatusCode
		if n, err := strconv.Atoi(answer.Get("x-ms-item-count")); err == nil {
			o.rows += n
		}
	}
	if in == "" || o.partition != "" && o.partition != in {
		o.several = true
	}
	o.partition = in
}

// addTo copies the observation to an event, and returns the endpoint of the account.
func (o *observation) addTo(e *Event) (endpoint string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	e.Attempts, e.Throttled, e.Status, e.Rows, e.Database, e.Host, e.Region = o.attempts, o.throttled, o.status, o.rows, o.database, o.host, o.region
	if e.Range == "" && !o.several {
		e.Range = o.partition
	}
	return o.endpoint
}

// observing prepares the context of one request for an observer.
func observing(ctx context.Context) (context.Context, *observation, func(units float32, err error)) {
	seen := new(observation)
	ms := meters(meter.Of(ctx))
	ctx, done := measureBy(ctx, &operation{meters: ms, seen: seen})
	return ctx, seen, done
}

// IndexMetrics collects the service's metrics of indexes in queries, and its recommendations.
// The zero value is ready, and it is safe for concurrent use.
type IndexMetrics struct {
	mu     sync.Mutex
	texts  []string
	advice []advice.Entry
}

// Texts returns the distinct metrics, in the order in which they arrived.
func (m *IndexMetrics) Texts() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.texts[:len(m.texts):len(m.texts)]
}

// Advice returns the distinct recommendations, in the order in which they arrived.
func (m *IndexMetrics) Advice() []advice.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.advice[:len(m.advice):len(m.advice)]
}

func (m *IndexMetrics) note(text string, entries []advice.Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if text != "" && !slices.Contains(m.texts, text) {
		m.texts = append(m.texts, text)
	}
	for _, e := range entries {
		if !slices.Contains(m.advice, e) {
			m.advice = append(m.advice, e)
		}
	}
}

type indexMetricsKey struct{}

// WithIndexMetrics returns a context whose queries request metrics of indexes, which m
// collects.
func WithIndexMetrics(ctx context.Context, m *IndexMetrics) context.Context {
	return context.WithValue(ctx, indexMetricsKey{}, m)
}

func indexMetricsOf(ctx context.Context) *IndexMetrics {
	m, _ := ctx.Value(indexMetricsKey{}).(*IndexMetrics)
	return m
}

// askForAdvice adds the header for query advice to a query that requests metrics of indexes.
// azcosmos 1.5.0 has no option for it.
func askForAdvice(r *http.Request) {
	if r.Header.Get("x-ms-cosmos-populateindexmetrics") != "" && indexMetricsOf(r.Context()) != nil {
		r.Header.Set("x-ms-cosmos-populatequeryadvice", "true")
	}
}

// NoteIndexMetrics collects the metrics and the advice of a page. The service sends the
// metrics in base64, and azcosmos does not decode them (1.5.0).
func NoteIndexMetrics(ctx context.Context, page azcosmos.QueryItemsResponse) {
	m := indexMetricsOf(ctx)
	if m == nil {
		return
	}
	text := ""
	if page.IndexMetrics != nil {
		text = *page.IndexMetrics
	}
	if decoded, err := base64.StdEncoding.DecodeString(text); err == nil {
		text = string(decoded)
	}
	var entries []advice.Entry
	if page.RawResponse != nil {
		entries = advice.ParseHeader(page.RawResponse.Header.Get("x-ms-cosmos-query-advice"))
	}
	m.note(text, entries)
}
