package documents

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// HTTPStatus returns the status with which a service responds to a request that failed with
// err, an error of an operation of any API; 200 for nil:
//
//	400  the key is invalid, a field cannot be stored, or a cursor is of another query
//	404  there is no such document, or it is another tenant's
//	409  the document or a unique value exists, or the document's key has changed
//	412  another program has changed the document
//	413  the document is too large
//	429  the service below is too busy
//	503  the outcome is unclear or open, another release must handle the request, or the
//	     service below is unavailable: try again
//	504  the time of the request is over
//	500  anything else, such as a missing container
//
// If several fit, the first of 504, 503, 429, 413, 400, 412, 409 and 404 is returned.
// [HTTPField] names the field that a client must change. Log the text of an error; do not send
// it to clients.
func HTTPStatus(err error) int {
	if err == nil {
		return http.StatusOK
	}
	for _, c := range httpStatuses {
		for _, target := range c.errs {
			if errors.Is(err, target) {
				return c.status
			}
		}
	}
	switch {
	case isInvalid(err):
		return http.StatusBadRequest
	case isUnanswered(err):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// httpStatuses are the statuses of sentinels; the first one that an error matches counts.
var httpStatuses = []struct {
	status int
	errs   []error
}{
	{http.StatusGatewayTimeout, []error{context.DeadlineExceeded, context.Canceled}},
	{http.StatusServiceUnavailable, []error{failure.ErrUnclear, failure.ErrUnfinished, failure.ErrMoved, failure.ErrNewerDocument}},
	{http.StatusTooManyRequests, []error{failure.ErrThrottled}},
	{http.StatusRequestEntityTooLarge, []error{failure.ErrTooLarge}},
	{http.StatusBadRequest, []error{failure.ErrCursor, failure.ErrOutOfBounds}},
	{http.StatusPreconditionFailed, []error{failure.ErrPreconditionFailed}},
	{http.StatusConflict, []error{failure.ErrAlreadyExists, failure.ErrKeyChanged, failure.ErrAmbiguous}},
	{http.StatusNotFound, []error{failure.ErrNotFound, failure.ErrTenant}},
}

// isUnanswered reports whether the service below did not respond, or responded that it is
// unavailable, after all the attempts that were safe to make.
func isUnanswered(err error) bool {
	var (
		network net.Error
		own     *Error
	)
	if errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true
	}
	for errors.As(err, &own) {
		switch own.Status {
		case http.StatusRequestTimeout, http.StatusGone, failure.StatusRetryWith, http.StatusServiceUnavailable:
			return true
		}
		err = own.Err
	}
	return false
}

// isInvalid reports whether a key is invalid, or a document of the caller cannot be stored. A
// document that was read does not count.
func isInvalid(err error) bool {
	var (
		key   *partition.KeyError
		field *FieldError
		own   *Error
	)
	if errors.As(err, &key) {
		return true
	}
	return errors.As(err, &field) && (!errors.As(err, &own) || own.ID != "" && own.Status == 0 && own.Op != "get")
}

// HTTPField returns the name of the field that a client must change for the request to succeed:
// the property with a value that is not unique or cannot be stored, or the Go field of an
// invalid component. It is "" if no field is the cause.
func HTTPField(err error) string {
	var (
		key   *partition.KeyError
		field *FieldError
		own   *Error
	)
	switch {
	case errors.As(err, &own) && own.Property != "":
		return own.Property
	case errors.As(err, &key):
		return key.Field
	case errors.As(err, &field) && field.Property != "":
		return field.Property
	case field != nil:
		return field.Field
	}
	return ""
}
