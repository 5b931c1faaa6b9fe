package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
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
	return fail(http.StatusBadRequest, 0, format, args...)
}

func unsupported(format string, args ...any) *failure {
	return badRequest("this emulator does not support "+format, args...)
}

func notFound() *failure {
	return fail(http.StatusNotFound, 0, "Entity with the specified id does not exist in the system.")
}

func ownerNotFound() *failure {
	return fail(http.StatusNotFound, substatusOwnerNotFound, "Owner resource does not exist")
}

func conflict() *failure {
	return fail(http.StatusConflict, 0, "Entity with the specified id already exists in the system.")
}

func preconditionFailed() *failure {
	return fail(http.StatusPreconditionFailed, 0, "One of the specified pre-condition is not met")
}

func tooLarge(most int) *failure {
	return fail(http.StatusRequestEntityTooLarge, 0, "Request size is too large: at most %d bytes are allowed", most)
}

func partitionFull(most int64) *failure {
	return fail(http.StatusForbidden, substatusPartitionFull,
		"Partition key reached maximum size of %d bytes. Learn more: https://aka.ms/CosmosDB/sql/errors/full-pk", most)
}

func throttled(wait time.Duration) *failure {
	f := fail(http.StatusTooManyRequests, substatusThrottled,
		"Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. Learn more: http://aka.ms/cosmosdb-error-429")
	f.retryAfter = wait
	return f
}

func keyMismatch() *failure {
	return fail(http.StatusBadRequest, substatusKeyMismatch,
		"PartitionKey extracted from document doesn't match the one specified in the header")
}

func rangeGone(id string) *failure {
	return fail(http.StatusGone, substatusRangeGone,
		"The requested resource is no longer available at the server: partition key range %q is gone; read the ranges again", id)
}

// code is the word for a status in an error body.
func code(status int) string {
	switch status {
	case http.StatusRequestEntityTooLarge:
		return "RequestEntityTooLarge"
	case http.StatusTooManyRequests:
		return "TooManyRequests"
	case 449:
		return "RetryWith"
	}
	var word []byte
	for _, r := range http.StatusText(status) {
		if r != ' ' && r != '-' {
			word = append(word, byte(r))
		}
	}
	if len(word) == 0 {
		return "Error"
	}
	return string(word)
}

// body is the JSON of an error as the service writes it.
func (f *failure) body(activity string) []byte {
	b, err := json.Marshal(struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{code(f.status), f.message + "\r\nActivityId: " + activity})
	if err != nil { // strings always marshal
		return []byte(`{}`)
	}
	return b
}
