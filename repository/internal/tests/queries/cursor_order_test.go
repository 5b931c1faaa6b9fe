package queries

import (
	"context"
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestCursorsOfConditionsInAnyOrder goes on with a cursor of the same conditions, which were
// added in another order. Others are of another query, also if they have the same values.
func TestCursorsOfConditionsInAnyOrder(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	c.Orders(t, 20, 1)
	number := documents.Number[kit.Thing, int]("/a")
	low, high, other := number.Ge(0), number.Lt(100), number.Ge(100)
	scan := func(conditions ...repository.Predicate[kit.Thing]) repository.Query[kit.Thing] {
		q := c.ByBase("x", false)
		for _, condition := range conditions {
			q = q.Where(condition)
		}
		return q
	}
	page, err := scan(low, high).Page(ctx, "", 5)
	if err != nil || page.Cursor == "" {
		t.Fatalf("%+v, %v", page, err)
	}
	for name, q := range map[string]repository.Query[kit.Thing]{"in the other order": scan(high, low), "in the same order": scan(low, high)} {
		if next, err := q.Page(ctx, page.Cursor, 5); err != nil || len(next.Items) == 0 {
			t.Errorf("%s: %+v, %v", name, next, err)
		}
	}
	for name, q := range map[string]repository.Query[kit.Thing]{
		"one less": scan(low), "another value": scan(high, other), "swapped values": scan(number.Ge(100), number.Lt(0)), "one twice": scan(low, low, high),
	} {
		if _, err := q.Page(ctx, page.Cursor, 5); !errors.Is(err, repository.ErrCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
