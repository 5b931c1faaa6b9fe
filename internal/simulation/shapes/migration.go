package shapes

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// lacks are the operations that documents of two containers lack.
var lacks = []string{"pages", "byline", "bykey", "between", "count", "sum", "bulkupsert", "bulkcreate", "bulkdelete", "commit", "changes", "rank", "elements", "computed"}

// OpenMigration returns the documents of two containers as a Store.
func OpenMigration[T any, K generated.Key, P keyed[T, K]](m *repository.Migration[T, K], scan func() repository.MigrationQuery[T]) Store {
	return migrating[T, K, P]{typed: open[T, K, P](nil, nil), m: m, both: scan}
}

// migrating has the conversions of typed, and none of its documents.
type migrating[T any, K generated.Key, P keyed[T, K]] struct {
	*typed[T, K, P]
	m    *repository.Migration[T, K]
	both func() repository.MigrationQuery[T]
}

func (s migrating[T, K, P]) Lacks() []string { return lacks }

func (s migrating[T, K, P]) Create(ctx context.Context, d *Doc) error {
	return s.with(d, func(t *T) error { return s.m.Create(ctx, t) })
}

func (s migrating[T, K, P]) Upsert(ctx context.Context, d *Doc) error {
	return s.with(d, func(t *T) error { return s.m.Upsert(ctx, t) })
}

func (s migrating[T, K, P]) Replace(ctx context.Context, d *Doc) error {
	return s.with(d, func(t *T) error { return s.m.Replace(ctx, t) })
}

func (s migrating[T, K, P]) Get(ctx context.Context, at Doc) (Doc, error) {
	return s.outOr(s.m.Get(ctx, s.key(at)))
}

func (s migrating[T, K, P]) GetMany(ctx context.Context, at []Doc) (found []bool, docs []Doc, err error) {
	return s.many(at, func(keys []K) ([]*T, error) { return s.m.GetMany(ctx, keys) })
}

func (s migrating[T, K, P]) Delete(ctx context.Context, at Doc) error {
	return s.m.Delete(ctx, s.key(at))
}

func (s migrating[T, K, P]) Restore(ctx context.Context, at Doc) error {
	_, err := s.m.Restore(ctx, s.key(at))
	return err
}

func (s migrating[T, K, P]) Purge(ctx context.Context, at Doc) error {
	return s.m.Purge(ctx, s.key(at))
}

func (s migrating[T, K, P]) DeleteIfMatch(ctx context.Context, d Doc) error {
	return s.m.DeleteIfMatch(ctx, s.in(&d))
}

func (s migrating[T, K, P]) Update(ctx context.Context, at Doc, change func(d *Doc)) error {
	return s.m.Update(ctx, s.key(at), s.changes(change))
}

func (s migrating[T, K, P]) Patch(ctx context.Context, at Doc, add int, by string) error {
	return s.m.Patch(ctx, s.key(at), operations[T](add, by)...)
}

func (s migrating[T, K, P]) PatchIf(ctx context.Context, at Doc, is, add int, by string) error {
	return s.m.PatchIf(ctx, s.key(at), documents.Number[T, int](value).Eq(is), operations[T](add, by)...)
}

func (s migrating[T, K, P]) Scan(ctx context.Context, _ int) ([]Doc, error) {
	return s.collect(s.both().All(ctx))
}

func (s migrating[T, K, P]) Where(ctx context.Context, line string) ([]Doc, error) {
	return s.collect(s.both().Where(documents.String[T, string]("/line").Eq(line)).All(ctx))
}
