package wire

import "context"

type beforePagesKey struct{}

// BeforePages returns a context under which a function is called before each page of a
// query, or of a change feed, is asked for. If it returns an error, no page is. It may be
// called by several goroutines at once.
func BeforePages(ctx context.Context, before func(ctx context.Context) error) context.Context {
	return context.WithValue(ctx, beforePagesKey{}, before)
}

// BeforePage calls the function of the context, if it has one.
func BeforePage(ctx context.Context) error {
	before, _ := ctx.Value(beforePagesKey{}).(func(context.Context) error)
	if before == nil {
		return nil
	}
	return before(ctx)
}
