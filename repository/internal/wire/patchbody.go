package wire

import (
	"bytes"
	"context"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
)

// PatchBody is the body of a patch that azcosmos cannot write. The context of the
// patch carries it, and the policy puts it in place of the one by azcosmos.
type PatchBody struct {
	json []byte
	sent bool // by the policy
}

type patchBodyKey struct{}

// WithPatchBody returns the context of a patch whose body is JSON that azcosmos cannot
// write.
func WithPatchBody(ctx context.Context, json []byte) (context.Context, *PatchBody) {
	body := &PatchBody{json: json}
	return context.WithValue(ctx, patchBodyKey{}, body), body
}

// Sent reports whether the policy has put the body into the request. A client without
// the policy sends what azcosmos has written.
func (b *PatchBody) Sent() bool { return b.sent }

// patchBodies is the policy that writes the bodies of such patches. It comes before
// the retries, which all send the same.
type patchBodies struct{}

// Do implements policy.Policy.
func (patchBodies) Do(r *policy.Request) (*http.Response, error) {
	// The SDK sends requests for metadata under the same context.
	if body, ok := r.Raw().Context().Value(patchBodyKey{}).(*PatchBody); ok && r.Raw().Method == http.MethodPatch {
		if err := r.SetBody(streaming.NopCloser(bytes.NewReader(body.json)), "application/json"); err != nil {
			return nil, err
		}
		body.sent = true
	}
	return r.Next()
}
