package status

import (
	"fmt"
	"time"
)

// Status codes of answers, which are those of HTTP.
const (
	OK                 = 200
	Created            = 201
	NoContent          = 204
	MultiStatus        = 207
	NotModified        = 304
	CodeBadRequest     = 400
	Unauthorized       = 401
	Forbidden          = 403
	NotFound           = 404
	RequestTimeout     = 408
	Conflict           = 409
	Gone               = 410
	PreconditionFailed = 412
	TooLarge           = 413
	FailedDependency   = 424
	TooManyRequests    = 429
	InternalError      = 500
)

// Substatus codes, from the status code tables of Microsoft's Cosmos DB SDKs
// (azure-sdk-for-java, sdk/cosmos/azure-cosmos/docs/StatusCodes.md).
const (
	KeyMismatch    = 1001 // 400: the key of the body is not the key of the header
	RangeGone      = 1002 // 410: the partition key range was split
	OwnerNotFound  = 1003 // 404: the database or container does not exist
	CrossPartition = 1004 // 400: the gateway cannot serve the query
	AccountFull    = 1005 // 403: the account has reached its limit of databases and containers
	WriteForbidden = 3    // 403: the region accepts no writes
	PartitionFull  = 1014 // 403: the logical partition has reached its maximum size
	SharingFull    = 1019 // 403: too many containers share the throughput of a database
	WrongContainer = 1024 // 400: the container was created again
	Throttled      = 3200 // 429: the request units of the second are spent
)

// Error is an error response. It is also a Go error, so that functions can return it.
type Error struct {
	Status     int
	Substatus  int
	Message    string
	Info       string        // what a client needs to do next: the plan of a query, as JSON
	Charge     float64       // at least charge.Refused is charged, except for 429
	RetryAfter time.Duration // for a 429
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// New returns an error with a status, a substatus or 0, and a message.
func New(status, substatus int, format string, args ...any) *Error {
	return &Error{Status: status, Substatus: substatus, Message: fmt.Sprintf(format, args...)}
}

// BadRequest returns an error about a wrong request.
func BadRequest(format string, args ...any) *Error {
	return New(CodeBadRequest, 0, format, args...)
}

// Unsupported returns an error about a feature that only the service supports.
func Unsupported(format string, args ...any) *Error {
	return BadRequest("this emulator does not support "+format, args...)
}

// NoSuchEntity returns the error for a resource that does not exist.
func NoSuchEntity() *Error {
	return New(NotFound, 0, "Entity with the specified id does not exist in the system.")
}

// NoSuchOwner returns the error for a resource in a database or container that does not
// exist.
func NoSuchOwner() *Error {
	return New(NotFound, OwnerNotFound, "Owner resource does not exist")
}

// AlreadyExists returns the error for an id that is in use.
func AlreadyExists() *Error {
	return New(Conflict, 0, "Entity with the specified id already exists in the system.")
}

// ConditionFailed returns the error for an outdated entity tag, and for a patch condition that
// is false.
func ConditionFailed() *Error {
	return New(PreconditionFailed, 0, "One of the specified pre-condition is not met")
}

// BodyTooLarge returns the error for a request or document of more than most bytes.
func BodyTooLarge(most int) *Error {
	return New(TooLarge, 0, "Request size is too large: at most %d bytes are allowed", most)
}

// PartitionIsFull returns the error for a logical partition that would have more than
// most bytes.
func PartitionIsFull(most int64) *Error {
	return New(Forbidden, PartitionFull,
		"Partition key reached maximum size of %d bytes. Learn more: https://aka.ms/CosmosDB/sql/errors/full-pk", most)
}

// AccountIsFull returns the error for a database or container beyond the quota of the account.
func AccountIsFull(most int) *Error {
	return New(Forbidden, AccountFull, "The account has reached its quota of %d databases and containers.", most)
}

// SharedThroughputIsFull returns the error for a container in a database whose throughput is
// already shared by most containers.
func SharedThroughputIsFull(most int) *Error {
	return New(Forbidden, SharingFull, "Collection create forbidden as collection count in database offer has exceeded %d.", most)
}

// TooManyUpdates returns the error for an account whose throughput was changed most times
// within a span. The client may try again after wait. The service documents the limit but not
// the response.
func TooManyUpdates(most int, span, wait time.Duration) *Error {
	f := New(TooManyRequests, Throttled, "The throughput of the account was updated %d times within %v: no changes were made. Please retry this request later.", most, span)
	f.RetryAfter = wait
	return f
}

// Throttle returns the error for a physical partition whose request units are spent; the
// client may try again after wait.
func Throttle(wait time.Duration) *Error {
	f := New(TooManyRequests, Throttled,
		"Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. Learn more: http://aka.ms/cosmosdb-error-429")
	f.RetryAfter = wait
	return f
}

// TooSlow returns the error for a query that makes no progress in the time that the service
// allows for a request.
func TooSlow() *Error {
	return New(RequestTimeout, 0, "Request timed out: the query takes too long, and cannot be divided into pages; read fewer documents, or evaluate less for each")
}

// KeyDiffers returns the error for a document whose partition key differs from the header.
func KeyDiffers() *Error {
	return New(CodeBadRequest, KeyMismatch,
		"PartitionKey extracted from document doesn't match the one specified in the header")
}

// RangeIsGone returns the error for a partition key range that was split.
func RangeIsGone(id string) *Error {
	return New(Gone, RangeGone,
		"The requested resource is no longer available at the server: partition key range %q is gone; read the ranges again", id)
}
