package query

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// OfTenant returns q for the documents alone whose property has the value of a tenant.
// The property is a JSON pointer. Conditions in SQL come after it, so that they are
// checked.
func (q Selection) OfTenant(property string, value any) Selection {
	if q.raw && q.Err == nil {
		q.Err = fmt.Errorf("query %s: the query has conditions of WhereRaw before it is that of a tenant: call WhereRaw afterwards", q.TypeName())
	}
	q.tenant = value
	name := text.OwnParameter + strconv.Itoa(len(q.Parameters))
	return q.And(text.Property(property)+" = "+name, azcosmos.QueryParameter{Name: name, Value: value})
}

// start begins a run of q: its span, and the tenant of its requests.
func (q Selection) start(ctx context.Context) (context.Context, func(error)) {
	if q.tenant != nil && q.Store.Observe != nil {
		ctx = wire.WithTenant(ctx, q.tenant)
	}
	return q.Store.StartSpan(ctx, "query")
}

// IsTenant reports whether q is a query of the tenant with this value.
func (q Selection) IsTenant(value any) bool {
	return q.tenant != nil && reflect.DeepEqual(q.tenant, value)
}

// checkEnclosed returns an error if a condition in SQL may end the parentheses in which
// the query writes it: then it would be joined by its own OR to the tenant's condition.
// It refuses comments, too, which could hide a parenthesis.
func (q Selection) checkEnclosed(condition string) error {
	if err := enclosed(condition); err != nil {
		return fmt.Errorf("query %s: WhereRaw: %w", q.TypeName(), err)
	}
	return nil
}

var (
	errUnbalanced   = errors.New("the parentheses of the condition do not match: a condition of a tenant's query is one expression")
	errUnterminated = errors.New("a string of the condition does not end: close its quotes")
	errComment      = errors.New("the condition of a tenant's query has a comment: remove it, and write a space between two minus signs")
)

// enclosed returns why a condition may not be one expression in parentheses, or nil.
func enclosed(condition string) error {
	depth := 0
	for i := 0; i < len(condition); i++ {
		switch c := condition[i]; {
		case c == '\'' || c == '"':
			end := closing(condition[i+1:], c)
			if end < 0 {
				return errUnterminated
			}
			i += 1 + end
		case strings.HasPrefix(condition[i:], "--"), strings.HasPrefix(condition[i:], "/*"):
			return errComment
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return errUnbalanced
			}
		}
	}
	if depth != 0 {
		return errUnbalanced
	}
	return nil
}

// closing returns where the quote is that ends a string, or -1. A backslash escapes
// the next character (Microsoft's page "Constants").
func closing(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}
