package write

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// SendPatch sends a patch of the document at p. Means is that of verify.
func SendPatch(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool, request Patch, c *wire.Content) error {
	const op = wire.OpPatch
	if err := s.JoinSession(ctx, op); err != nil {
		return err
	}
	for attempt, last := 1, false; ; attempt++ {
		err := sendPatch(ctx, s, p, means, request, c)
		if s.Schema == nil || last || !errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrUnclear) {
			return err
		}
		if attempt == backoff.MaxAttempts {
			return wire.Noted(err, Contended, nil)
		}
		if !errors.Is(err, errOlder) {
			if request.counts { // or its request has arrived before, and others have written since
				return err
			}
			last = true // it may have been brought to the present form since the patch was refused
			continue
		}
		renewed, err := Renew(ctx, s, op, p, means, nil, 0)
		if err != nil {
			return err
		}
		if request, err = request.after(renewed); err != nil {
			return s.Failure(op, p, err)
		}
	}
}

// errOlder is why a patch was refused: what it names may be elsewhere in a document of an
// earlier form, and a later upgrade would overwrite what it sets.
var errOlder = errors.New("the document is of an earlier form of its type: call Update, or Upgrade of the repository, first")

// sendPatch is SendPatch of a document of the present form.
func sendPatch(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool, request Patch, c *wire.Content) error {
	const op = wire.OpPatch
	send, err := patching(s, p, request, c)
	if err != nil {
		return s.Failure(op, p, err)
	}
	if s.Ambiguous {
		request.Once = request.Once || request.Increments()
		return patchVerified(ctx, s, op, p, means, request, verified{change: send, once: request.Once, counts: request.counts})
	}
	var why error             // why the service has refused the patch, besides the caller's condition
	var unchanged azcore.ETag // of the document that the patch certainly has not changed
	w := Request{
		Send: func(ctx context.Context) (azcosmos.ItemResponse, error) { return send(ctx, unchanged) },
		once: request.Once,
		settle: func(ctx context.Context, r refusal) (azcore.ETag, verdict) {
			if r.Status != http.StatusPreconditionFailed {
				return "", notStored
			}
			_, answer, err := s.Read(ctx, op, p)
			if why = s.refusedFor(op, p, answer.Value, err); err != nil {
				return "", unread(err)
			}
			return answer.ETag, r.judgeRefused(s, request, answer)
		},
	}
	if request.counts {
		w.before = func(ctx context.Context, r refusal) (azcore.ETag, verdict) {
			answer, err := s.Fetch(ctx, op, p)
			if err != nil {
				return "", untold
			}
			unchanged = answer.ETag
			if v := r.judgePatch(request, answer); v != notStored || !r.recent(answer) {
				return answer.ETag, v
			}
			return "", untold
		}
	}
	if request.Increments() {
		if err := request.sentAgain(s, p, c, &w); err != nil {
			return s.Failure(op, p, err)
		}
	}
	_, err = Send(ctx, s, op, p, w)
	var own *wire.OperationError
	if !errors.As(err, &own) || own.Status != http.StatusPreconditionFailed {
		return err
	}
	if why != nil {
		return wire.StillUnclear(why, own.Unclear)
	}
	if request.asked != "" {
		own.Kind = notHeldError{request.asked}
	}
	return own
}

// refusal returns why the service has refused a patch of the document at p, if that is of
// another type, hidden, or of another form, which the condition of each patch has.
func (s *Writer) refusal(ctx context.Context, op string, p wire.Place) error {
	if s.PatchCondition() == "" {
		return nil
	}
	_, response, err := s.Read(ctx, op, p)
	return s.refusedFor(op, p, response.Value, err)
}

// refusedFor is refusal of a document that was read, or could not be.
func (s *Writer) refusedFor(op string, p wire.Place, raw []byte, err error) error {
	if err != nil {
		if s.Schema == nil && !errors.Is(err, wire.ErrNotFound) {
			return nil
		}
		return err
	}
	if s.Schema.IsOlder(raw) {
		failure := s.Failure(op, p, errOlder)
		failure.Kind = wire.ErrPreconditionFailed
		return failure
	}
	return nil
}

