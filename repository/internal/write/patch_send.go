package write

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// SendPatch sends a patch of the document at p. Means is that of verify.
func SendPatch(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool, request Patch, c *wire.Content) error {
	const op = wire.OpPatch
	if err := s.JoinSession(ctx, op); err != nil {
		return err
	}
	send, err := patching(s, p, request, c)
	if err != nil {
		return s.Failure(op, p, err)
	}
	if s.Ambiguous {
		request.Once = request.Once || request.Increments()
		return patchVerified(ctx, s, op, p, means, request.asked, verified{change: send, once: request.Once})
	}
	w := Request{
		Send: func(ctx context.Context) (azcosmos.ItemResponse, error) { return send(ctx, "") },
		once: request.Once,
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
	// What did not hold may be that the document is of this type, and not hidden.
	if s.Discriminator != nil || s.Hidings != nil {
		if _, _, missing := s.Read(ctx, op, p); errors.Is(missing, wire.ErrNotFound) {
			return wire.StillUnclear(missing, own.Unclear)
		}
	}
	if request.asked != "" {
		own.Kind = notHeldError{request.asked}
	}
	return own
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
func patchVerified(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool, condition string, v verified) error {
	held := true
	if condition != "" {
		v.final = func(ctx context.Context, unchanged azcore.ETag) bool {
			_, response, err := s.Read(ctx, op, p)
			held = err != nil || response.ETag != unchanged
			return !held
		}
	}
	_, err := verify(ctx, s, op, p, means, v)
	var own *wire.OperationError
	if !held && errors.As(err, &own) {
		own.Kind = notHeldError{condition}
	}
	return err
}
