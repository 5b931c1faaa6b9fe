package write

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// This file is for writes whose outcome is unclear: the connection broke or the
// service failed after the request was sent, and nobody said whether it took
// effect. azcosmos does not send such a write again, since it cannot know what
// the write means (attemptRetryOnNetworkError, attemptRetryOnServerError and
// attemptRetryOnRequestTimeout in cosmos_client_retry_policy.go). What is here
// does, where twice is the same as once, or where the answer to the second tells
// what became of the first.

// Sending says how a write is sent and how its failures are judged.
type Sending struct {
	Send func(context.Context) (azcosmos.ItemResponse, error)

	// once says that twice is not the same as once, so that the write is not sent
	// again after an unclear failure.
	once bool

	// settle is asked about the failure that follows unclear ones: it returns true,
	// and the ETag of what is stored, if it comes of the write having taken effect.
	// Nil never says so.
	settle func(context.Context, *wire.OperationError) (azcore.ETag, bool)

	// Repeated says that the caller may have sent the write before, so that settle
	// is asked about every failure.
	Repeated bool
}

// SendWrite sends a write to the document at p, until its outcome is clear. It
// returns the ETag of what is stored then. If the outcome stays unclear, the
// error matches ErrUnclear.
func SendWrite(ctx context.Context, s *Writer, op string, p wire.Place, w Sending) (azcore.ETag, error) {
	unclear := false
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return "", &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Err: err, Unclear: unclear}
		}
		callCtx, done := s.Begin(ctx, p.Event(op))
		watchCtx, watch := wire.Watch(callCtx)
		response, err := w.Send(watchCtx)
		if err == nil {
			err = wire.CheckWritten(response, p.ID)
		}
		done(response.RequestCharge, err)
		if err == nil {
			return response.ETag, nil
		}
		lost := wire.IsUnclear(err)
		unclear = unclear || lost || watch.Unclear()
		failure := wire.NewOperationError(op, s.Type, p.ID, p.Name, err)
		if lost && !w.once && attempt <= wire.MaxResends {
			ended := backoff.Pause(ctx, wire.UnclearPause+attempt)
			if ended == nil {
				continue
			}
			failure.Err = errors.Join(failure.Err, ended)
		}
		if !lost && w.settle != nil && (unclear || w.Repeated) {
			if tag, took := w.settle(ctx, failure); took {
				return tag, nil
			}
		}
		failure.Unclear = unclear
		return "", failure
	}
}

// ifStored settles the failure of a write that creates a document: it took effect
// if what stands there now is what it wanted to store.
func ifStored(s *Writer, op string, w Document) func(context.Context, *wire.OperationError) (azcore.ETag, bool) {
	return func(ctx context.Context, failure *wire.OperationError) (azcore.ETag, bool) {
		if !errors.Is(failure, wire.ErrAlreadyExists) {
			return "", false
		}
		return ReadBack(ctx, s, op, w)
	}
}

// ifGone settles the failure of a write by which a document is removed.
func ifGone(_ context.Context, failure *wire.OperationError) (azcore.ETag, bool) {
	return "", errors.Is(failure, wire.ErrNotFound)
}

// ReadBack reads the document that stands in the way of w and reports whether
// it is the one that w wanted to store, with its ETag.
func ReadBack(ctx context.Context, s *Writer, op string, w Document) (azcore.ETag, bool) {
	tag, same, err := standing(ctx, s, op, w)
	return tag, same && err == nil
}

// standing reads what stands where w is to be stored. It returns its ETag, and
// whether it is equal to w but for the properties of the system.
func standing(ctx context.Context, s *Writer, op string, w Document) (azcore.ETag, bool, error) {
	response, err := s.ReadStored(ctx, op, w.Place)
	if err != nil {
		return "", false, err
	}
	return response.ETag, sameDocument(response.Value, w.Body), nil
}
