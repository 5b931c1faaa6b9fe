// Package unindexed asks for documents by conditions that no index serves.
package unindexed

import (
	"context"

	"example.com/m/unindexed/pages"

	"github.com/cosmos-pkgen/pkgen/repository"
)

func typed(ctx context.Context, r *pages.PageRepository, etag string) error {
	f := pages.PageFields
	_, err := r.Scan().Where(f.ETag.Eq(etag)).Collect(ctx) // want `no index serves a condition on ETag of Page: the query reads each document that its other conditions leave; find documents by their keys, and compare their ETags in Go`
	if err != nil {
		return err
	}
	q := r.BySite("a").Where(f.Title.Eq("x"), repository.Or(f.Title.Contains("y"), repository.Not(pages.PageFields.Embedding.HasValue()))) // want `no index serves a condition on Embedding of Page`
	q = q.Where(f.Tags.Contains("a"), f.Title.EqualFold("x"), f.Title.Ne("y"), repository.Not(f.Title.EndsWith("z")))
	_ = r.PatchIf(ctx, pages.PageKey{ID: "1", Site: "a"}, f.ETag.Eq(etag), pages.PagePatch.Title.Set("z"))
	_ = q.Where(f.ETag.Eq(etag)) //nolint:pkgen // of a report at night
	return nil
}
