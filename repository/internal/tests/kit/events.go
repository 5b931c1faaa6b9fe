package kit

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// OnError tells f the errors of a handler. If it returns true, the batch is left out.
func OnError(f func(ctx context.Context, err error) (leaveOut bool)) feed.Option {
	return feed.OnEvent(func(ctx context.Context, e feed.Event) bool { return e.Op == "fail" && f(ctx, e.Err) })
}

// OnUndecodable tells f the documents that do not decode. If it returns true, one is left out.
func OnUndecodable(f func(ctx context.Context, document []byte, err error) (leaveOut bool)) feed.Option {
	return feed.OnEvent(func(ctx context.Context, e feed.Event) bool {
		return e.Op == "undecodable" && f(ctx, e.Document, e.Err)
	})
}

// OnRequestError tells f the requests that have failed and will be sent again.
func OnRequestError(f func(ctx context.Context, err error)) feed.Option {
	return feed.OnEvent(func(ctx context.Context, e feed.Event) bool {
		if e.Op == "retry" {
			f(ctx, e.Err)
		}
		return false
	})
}

// Observe tells f what was handled, and of leases.
func Observe(f func(context.Context, feed.Event)) feed.Option {
	return feed.OnEvent(func(ctx context.Context, e feed.Event) bool {
		if e.Op != "fail" && e.Op != "undecodable" && e.Op != "retry" {
			f(ctx, e)
		}
		return false
	})
}
