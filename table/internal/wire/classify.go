package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/table/internal/entity"
)

// Statuses of Cosmos DB that package net/http does not name ("HTTP status codes for Azure
// Cosmos DB").
const statusRetryWith = 449 // another write of the entity was in progress; this one had no effect

// Answer classifies an error of aztables. anew reports that the request creates an entity or
// may create it, so that status 404 means a missing table.
func Answer(err error, anew bool) *failure.Answer {
	if own := (*failure.Answer)(nil); errors.As(err, &own) {
		return own
	}
	if draft := (*failure.DraftError)(nil); errors.As(err, &draft) {
		return &failure.Answer{Kind: failure.ErrDraft, Err: failure.Says(draft.Reason())}
	}
	var response *azcore.ResponseError
	if !errors.As(err, &response) {
		return &failure.Answer{Err: err, Unsent: notConnected(err), Unanswered: !notConnected(err)}
	}
	header := http.Header{}
	if response.RawResponse != nil {
		header = response.RawResponse.Header
	}
	return answered(response.StatusCode, response.ErrorCode, header, anew, err)
}

// answered classifies a status and an error code.
func answered(status int, code string, header http.Header, anew bool, err error) *failure.Answer {
	a := &failure.Answer{Code: code, Err: err, After: retryAfter(header)}
	if code == "" {
		a.Code = strconv.Itoa(status)
	}
	switch is := aztables.TableErrorCode(code); {
	case is == aztables.TableNotFound, status == http.StatusNotFound && anew:
		a.Kind = failure.ErrNoContainer
	case status == http.StatusNotFound:
		a.Kind = failure.ErrNotFound
	case is == aztables.TableAlreadyExists, is == aztables.TableBeingDeleted:
	case status == http.StatusConflict:
		a.Kind = failure.ErrAlreadyExists
	case status == http.StatusPreconditionFailed:
		a.Kind = failure.ErrPreconditionFailed
	case status == http.StatusRequestEntityTooLarge, is == aztables.EntityTooLarge,
		is == aztables.PropertyValueTooLarge, code == "RequestBodyTooLarge":
		a.Kind = failure.ErrTooLarge
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable && code == "ServerBusy":
		a.Kind, a.Unsent = failure.ErrThrottled, true
	case status == statusRetryWith:
		a.Unsent = true
	case status == http.StatusRequestTimeout, status == http.StatusGone, status >= 500 && status != http.StatusNotImplemented:
		a.Unanswered = true
	}
	return a
}

// notConnected reports whether a request was certainly not sent.
func notConnected(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" ||
		errors.As(err, new(*net.DNSError))
}

// retryAfter returns the wait that the service requests.
func retryAfter(h http.Header) time.Duration {
	for name, unit := range map[string]time.Duration{"x-ms-retry-after-ms": time.Millisecond, "retry-after-ms": time.Millisecond, "retry-after": time.Second} {
		if n, err := strconv.Atoi(strings.TrimSpace(h.Get(name))); err == nil && n >= 0 {
			return time.Duration(n) * unit
		}
	}
	return 0
}

// errPart is the cause of a failed operation in a transaction.
var errPart = errors.New("an operation of the transaction failed")

// cut is the answer of a request whose response was cut off: its outcome is unknown.
func cut() *failure.Answer {
	return &failure.Answer{Unanswered: true, Err: errors.Join(entity.ErrCut, io.ErrUnexpectedEOF)}
}

// undone returns the answer for a request that was not sent, from ctx's error.
func undone(ctx context.Context) *failure.Answer {
	return &failure.Answer{Unsent: true, Err: ctx.Err()}
}
