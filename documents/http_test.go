package documents_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/partition"
)

func TestHTTPStatus(t *testing.T) {
	t.Parallel()
	of := func(kind error) *documents.Error { return &documents.Error{Op: "create", ID: "1", Kind: kind} }
	unclear := of(failure.ErrPreconditionFailed)
	unclear.Unclear = true
	taken := of(failure.ErrNotUnique)
	taken.Property = "email"
	stored := &documents.FieldError{Type: "Order", Field: "At", Property: "at", Reason: "is no time"}
	for name, test := range map[string]struct {
		err    error
		status int
		field  string
	}{
		"none":              {nil, http.StatusOK, ""},
		"not found":         {of(failure.ErrNotFound), http.StatusNotFound, ""},
		"another tenant's":  {of(failure.ErrTenant), http.StatusNotFound, ""},
		"exists":            {of(failure.ErrAlreadyExists), http.StatusConflict, ""},
		"not unique":        {fmt.Errorf("sign up: %w", taken), http.StatusConflict, "email"},
		"changed":           {of(failure.ErrPreconditionFailed), http.StatusPreconditionFailed, ""},
		"unclear":           {unclear, http.StatusServiceUnavailable, ""},
		"throttled":         {of(failure.ErrThrottled), http.StatusTooManyRequests, ""},
		"too large":         {of(failure.ErrTooLarge), http.StatusRequestEntityTooLarge, ""},
		"a cursor":          {of(failure.ErrCursor), http.StatusBadRequest, ""},
		"a key":             {&partition.KeyError{Type: "Order", Field: "CustomerID", Reason: "is empty"}, http.StatusBadRequest, "CustomerID"},
		"a field":           {&documents.Error{Op: "create", ID: "1", Err: stored}, http.StatusBadRequest, "at"},
		"a stored field":    {&documents.Error{Op: "get", ID: "1", Err: stored}, http.StatusInternalServerError, "at"},
		"a queried field":   {&documents.Error{Op: "query", Err: stored}, http.StatusInternalServerError, "at"},
		"no container":      {of(failure.ErrNoContainer), http.StatusInternalServerError, ""},
		"the time is over":  {of(context.DeadlineExceeded), http.StatusGatewayTimeout, ""},
		"not available":     {&documents.Error{Op: "get", Err: &documents.Error{Op: "look up", Status: http.StatusServiceUnavailable}}, http.StatusServiceUnavailable, ""},
		"a split":           {&documents.Error{Op: "get", Status: http.StatusGone}, http.StatusServiceUnavailable, ""},
		"a failure":         {&documents.Error{Op: "get", Status: http.StatusInternalServerError}, http.StatusInternalServerError, ""},
		"cut off":           {&documents.Error{Op: "get", Status: http.StatusOK, Err: io.ErrUnexpectedEOF}, http.StatusServiceUnavailable, ""},
		"no connection":     {&documents.Error{Op: "get", Err: &net.OpError{Op: "dial", Err: errors.New("refused")}}, http.StatusServiceUnavailable, ""},
		"anything":          {errors.New("anything"), http.StatusInternalServerError, ""},
		"a newer document":  {of(failure.ErrNewerDocument), http.StatusServiceUnavailable, ""},
		"another, unclear":  {errors.Join(of(failure.ErrNotFound), failure.ErrUnclear), http.StatusServiceUnavailable, ""},
		"an unfinished one": {of(failure.ErrUnfinished), http.StatusServiceUnavailable, ""},
	} {
		if got := documents.HTTPStatus(test.err); got != test.status {
			t.Errorf("%s: status %d, want %d", name, got, test.status)
		}
		if got := documents.HTTPField(test.err); got != test.field {
			t.Errorf("%s: field %q, want %q", name, got, test.field)
		}
	}
}
