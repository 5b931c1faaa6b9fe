package write

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Request says how a write is sent and how its failures are judged.
//
// The outcome of a write is unclear if the connection broke or the service failed after
// the request was sent, and no answer says whether it took effect. azcosmos does not
// send such a write again, since it cannot know what the write means
// (attemptRetryOnNetworkError, attemptRetryOnServerError and
// attemptRetryOnRequestTimeout in cosmos_client_retry_policy.go). Send does, if twice
// is the same as once, or if the answer to the second tells the outcome of the first.
type Request struct {
	Send func(context.Context) (azcosmos.ItemResponse, error)

	// once says that twice is not the same as once, so that the write is not sent
	// again after an unclear failure.
	once bool

	// settle decides whether a refusal comes of the write having taken effect before: an
	// earlier attempt may have, or the same request may have arrived twice. If so it
	// returns the ETag of the stored document. A nil settle means no.
	settle func(context.Context, refusal) (azcore.ETag, verdict)

	// before, unless it is nil, settles an unclear failure before the write is sent again.
	before func(context.Context, refusal) (azcore.ETag, verdict)

	// Repeated says that the caller may have sent the write before.
	Repeated bool

	// Creates says that the document need not be there, so that a container which is
	// missing may be created for it.
	Creates bool
}

// Send sends a write to the document at p, until its outcome is clear. It
// returns the ETag of the stored document. If the outcome stays unclear, the
// error matches ErrUnclear.
func Send(ctx context.Context, s *Writer, op string, p wire.Place, w Request) (azcore.ETag, error) {
	unclear, misses, began := false, 0, time.Now()
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
		failure := s.Failed(op, p.ID, p.Name, w.Creates, err)
		if lost && !w.once && attempt <= wire.MaxResends {
			ended := backoff.Pause(ctx, wire.UnclearPause+attempt)
			v := notStored
			if ended == nil && w.before != nil {
				var tag azcore.ETag
				if tag, v = w.before(ctx, refusal{failure, true, began}); v == stored {
					return tag, nil
				}
			}
			if ended == nil && v == notStored {
				continue
			}
			failure.Err = errors.Join(failure.Err, ended)
		}
		if w.Creates && s.Lacks(err) && s.Supply(ctx, &misses, failure) {
			continue
		}
		if !lost && w.settle != nil {
			tag, v := w.settle(ctx, refusal{failure, unclear || w.Repeated, began})
			if v == stored {
				return tag, nil
			}
			unclear = unclear || v == untold
		}
		failure.Unclear = unclear
		return "", failure
	}
}

// ReadBack settles the refusal of a write that stores w: it returns the ETag of the document
// at the place of w if that is equal to w, and else the refusal, which is unclear if the
// document could not be read, or is w marked as deleted. It costs a point read.
func ReadBack(ctx context.Context, s *Writer, op string, w Document, refused error) (azcore.ETag, error) {
	response, same, err := storedAt(ctx, s, op, w)
	if same && err == nil {
		return response.ETag, nil
	}
	return "", wire.StillUnclear(refused, err != nil && MayHaveStored(err) || err == nil && s.storedThenMarked(response.Value, w))
}

// storedAt reads the document at the place of w. It returns the answer, and whether it is
// equal to w but for the properties of the system and the stamps, which it writes to
// that of w.
func storedAt(ctx context.Context, s *Writer, op string, w Document) (azcosmos.ItemResponse, bool, error) {
	response, err := s.ReadStored(ctx, op, w.Place)
	if err != nil {
		return azcosmos.ItemResponse{}, false, err
	}
	same := sameDocument(response.Value, w.Body, s.Stamps.names()...)
	if same && w.Stamp != nil {
		*w.Stamp, err = s.Stamps.of(response.Value)
	}
	return response, same, err
}
