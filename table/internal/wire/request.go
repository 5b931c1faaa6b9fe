// Package wire sends requests for entities with aztables, each once: package documents repeats
// them.
package wire

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// once makes azcore send a request only once.
var once = policy.RetryOptions{MaxRetries: -1}

// chargeHeader is the header with the charge of a request in request units. Azure Storage and
// Azurite do not send it.
const chargeHeader = "x-ms-request-charge"

// call sends one request with send, counts it, and returns the response, which may be nil.
func (t *Table) call(ctx context.Context, header http.Header, anew bool, send func(context.Context) error) (*http.Response, error) { //nolint:unparam // the driver, which is generic, passes one
	if ctx.Err() != nil {
		return nil, undone(ctx)
	}
	var response *http.Response
	sending := policy.WithRetryOptions(ctx, once)
	sending = policy.WithCaptureResponse(sending, &response)
	if header != nil {
		sending = policy.WithHTTPHeader(sending, header)
	}
	var seen bool
	if !t.configured.Load() {
		sending = context.WithValue(sending, seenKey{}, &seen)
		defer func() {
			if seen {
				t.configured.Store(true)
			}
		}()
	}
	if t.Seal != "" {
		sending = context.WithValue(sending, draftKey{}, t.Seal)
	}
	err := send(sending)
	if err != nil {
		a := Answer(err, anew)
		if a.Kind != failure.ErrDraft { //nolint:errorlint // a field
			meter.Count(ctx, charge(response))
		}
		return response, a
	}
	meter.Count(ctx, charge(response))
	return response, nil
}

func charge(r *http.Response) float64 {
	if r == nil {
		return 0
	}
	units, err := strconv.ParseFloat(r.Header.Get(chargeHeader), 64)
	if err != nil || units < 0 {
		return 0
	}
	return units
}

// ageOf returns the time between a timestamp and the answer that has it, both by the service's
// clock. It is 0 if one of them is missing.
func ageOf(timestamp string, r *http.Response) time.Duration {
	if r == nil {
		return 0
	}
	written, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil {
		return 0
	}
	answered, err := http.ParseTime(r.Header.Get("Date"))
	if err != nil {
		return 0
	}
	return answered.Sub(written)
}

// body returns the text of a response, which azcore keeps.
func body(r *http.Response) []byte {
	if r == nil {
		return nil
	}
	text, err := runtime.Payload(r)
	if err != nil {
		return nil
	}
	return text
}

// isPage reports whether the response to a query has a page. {} is a cut answer, which
// aztables reads as an empty page.
func isPage(r *http.Response) bool {
	text := body(r)
	return len(text) > 1<<10 || bytes.Contains(text, []byte(`"value"`))
}

// draftKey is the context key for requests of a draft. Its value is the command that seals it.
type draftKey struct{}

// drafted reports that the program has documents of a draft. Without one, requests are not
// checked.
var drafted atomic.Bool

// WithDraft returns the context of requests of a draft, which the command seals.
func WithDraft(ctx context.Context, command string) context.Context {
	drafted.Store(true)
	return context.WithValue(ctx, draftKey{}, command)
}

// Stays is a policy of azcore that refuses requests of drafts to other machines, and mends
// transactions.
type Stays struct{}

// Do sends a request, or refuses it.
func (Stays) Do(r *policy.Request) (*http.Response, error) {
	if seen, ok := r.Raw().Context().Value(seenKey{}).(*bool); ok {
		*seen = true
	}
	if r.Raw().Context().Value(mendKey{}) != nil {
		if err := mend(r); err != nil {
			return nil, err
		}
	}
	if drafted.Load() {
		command, ok := r.Raw().Context().Value(draftKey{}).(string)
		if ok && !failure.IsThisMachine(r.Raw().URL.Hostname()) {
			return nil, &failure.DraftError{Host: r.Raw().URL.Host, Command: command}
		}
	}
	return r.Next()
}

// Send sends one request that is not for an entity, and counts it.
func (t *Table) Send(ctx context.Context, send func(context.Context) error) error {
	_, err := t.call(ctx, nil, false, send)
	return err
}
