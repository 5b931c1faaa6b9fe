package wire

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// observation is what the policies see of one call of the SDK for an observer. That
// call may send several requests at once.
type observation struct {
	mu        sync.Mutex
	attempts  int
	throttled int
	status    int // of the last answer
	rows      int // of all pages
	database  string
	host      string

	partition string // the physical partition of all requests so far
	several   bool   // requests went to several, or to one that is not known
}

// tried notes an attempt and its answer, nil if there was none.
func (o *observation) tried(request *http.Request, response *http.Response) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.attempts++
	o.host = request.URL.Host
	if response != nil && response.StatusCode == http.StatusTooManyRequests {
		o.throttled++
	}
}

// observationOf returns the observation of a request for documents, nil without one.
func observationOf(r *http.Request) *observation {
	op, _ := r.Context().Value(operationKey{}).(*operation)
	if op == nil || op.seen == nil || !isDocumentRequest(r) {
		return nil
	}
	return op.seen
}

// ended notes how a request has ended, with all its attempts. Asked is where it was
// sent before the SDK chose a region.
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
	in := route.CacheOf(asked.Host+link).Locate(request.Header, token, answer.Get(headerContainerRID))
	o.mu.Lock()
	defer o.mu.Unlock()
	if segments := strings.Split(link, "/"); len(segments) > 2 {
		o.database, _ = url.PathUnescape(segments[2]) // "" for one that the SDK cannot have sent
	}
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

// addTo fills in what the policies saw.
func (o *observation) addTo(e *Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	e.Attempts, e.Throttled, e.Status, e.Rows, e.Database, e.Host = o.attempts, o.throttled, o.status, o.rows, o.database, o.host
	if e.Range == "" && !o.several {
		e.Range = o.partition
	}
}

// observing prepares the context of one request that an observer is told of.
func observing(ctx context.Context) (context.Context, *observation, func(units float32, err error)) {
	seen := new(observation)
	ms, _ := ctx.Value(meterKey{}).(meters)
	ctx, done := measureBy(ctx, &operation{meters: ms, seen: seen})
	return ctx, seen, done
}
