package wire

import "context"

type beforePagesKey struct{}

// BeforePages returns a context under which a function is called before each page of a
// query, or of a change feed, is asked for. If it returns an error, no page is. It may be
// called by several goroutines at once.
func BeforePages(ctx context.Context, before func(ctx context.Context) error) context.Context {
	return context.WithValue(ctx, beforePagesKey{}, before)
}

type aroundPagesKey struct{}

// PageChecks are called before each page of a query is asked for, and after it has come.
// If one returns an error, the page does not count. They may be called by several
// goroutines at once.
type PageChecks interface {
	BeforePage(ctx context.Context) error
	AfterPage(ctx context.Context) error
}

// CheckPages returns a context whose pages are checked.
func CheckPages(ctx context.Context, c PageChecks) context.Context {
	return context.WithValue(ctx, aroundPagesKey{}, c)
}

// BeforePage calls the functions of the context, if it has some.
func BeforePage(ctx context.Context) error {
	if before, _ := ctx.Value(beforePagesKey{}).(func(context.Context) error); before != nil {
		if err := before(ctx); err != nil {
			return err
		}
	}
	if c, _ := ctx.Value(aroundPagesKey{}).(PageChecks); c != nil {
		return c.BeforePage(ctx)
	}
	return nil
}

// AfterPage calls the check of the context, if it has one.
func AfterPage(ctx context.Context) error {
	if c, _ := ctx.Value(aroundPagesKey{}).(PageChecks); c != nil {
		return c.AfterPage(ctx)
	}
	return nil
}
