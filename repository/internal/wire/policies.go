package wire

import (
	"net/http"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// Retries for a fan-out. The SDK's default of three retries gives up on a
// throttled partition after a few seconds, and a delay that the service asks for
// beyond MaxRetryDelay ends the retries at once.
const (
	maxRetries    = 9 // what the other Cosmos SDKs allow a throttled request
	maxRetryDelay = 30 * time.Second
)

// StatusRetryWith is the service's "retry with", for writes that met another
// write.
const StatusRetryWith = 449

// retryStatuses is the SDK's own list, which a list of ours replaces, and 449.
var retryStatuses = []int{
	http.StatusRequestTimeout,
	http.StatusTooManyRequests,
	StatusRetryWith,
	http.StatusInternalServerError,
	http.StatusBadGateway,
	http.StatusServiceUnavailable,
	http.StatusGatewayTimeout,
}

// AddPolicies sets the retries, where the caller has not, and adds the policies of
// this package and of package route, unless they are there. It is the one place that
// knows all of them and their order: those per call come before the SDK's retries,
// those per retry after them, and both after the caller's own.
func AddPolicies(c *azcosmos.ClientOptions) {
	if c.Retry.MaxRetries == 0 {
		c.Retry.MaxRetries = maxRetries
	}
	if c.Retry.MaxRetryDelay == 0 {
		c.Retry.MaxRetryDelay = maxRetryDelay
	}
	if c.Retry.StatusCodes == nil {
		c.Retry.StatusCodes = slices.Clone(retryStatuses)
	}
	if slices.Contains(c.PerRetryPolicies, policy.Policy(meterTry{})) {
		return
	}
	c.PerCallPolicies = append(slices.Clone(c.PerCallPolicies), meterCall{}, route.Policy{}, sessions{}, patchBodies{}, offers{}, gone{}, metadataRetries{&c.Retry})
	c.PerRetryPolicies = append(slices.Clone(c.PerRetryPolicies), meterTry{}, watching{}, metadataAnswers{}, untrusted{})
}
