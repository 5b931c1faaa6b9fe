package wire

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// OfferChange is a change of throughput: what azcosmos 1.5.0 has no option for. Throughput
// is an offer on the wire.
type OfferChange struct {
	// Unchanged is the ETag of the throughput that is to be changed, "" for any.
	Unchanged azcore.ETag

	// ToAutoscale and ToManual change the kind, and leave the amount to the service
	// ("Replace an Offer", examples 3 and 4).
	ToAutoscale, ToManual bool

	sent bool // the policy has seen the request
}

// Replace changes the throughput of a container. The properties do not count for a change
// of kind. The error is ErrNotConfigured if such a change is asked for by a client without
// the policy; the service has refused it then.
func (c *OfferChange) Replace(ctx context.Context, container *azcosmos.ContainerClient, p azcosmos.ThroughputProperties) (azcosmos.ThroughputResponse, error) {
	switch { // the service wants a content of the present kind, and ignores the number
	case c.ToAutoscale:
		p = azcosmos.NewManualThroughputProperties(-1)
	case c.ToManual:
		p = azcosmos.NewAutoscaleThroughputProperties(-1)
	}
	response, err := container.ReplaceThroughput(context.WithValue(ctx, offerChangeKey{}, c), p, nil)
	var refused *azcore.ResponseError
	if (c.ToAutoscale || c.ToManual) && errors.As(err, &refused) && refused.StatusCode == http.StatusBadRequest && !c.sent {
		return response, route.ErrNotConfigured
	}
	return response, ThroughputAnswer(response, err)
}

type offerChangeKey struct{}

// offers is the policy that adds to the request which replaces throughput what its context
// asks for. azcosmos sends other requests before, to find the offer.
type offers struct{}

// Do implements policy.Policy.
func (offers) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	change, _ := raw.Context().Value(offerChangeKey{}).(*OfferChange)
	if change == nil || raw.Method != http.MethodPut || !strings.HasPrefix(raw.URL.EscapedPath(), "/offers/") {
		return r.Next()
	}
	change.sent = true
	if change.Unchanged != "" {
		raw.Header.Set("If-Match", string(change.Unchanged))
	}
	if change.ToAutoscale {
		raw.Header.Set("x-ms-cosmos-migrate-offer-to-autopilot", "true")
	}
	if change.ToManual {
		raw.Header.Set("x-ms-cosmos-migrate-offer-to-manual-throughput", "true")
	}
	return r.Next()
}
