package account

import (
	"context"
	"maps"
	"net/http"
)

// versionOfSDK is the version of the protocol that azcosmos 1.5.0 speaks.
const versionOfSDK = "2020-11-05"

// Request is a request that no method of an account has.
type Request struct {
	What           string // is asked for, for errors
	Method, Path   string // the path without a slash before it
	Resource, Link string // by which it is signed: "docs", and the link of the container
	Body           string
	Header         map[string]string
}

// Do sends a request, repeats it as every request of an account, and decodes the answer,
// unless into is nil. It speaks the version of the
// protocol that azcosmos does. The error of an answer that is no success is a [*StatusError]. It
// writes if the request does.
func (a *Account) Do(ctx context.Context, r Request, into any) error {
	_, err := a.DoHeader(ctx, r, into)
	return err
}

// DoHeader is [Account.Do], and returns the header of the answer.
func (a *Account) DoHeader(ctx context.Context, r Request, into any) (http.Header, error) {
	header := map[string]string{versionHeader: versionOfSDK}
	maps.Copy(header, r.Header)
	return a.do(ctx, request{what: r.What, method: r.Method, path: r.Path, resource: r.Resource, link: r.Link, body: r.Body, header: header}, into)
}
