package account

import (
	"context"
	"maps"
	"net/http"
)

// versionOfSDK is the protocol version of azcosmos 1.5.0.
const versionOfSDK = "2020-11-05"

// Request is a request that no other method of Account sends.
type Request struct {
	What           string // what it asks for, in errors
	Method, Path   string // Path has no leading slash
	Resource, Link string // the resource type that is signed, such as "docs", and the link of the container
	Body           string
	Header         map[string]string
}

// Do sends a request, repeats it like every request of an account, and decodes the answer unless
// into is nil. It uses the protocol version of azcosmos. An unsuccessful answer is a
// [*StatusError].
func (a *Account) Do(ctx context.Context, r Request, into any) error {
	_, err := a.DoHeader(ctx, r, into)
	return err
}

// DoHeader is [Account.Do], and also returns the header of the answer.
func (a *Account) DoHeader(ctx context.Context, r Request, into any) (http.Header, error) {
	header := map[string]string{versionHeader: versionOfSDK}
	maps.Copy(header, r.Header)
	return a.do(ctx, request{what: r.What, method: r.Method, path: r.Path, resource: r.Resource, link: r.Link, body: r.Body, header: header}, into)
}
