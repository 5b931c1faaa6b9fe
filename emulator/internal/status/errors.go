package server

import (
	"fmt"
	"time"
)

// Status codes of answers, which are those of HTTP.
const (
	statusOK                 = 200
	statusCreated            = 201
	statusNoContent          = 204
	statusMultiStatus        = 207
	statusNotModified        = 304
	statusBadRequest         = 400
	statusUnauthorized       = 401
	statusForbidden          = 403
	statusNotFound           = 404
	statusConflict           = 409
	statusGone               = 410
	statusPreconditionFailed = 412
	statusTooLarge           = 413
	statusFailedDependency   = 424
	statusTooManyRequests    = 429
	statusInternalError      = 500
)

// Substatus codes, from the status code tables of Microsoft's Cosmos DB SDKs
// (azure-sdk-for-java, sdk/cosmos/azure-cosmos/docs/StatusCodes.md).
const (
	substatusKeyMismatch    = 1001 // 400: the key of the body is not the key of the header
	substatusRangeGone      = 1002 // 410: the partition key range was split
	substatusOwnerNotFound  = 1003 // 404: the database or container does not exist
	substatusCrossPartition = 1004 // 400: the gateway cannot serve the query
	substatusPartitionFull  = 1014 // 403: the logical partition has reached its size
	substatusWrongContainer = 1024 // 400: the container was recreated
	substatusThrottled      = 3200 // 429: the request units of the second are spent
)

// failure is an answer that is an error. It is also a Go error, so that functions can
// return it.
type failure struct {
	status     int
	substatus  int
	message    string
	charge     float64       // at least chargeRefused is charged, except for 429
	retryAfter time.Duration // for a 429
}

// Error returns the message.
func (f *failure) Error() string { return f.message }

func fail(status, substatus int, format string, args ...any) *failure {
	return &failure{status: status, substatus: substatus, message: fmt.Sprintf(format, args...)}
}

func badRequest(format string, args ...any) *failure {
	return fail(statusBadRequest, 0, format, args...)
}

func unsupported(format string, args ...any) *failure {
	return badRequest("this emulator does not support "+format, args...)
}

func notFound() *failure {
	return fail(statusNotFound, 0, "Entity with the specified id does not exist in the system.")
}

func ownerNotFound() *failure {
	return fail(statusNotFound, substatusOwnerNotFound, "Owner resource does not exist")
}

func conflict() *failure {
	return fail(statusConflict, 0, "Entity with the specified id already exists in the system.")
}

func preconditionFailed() *failure {
	return fail(statusPreconditionFailed, 0, "One of the specified pre-condition is not met")
}

func tooLarge(most int) *failure {
	return fail(statusTooLarge, 0, "Request size is too large: at most %d bytes are allowed", most)
}

func partitionFull(most int64) *failure {
	return fail(statusForbidden, substatusPartitionFull,
		"Partition key reached maximum size of %d bytes. Learn more: https://aka.ms/CosmosDB/sql/errors/full-pk", most)
}

func throttled(wait time.Duration) *failure {
	f := fail(statusTooManyRequests, substatusThrottled,
		"Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. Learn more: http://aka.ms/cosmosdb-error-429")
	f.retryAfter = wait
	return f
}

func keyMismatch() *failure {
	return fail(statusBadRequest, substatusKeyMismatch,
		"PartitionKey extracted from document doesn't match the one specified in the header")
}

func rangeGone(id string) *failure {
	return fail(statusGone, substatusRangeGone,
		"The requested resource is no longer available at the server: partition key range %q is gone; read the ranges again", id)
}
