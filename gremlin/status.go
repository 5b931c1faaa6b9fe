package gremlin

import (
	"strconv"

	"github.com/cosmos-pkgen/pkgen/gremlin/internal/wire"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Status codes of responses: "Status codes" on Microsoft's page "Azure Cosmos DB for Gremlin
// response headers", and the status codes of TinkerPop's "Graph Driver Provider Requirements".
const (
	statusNotFound      = 404
	statusTimeout       = 408
	statusConflict      = 409
	statusGone          = 410
	statusChanged       = 412
	statusTooLarge      = 413
	statusThrottled     = 429
	statusRetryWith     = 449
	statusServerError   = 500
	statusUnavailable   = 503
	statusServerTimeout = 598
	statusClosed        = 1007
	statusRebalanced    = 1008
	statusTooLong       = 1009
)

// substatusThroughput means that a request was refused because the request units are used up.
// The service also responds with 429 if a traversal exceeds a limit of the API, such as 30
// seconds, which another attempt does not change; see "Azure Cosmos DB for Gremlin limits".
// Such a traversal is cut off, and its writes until then stay.
const substatusThroughput = 3200

// noOwner is in the message of a status 404 for a graph that does not exist.
const noOwner = "Owner resource does not exist"

// classify sets the kind of a failed request's error.
func classify(a *failure.Answer, s *wire.Status) {
	reason := s.Reason()
	a.Code = strconv.Itoa(reason)
	a.After = s.RetryAfter
	switch reason {
	case statusNotFound:
		a.Kind = failure.ErrNotFound
		if s.Says(noOwner) {
			a.Kind = failure.ErrNoContainer
		}
	case statusConflict:
		a.Kind = failure.ErrAlreadyExists
	case statusChanged:
		// Another traversal has written the vertex between the read and the write of this one.
		// The caller has no version to compare, and the service requests a retry.
		a.Kind, a.Unsent = failure.ErrPreconditionFailed, true
	case statusTooLarge:
		a.Kind = failure.ErrTooLarge
	case statusThrottled:
		a.Kind = failure.ErrThrottled
		a.Unsent = s.Substatus == substatusThroughput || s.Substatus == 0 || s.RetryAfter > 0
		a.Unanswered, a.Final = !a.Unsent, !a.Unsent
	case statusRetryWith:
		a.Unsent = true
	case statusTimeout, statusGone, statusServerError, statusUnavailable, statusServerTimeout, statusClosed, statusRebalanced, statusTooLong:
		a.Unanswered = true
	}
}
