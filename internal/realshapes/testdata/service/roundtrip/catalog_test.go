package roundtrip

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/platform"
	"example.com/service/catalog"
)

// TestCatalog runs types that share a container while there is a document of
// each of the others under the same key.
func TestCatalog(t *testing.T) {
	db := database(t)
	products, c := in(t, db, catalog.EnsureProductContainer, catalog.NewProductRepository)
	reviews, _ := in(t, db, catalog.EnsureReviewContainer, catalog.NewReviewRepository)
	legacies, _ := in(t, db, catalog.EnsureLegacyContainer, catalog.NewLegacyRepository)
	size := 42
	product := func(id string) *catalog.Product {
		return &catalog.Product{ID: id, Category: "books", Name: "Go", Variants: []catalog.Variant{{SKU: "g1", Size: &size}}, Extra: json.RawMessage(`[{}]`)}
	}
	review := func(id string) *catalog.Review {
		return &catalog.Review{Document: platform.Document{ID: id}, Category: "books", Author: &catalog.Author{Name: "Ann", Boss: &catalog.Author{Name: "Bob"}}}
	}
	legacy := func(id string) *catalog.Legacy {
		return &catalog.Legacy{ID: id, Category: "books", Old: "x", Rest: map[string]json.RawMessage{"later": json.RawMessage(`[1]`)}}
	}
	t.Run("Product", func(t *testing.T) {
		d := product("p1")
		d.IsDeleted, d.DeletedAt = true, &at
		run(t, c, products, d.Key(), trip[catalog.Product]{
			document: d, key: `["books"]`, query: products.ByCategory("books").Where(catalog.ProductFields.IsDeleted.Eq(true)),
			changes: list(catalog.ProductPatch.IsDeleted.Set(false), catalog.ProductPatch.DeletedAt.Remove(), catalog.ProductPatch.Variants.Append(catalog.Variant{SKU: "g2"})),
			changed: func(d *catalog.Product) {
				d.IsDeleted, d.DeletedAt, d.Variants = false, nil, append(d.Variants, catalog.Variant{SKU: "g2"})
			},
		})
	})
	if err := products.Create(t.Context(), product("p2")); err != nil {
		t.Fatal(err)
	}
	t.Run("Review", func(t *testing.T) {
		d := review("r1")
		d.Type = "review"
		run(t, c, reviews, d.Key(), trip[catalog.Review]{
			document: d, key: `["books"]`, query: reviews.ByCategory("books"),
			changes: list(catalog.ReviewPatch.Stars.Set(5), catalog.ReviewPatch.Author.Boss.Remove()),
			changed: func(d *catalog.Review) { d.Stars, d.Author.Boss = 5, nil },
		})
	})
	if err := reviews.Create(t.Context(), review("r2")); err != nil {
		t.Fatal(err)
	}
	t.Run("Legacy", func(t *testing.T) {
		kept := legacy("l0")
		if err := legacies.Create(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
		got, err := legacies.Get(t.Context(), kept.Key())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(kept.Rest["later"]), string(got.Rest["later"])); diff != "" {
			t.Errorf("a property that the type does not have: -want +got:\n%s", diff)
		}
		if err := legacies.Delete(t.Context(), kept.Key()); err != nil {
			t.Fatal(err)
		}
		d := legacy("l1")
		run(t, c, legacies, d.Key(), trip[catalog.Legacy]{
			document: d, key: `["books"]`, query: legacies.ByCategory("books"),
			changes: list(catalog.LegacyPatch.Old.Set("y")), changed: func(d *catalog.Legacy) { d.Old = "y" },
		})
	})
	t.Run("Stock", func(t *testing.T) {
		r, c := in(t, db, catalog.EnsureStockContainer, catalog.NewStockRepository)
		d := &catalog.Stock{ID: "s1", Warehouse: "ham-1", Aisle: catalog.Aisle{N: 7}, Count: 2, Any: []any{1.5, nil, "x"}, Matrix: [][]uint8{{1}, nil}}
		run(t, c, r, d.Key(), trip[catalog.Stock]{
			document: d, key: `["ham-1-n7"]`, query: r.ByWarehouseAndAisle("ham-1", d.Aisle),
			changes: list(catalog.StockPatch.Count.Decrement(1), catalog.StockPatch.Any.Set(map[string]int{"a": 1})),
			changed: func(d *catalog.Stock) { d.Count, d.Any = 1, map[string]int{"a": 1} },
		})
	})
}