// notHeldError is ErrPreconditionFailed in the words of a patch.
type notHeldError struct{ condition string }

func (e notHeldError) Error() string { return "the condition does not hold: " + e.condition }

func (e notHeldError) Unwrap() error { return wire.ErrPreconditionFailed }

// patching returns the function that sends a patch to p, if the document has the
// ETag unchanged or this is empty. What is stored then goes to c.
func patching(s *Writer, p wire.Place, request Patch, c *wire.Content) (func(context.Context, azcore.ETag) (azcosmos.ItemResponse, error), error) {
	operations, err := request.SDK()
	if errors.Is(err, ErrFraction) {
		return patchingFractions(s, p, request, c)
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, unchanged azcore.ETag) (azcosmos.ItemResponse, error) {
		return c.Keep(s.PatchItem(request.retries(ctx), p.Key, p.ID, operations, c.Options(wire.IfMatch(ctx, unchanged))))
	}, nil
}

// patchingFractions is patching of what azcosmos cannot write. To a client without
// the policy it leaves no operations, which the service refuses.
func patchingFractions(s *Writer, p wire.Place, request Patch, c *wire.Content) (func(context.Context, azcore.ETag) (azcosmos.ItemResponse, error), error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, unchanged azcore.ETag) (azcosmos.ItemResponse, error) {
		if s.IsFenced(ctx) {
			return azcosmos.ItemResponse{}, fmt.Errorf("%w, which cannot be sent while the tenant moves to another container: replace the document, or try again later", ErrFraction)
		}
		callCtx, own := wire.WithPatchBody(request.retries(ctx), body)
		response, err := c.Keep(s.PatchItem(callCtx, p.Key, p.ID, azcosmos.PatchOperations{}, c.Options(wire.IfMatch(ctx, unchanged))))
		var refused *azcore.ResponseError
		if !own.Sent() && (err == nil || errors.As(err, &refused) && refused.StatusCode == http.StatusBadRequest) {
			err = fmt.Errorf("%w, which azcosmos does not send: %w", ErrFraction, route.ErrNotConfigured)
		}
		return response, err
	}, nil
}

// retries returns a context under which the pipeline does not repeat p where that
// would be one time too many, or hide that the condition held before.
func (p Patch) retries(ctx context.Context) context.Context {
	if !p.Once && p.Condition == "" && p.stamps == nil {
		return ctx
	}
	return wire.RetryRefused(ctx)
}

// patchVerified is patch for layouts that have to be verified. A condition that
// does not hold has the same status as an ETag that has changed, after which the
// patch would be begun anew: if the document still has that ETag, it was the
// condition.
func patchVerified(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool, request Patch, v verified) error {
	held, condition := true, request.asked
	open, r := false, refusal{began: time.Now()} // open: a refused attempt may have taken effect
	v.isSent, v.shared = request.isShown, s.Stamps.shared
	if request.onlySets() { // another program that has made the same of the document is as good
		v.isSent, v.shared = request.isStored, nil
	}
	if condition != "" || s.Schema != nil {
		v.final = func(ctx context.Context, unchanged azcore.ETag) bool {
			_, response, err := s.Read(ctx, op, p)
			held = err != nil || response.ETag != unchanged
			if held && err == nil {
				open = open || r.judgePatch(request, response) != notStored
			}
			return !held
		}
	}
	_, err := verify(ctx, s, op, p, means, v)
	if err != nil {
		err = wire.StillUnclear(err, open)
	}
	var own *wire.OperationError
	if !held && s.Schema != nil {
		if why := s.refusal(ctx, op, p); why != nil {
			return wire.StillUnclear(why, errors.Is(err, wire.ErrUnclear))
		}
	}
	if !held && condition != "" && errors.As(err, &own) {
		own.Kind = notHeldError{condition}
	}
	return err
}
