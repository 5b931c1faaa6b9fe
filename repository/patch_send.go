package repository

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

// patching returns the function that sends a patch to p, if the document has the
// ETag unchanged or this is empty. What is stored then goes to c.
func patching(s *store, p wire.Place, request patch, c *wire.Content) (func(context.Context, azcore.ETag) (azcosmos.ItemResponse, error), error) {
	operations, err := request.sdk()
	if errors.Is(err, errFraction) {
		return patchingFractions(s, p, request, c)
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, unchanged azcore.ETag) (azcosmos.ItemResponse, error) {
		return c.Keep(s.Client.PatchItem(request.retries(ctx), p.Key, p.ID, operations, c.Options(wire.IfMatch(ctx, unchanged))))
	}, nil
}

// patchingFractions is patching of what azcosmos cannot write. To a client without
// the policy it leaves no operations, which the service refuses.
func patchingFractions(s *store, p wire.Place, request patch, c *wire.Content) (func(context.Context, azcore.ETag) (azcosmos.ItemResponse, error), error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, unchanged azcore.ETag) (azcosmos.ItemResponse, error) {
		callCtx, own := wire.WithPatchBody(request.retries(ctx), body)
		response, err := c.Keep(s.Client.PatchItem(callCtx, p.Key, p.ID, azcosmos.PatchOperations{}, c.Options(wire.IfMatch(ctx, unchanged))))
		var refused *azcore.ResponseError
		if !own.Sent() && (err == nil || errors.As(err, &refused) && refused.StatusCode == http.StatusBadRequest) {
			err = fmt.Errorf("%w, which azcosmos does not send: %w", errFraction, route.ErrNotConfigured)
		}
		return response, err
	}, nil
}

// retries returns a context under which the pipeline does not repeat p where that
// would be one time too many, or hide that the condition held before.
func (p patch) retries(ctx context.Context) context.Context {
	if !p.once && p.Condition == "" {
		return ctx
	}
	return wire.RetryRefused(ctx)
}

// patchVerified is patch for layouts that have to be verified. A condition that
// does not hold has the same status as an ETag that has changed, after which the
// patch would be begun anew: if the document still has that ETag, it was the
// condition.
func patchVerified(ctx context.Context, s *store, op string, p wire.Place, means func(doc any) bool, condition string, v verified) error {
	held := true
	if condition != "" {
		v.final = func(ctx context.Context, unchanged azcore.ETag) bool {
			_, response, err := s.read(ctx, op, p)
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
