package repository

import (
	"bytes"
	"context"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
)

// patchBody is what the context of a patch carries that azcosmos cannot write: the
// policy puts it in place of what azcosmos has written.
type patchBody struct {
	json []byte
	sent bool // by the policy
}

type patchBodyKey struct{}

func withPatchBody(ctx context.Context, body *patchBody) context.Context {
	return context.WithValue(ctx, patchBodyKey{}, body)
}

// patchBodies is the policy that writes the bodies of such patches. It stands
// before the retries, which all send the same.
type patchBodies struct{}

// Do implements policy.Policy.
func (patchBodies) Do(r *policy.Request) (*http.Response, error) {
	// The SDK sends requests for metadata under the same context.
	if body, ok := r.Raw().Context().Value(patchBodyKey{}).(*patchBody); ok && r.Raw().Method == http.MethodPatch {
		if err := r.SetBody(streaming.NopCloser(bytes.NewReader(body.json)), "application/json"); err != nil {
			return nil, err
		}
		body.sent = true
	}
	return r.Next()
}
