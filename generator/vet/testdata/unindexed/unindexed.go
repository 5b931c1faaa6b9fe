// Package unindexed asks for documents by conditions that no index serves.
package unindexed

import (
	"context"

	"example.com/m/unindexed/pages"

	"github.com/cosmos-pkgen/pkgen/repository"
)

func typed(ctx context.Context, r *pages.PageRepository, etag string) error {
	f := pages.PageFields
	_, err := r.Scan().Where(f.ETag.Eq(etag)).Collect(ctx) // want `no index serves a condition on ETag of Page, so the query reads every document that its other conditions match; find documents by their keys, and compare their ETags in Go`
	if err != nil {
		return err
	}
	q := r.BySite("a").Where(f.Title.Eq("x"), repository.Or(f.Title.Contains("y"), repository.Not(pages.PageFields.Embedding.HasValue()))) // want `no index serves a condition on Embedding of Page`
	q = q.Where(f.Tags.Contains("a"), f.Title.EqualFold("x"), f.Title.Ne("y"), repository.Not(f.Title.EndsWith("z")))
	_ = r.PatchIf(ctx, pages.PageKey{ID: "1", Site: "a"}, f.ETag.Eq(etag), pages.PagePatch.Title.Set("z"))
	q = q.Where(f.Tags.Len().Gt(2), f.Tags.Any(f.Tags.Element.StartsWith("a")))    // want `no index serves a condition on the length of Tags, so the query reads every document that its other conditions match; store the result as a property`
	q = q.Where(f.Links.Any(f.Title.Eq("x"), f.ETag.Eq(etag), f.Tags.Len().Lt(3))) // want `a condition on the length of Tags`
	_ = q.Where(f.ETag.Eq(etag))                                                   //nolint:pkgen // of a report at night
	return nil
}

const lower = "LOWER(c.title) = @title"

func raw(ctx context.Context, r *pages.PageRepository, given string) error {
	q := r.BySite("a").WhereRaw(lower)                                             // want `no index serves a condition on LOWER, so the query reads every document that its other conditions match; store the text in one case`
	q = q.WhereRaw("c.site = 'x' AND NOT (" + "length(c.title) > 3)")              // want `no index serves a condition on LENGTH`
	q = q.WhereRaw("EXISTS(SELECT VALUE t FROM t IN c.tags WHERE UPPER(t) = 'A')") // want `no index serves a condition on UPPER`
	q = q.WhereRaw(`c.title > GetCurrentDateTime()`)                               // want `use GetCurrentDateTimeStatic`
	q = q.WhereRaw("c[\"_etag\"] = 'x' OR IS_DEFINED(c.embedding)")                // want `a condition on ETag` `a condition on Embedding`
	q = q.WhereRaw("VectorDistance(c.embedding, @v) > 0.5 AND c.embedding.x[0] != 1")
	q = q.WhereRaw("c.title = LOWER(@title) AND CONTAINS(c.title, 'x', true) AND c.title != 'y' AND c.title LIKE '%z' AND c.title > GetCurrentDateTimeStatic()")
	q = q.WhereRaw("LOWER(c.title").WhereRaw(given).WhereRaw("other(c.title)")
	_, err := q.Collect(ctx)
	return err
}
