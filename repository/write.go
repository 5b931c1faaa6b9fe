package repository

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/backoff"
)

// This file is for writes whose outcome is unclear: the connection broke or the
// service failed after the request was sent, and nobody said whether it took
// effect. azcosmos does not send such a write again, since it cannot know what
// the write means (attemptRetryOnNetworkError, attemptRetryOnServerError and
// attemptRetryOnRequestTimeout in cosmos_client_retry_policy.go). What is here
// does, where twice is the same as once, or where the answer to the second tells
// what became of the first.

// maxResends bounds how often a write is sent again after unclear failures. They
// are 128, 256 and 512 ms apart at most.
const maxResends = 3

// sending says how a write is sent and how its failures are judged.
type sending struct {
	send func(context.Context) (azcosmos.ItemResponse, error)

	// once says that twice is not the same as once, so that the write is not sent
	// again after an unclear failure.
	once bool

	// settle is asked about the failure that follows unclear ones: it returns true,
	// and the ETag of what is stored, if it comes of the write having taken effect.
	// Nil never says so.
	settle func(context.Context, *Error) (azcore.ETag, bool)

	// repeated says that the caller may have sent the write before, so that settle
	// is asked about every failure.
	repeated bool
}

// write sends a write to the document at p, until its outcome is clear. It
// returns the ETag of what is stored then. If the outcome stays unclear, the
// error matches ErrUnclear.
func (s *store) write(ctx context.Context, op string, p place, w sending) (azcore.ETag, error) {
	unclear := false
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return "", &Error{Op: op, Type: s.typ, ID: p.id, PartitionKey: p.name, Err: err, unclear: unclear}
		}
		callCtx, done := s.begin(ctx, p.event(op))
		watchCtx, watch := watched(callCtx)
		response, err := w.send(watchCtx)
		if err == nil {
			err = checkWritten(response, p.id)
		}
		done(response.RequestCharge, err)
		if err == nil {
			return response.ETag, nil
		}
		lost := isUnclear(err)
		unclear = unclear || lost || watch.unclear.Load()
		failure := requestError(op, s.typ, p.id, p.name, err)
		if lost && !w.once && attempt <= maxResends {
			ended := backoff.Pause(ctx, unclearPause+attempt)
			if ended == nil {
				continue
			}
			failure.Err = errors.Join(failure.Err, ended)
		}
		if !lost && w.settle != nil && (unclear || w.repeated) {
			if tag, took := w.settle(ctx, failure); took {
				return tag, nil
			}
		}
		failure.unclear = unclear
		return "", failure
	}
}

// unclearPause makes the pauses before a write is sent again longer than those
// between writers who met: what has failed needs time.
const unclearPause = 6

// unclearStatuses are those of a write that may have taken effect.
var unclearStatuses = []int{
	http.StatusRequestTimeout,
	http.StatusInternalServerError,
	http.StatusBadGateway,
	http.StatusServiceUnavailable,
	http.StatusGatewayTimeout,
}

// isUnclear reports whether a request that failed so may have taken effect.
func isUnclear(err error) bool {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return slices.Contains(unclearStatuses, response.StatusCode)
	}
	var (
		connecting *net.OpError
		lookup     *net.DNSError
		untrusted  *tls.CertificateVerificationError
	)
	if errors.As(err, &connecting) && connecting.Op == "dial" || errors.As(err, &lookup) || errors.As(err, &untrusted) {
		return false // nothing was sent
	}
	var connection net.Error
	return errors.As(err, &connection) || // url.Error, of every failure of the transport, is one
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// watching is the policy that sees the attempts of a write which the client's own
// pipeline repeats: after failures that it does not know, such as the end of an
// HTTP/2 connection, and in another region after a 503.
type watching struct{}

// watchedWrite is the context of one write, and notes whether an attempt of it was
// unclear. Without [Configure] nobody sees that.
type watchedWrite struct {
	context.Context
	unclear atomic.Bool
}

type watchKey struct{}

// watched returns ctx as that of one write.
func watched(ctx context.Context) (context.Context, *watchedWrite) {
	w := &watchedWrite{Context: ctx}
	return w, w
}

// Value implements context.Context.
func (w *watchedWrite) Value(key any) any {
	if key == (watchKey{}) {
		return w
	}
	return w.Context.Value(key)
}

// Do implements policy.Policy.
func (watching) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if watch, ok := r.Raw().Context().Value(watchKey{}).(*watchedWrite); ok {
		if err != nil && isUnclear(err) || err == nil && slices.Contains(unclearStatuses, response.StatusCode) {
			watch.unclear.Store(true)
		}
	}
	return response, err
}

// stillUnclear returns err as one of an operation whose earlier write had an
// unclear outcome, if it had.
func stillUnclear(err error, unclear bool) error {
	var own *Error
	if unclear && errors.As(err, &own) {
		own.unclear = true
	}
	return err
}

// ifStored settles the failure of a write that creates a document: it took effect
// if what stands there now is what it wanted to store.
func (s *store) ifStored(op string, w write) func(context.Context, *Error) (azcore.ETag, bool) {
	return func(ctx context.Context, failure *Error) (azcore.ETag, bool) {
		if !errors.Is(failure, ErrAlreadyExists) {
			return "", false
		}
		return s.readBack(ctx, op, w)
	}
}

// ifGone settles the failure of a write by which a document is removed.
func ifGone(_ context.Context, failure *Error) (azcore.ETag, bool) {
	return "", errors.Is(failure, ErrNotFound)
}

// readBack reads the document that stands in the way of w and reports whether
// it is the one that w wanted to store, with its ETag.
func (s *store) readBack(ctx context.Context, op string, w write) (azcore.ETag, bool) {
	tag, same, err := s.standing(ctx, op, w)
	return tag, same && err == nil
}

// standing reads what stands where w is to be stored. It returns its ETag, and
// whether it is equal to w but for the properties of the system.
func (s *store) standing(ctx context.Context, op string, w write) (azcore.ETag, bool, error) {
	response, err := s.readStored(ctx, op, w.place)
	if err != nil {
		return "", false, err
	}
	return response.ETag, sameDocument(response.Value, w.body), nil
}
