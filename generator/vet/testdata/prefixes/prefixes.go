// Package prefixes writes ids out.
package prefixes

import (
	"context"

	"example.com/m/prefixes/sales"

	"github.com/cosmos-pkgen/pkgen/repository"
)

const (
	wrong = "17"
	right = "order-17"
)

func orders(ctx context.Context, r *sales.OrderRepository, id string) {
	_ = r.Create(ctx, &sales.Order{ID: "17", Customer: "c"})                  // want `ids of type Order begin with "order-" and more text, and this id would be refused: write OrderIDPrefix \+ the rest`
	_ = r.Upsert(ctx, &sales.Order{Customer: "c", ID: (wrong)})               // want `ids of type Order begin`
	_, _ = r.Get(ctx, sales.OrderKey{ID: sales.OrderIDPrefix, Customer: "c"}) // want `ids of type Order begin`
	_ = r.Delete(ctx, sales.OrderKey{"Order-17", "c"})                        // want `ids of type Order begin`
	_, _ = r.GetMany(ctx, []sales.OrderKey{
		{ID: right},
		{ID: wrong}, // want `ids of type Order begin`
	})
	tx := repository.NewTransaction()
	_ = r.In(tx).Create(&sales.Order{ID: "line-17"}) // want `ids of type Order begin`
	_ = tx.Commit(ctx)

	_ = r.Create(ctx, &sales.Order{ID: sales.OrderIDPrefix + "17", Customer: "c"})
	_ = r.Create(ctx, &sales.Order{ID: right})
	_ = r.Create(ctx, &sales.Order{ID: id})
	_ = r.Create(ctx, &sales.Order{Customer: wrong})
	_, _ = r.Get(ctx, sales.OrderKey{right, wrong})
	kept := &sales.Order{ID: wrong} // which may be changed
	kept.ID = sales.OrderIDPrefix + kept.ID
	_ = r.Create(ctx, kept)
	_ = sales.OrderKey{ID: wrong}.Validate() == nil
}

func others(ctx context.Context, lines *sales.LineRepository, notes *sales.NoteRepository) {
	_ = lines.Create(ctx, &sales.Line{Base: &sales.Base{ID: "17"}}) // want `ids of type Line begin with "line-"`
	_, _ = lines.FindInBuckets(ctx, "17", "day")                    // want `ids of type Line begin with "line-"`
	_, _ = lines.FindInBuckets(ctx, "line-17", "day")
	_ = lines.Create(ctx, &sales.Line{Base: &sales.Base{ID: "line-17"}, Day: "17"})
	_ = notes.Create(ctx, &sales.Note{ID: "17"})
	_, _ = notes.Get(ctx, sales.NoteKey{ID: "17"})
}
