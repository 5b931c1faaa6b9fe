package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// MaxResends bounds how often a write is sent again after unclear failures. They
// are 128, 256 and 512 ms apart at most.
const MaxResends = 3

// UnclearPause is added to the number of an attempt, so that the pauses before a write
// is sent again are longer than those between writers who met: what has failed needs
// time.
const UnclearPause = 6

// unclearStatuses are those of a write that may have taken effect.
var unclearStatuses = []int{
	http.StatusRequestTimeout,
	http.StatusInternalServerError,
	http.StatusBadGateway,
	http.StatusServiceUnavailable,
	http.StatusGatewayTimeout,
}

// IsUnclear reports whether a write whose request returned err may have taken effect.
func IsUnclear(err error) bool {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return slices.Contains(unclearStatuses, response.StatusCode)
	}
	var (
		connecting *net.OpError
		lookup     *net.DNSError
		untrusted  *tls.CertificateVerificationError
	)
	if errors.As(err, &connecting) && connecting.Op == "dial" || errors.As(err, &lookup) || errors.As(err, &untrusted) {
		return false // nothing was sent
	}
	var connection net.Error
	return errors.As(err, &connection) || // url.Error, of every failure of the transport, is one
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// watching is the policy that sees each attempt of a write. The client's own pipeline
// repeats writes after failures that it does not know, such as the end of an HTTP/2
// connection, and in another region after a 503.
type watching struct{}

// WatchedWrite is the context of one write, and notes whether an attempt of it was
// unclear. Without the policies nobody sees that.
type WatchedWrite struct {
	context.Context
	lost atomic.Bool
}

// Unclear reports whether an attempt of the write was unclear.
func (w *WatchedWrite) Unclear() bool { return w.lost.Load() }

type watchKey struct{}

// Watch returns the context of one write, and what the policy notes of it.
func Watch(ctx context.Context) (context.Context, *WatchedWrite) {
	w := &WatchedWrite{Context: ctx}
	return w, w
}

// Value implements context.Context.
func (w *WatchedWrite) Value(key any) any {
	if key == (watchKey{}) {
		return w
	}
	return w.Context.Value(key)
}

// Do implements policy.Policy.
func (watching) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if watch, ok := r.Raw().Context().Value(watchKey{}).(*WatchedWrite); ok {
		if err != nil && IsUnclear(err) || err == nil && slices.Contains(unclearStatuses, response.StatusCode) {
			watch.lost.Store(true)
		}
	}
	return response, err
}
