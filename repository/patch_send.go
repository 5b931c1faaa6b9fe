package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// patching returns the function that sends a patch to p, if the document has the
// ETag unchanged or this is empty. What is stored then goes to c.
func (s *store) patching(p place, request patch, c *content) (func(context.Context, azcore.ETag) (azcosmos.ItemResponse, error), error) {
	operations, err := request.sdk()
	if errors.Is(err, errFraction) {
		return s.patchingFractions(p, request, c)
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, unchanged azcore.ETag) (azcosmos.ItemResponse, error) {
		return c.keep(s.container.PatchItem(request.retries(ctx), p.key, p.id, operations, c.options(ifMatch(ctx, unchanged))))
	}, nil
}

// patchingFractions is patching of what azcosmos cannot write. To a client without
// the policy it leaves no operations, which the service refuses.
func (s *store) patchingFractions(p place, request patch, c *content) (func(context.Context, azcore.ETag) (azcosmos.ItemResponse, error), error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, unchanged azcore.ETag) (azcosmos.ItemResponse, error) {
		own := &patchBody{json: body}
		callCtx := withPatchBody(request.retries(ctx), own)
		response, err := c.keep(s.container.PatchItem(callCtx, p.key, p.id, azcosmos.PatchOperations{}, c.options(ifMatch(ctx, unchanged))))
		var refused *azcore.ResponseError
		if !own.sent && (err == nil || errors.As(err, &refused) && refused.StatusCode == http.StatusBadRequest) {
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
	return policy.WithRetryOptions(ctx, refusedOnly)
}

// refusedOnly are the retries of a request that must not take effect twice. The
// statuses alone would not do: a pipeline repeats whatever fails with an error
// that it does not know (retryPolicy.Do in azcore).
var refusedOnly = policy.RetryOptions{
	MaxRetries:    maxRetries,
	MaxRetryDelay: maxRetryDelay,
	ShouldRetry: func(response *http.Response, err error) bool {
		return err == nil && (response.StatusCode == http.StatusTooManyRequests || response.StatusCode == statusRetryWith)
	},
}

// patchVerified is patch for layouts that have to be verified. A condition that
// does not hold has the same status as an ETag that has changed, after which the
// patch would be begun anew: if the document still has that ETag, it was the
// condition.
func (s *store) patchVerified(ctx context.Context, op string, p place, means func(doc any) bool, condition string, v verified) error {
	held := true
	if condition != "" {
		v.final = func(ctx context.Context, unchanged azcore.ETag) bool {
			_, response, err := s.read(ctx, op, p)
			held = err != nil || response.ETag != unchanged
			return !held
		}
	}
	_, err := s.verify(ctx, op, p, means, v)
	var own *Error
	if !held && errors.As(err, &own) {
		own.kind = notHeldError{condition}
	}
	return err
}
