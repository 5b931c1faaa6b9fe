package shapes

import (
	"context"
	"iter"
	"slices"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Tenants are the lines of documents, where lines are tenants.
var Tenants = []string{"l0", "l1", "l2"}

// OpenTenants returns the documents of all tenants as a Store. Each operation is that of the
// repository of one tenant, or one after the other of all.
func OpenTenants[T any, K generated.Key, P keyed[T, K]](of func(tenant string) (*repository.Tenant[T, K], repository.Query[T])) Store {
	return tenanted[T, K, P]{of}
}

type tenanted[T any, K generated.Key, P keyed[T, K]] struct {
	tenant func(name string) (*repository.Tenant[T, K], repository.Query[T])
}

// of returns the documents of a tenant.
func (s tenanted[T, K, P]) of(tenant string) *typed[T, K, P] {
	docs, scan := s.tenant(tenant)
	t := open[T, K, P](nil, nil)
	t.docs, t.scan = docs, func() repository.Query[T] { return scan }
	t.joins = func(tx *repository.Transaction) transaction[T, K] { return docs.In(tx) }
	return t
}

func (s tenanted[T, K, P]) Lacks() []string {
	return []string{"byline", "bykey", "between", "changes", "walk"} // programs with other stores have another cursor
}

func (s tenanted[T, K, P]) Create(ctx context.Context, d *Doc) error {
	return s.of(d.Line).Create(ctx, d)
}

func (s tenanted[T, K, P]) Upsert(ctx context.Context, d *Doc) error {
	return s.of(d.Line).Upsert(ctx, d)
}

func (s tenanted[T, K, P]) Replace(ctx context.Context, d *Doc) error {
	return s.of(d.Line).Replace(ctx, d)
}

func (s tenanted[T, K, P]) Delete(ctx context.Context, at Doc) error {
	return s.of(at.Line).Delete(ctx, at)
}

func (s tenanted[T, K, P]) DeleteIfMatch(ctx context.Context, d Doc) error {
	return s.of(d.Line).DeleteIfMatch(ctx, d)
}

func (s tenanted[T, K, P]) Update(ctx context.Context, at Doc, change func(d *Doc)) error {
	return s.of(at.Line).Update(ctx, at, change)
}

func (s tenanted[T, K, P]) Patch(ctx context.Context, at Doc, add int, tag string) error {
	return s.of(at.Line).Patch(ctx, at, add, tag)
}

func (s tenanted[T, K, P]) PatchIf(ctx context.Context, at Doc, value, add int, tag string) error {
	return s.of(at.Line).PatchIf(ctx, at, value, add, tag)
}

func (s tenanted[T, K, P]) Commit(ctx context.Context, all []Intent) error {
	return s.of(all[0].Doc.Line).Commit(ctx, all)
}

func (s tenanted[T, K, P]) Get(ctx context.Context, at Doc) (Doc, error) {
	return s.of(at.Line).Get(ctx, at)
}

func (s tenanted[T, K, P]) Where(ctx context.Context, line string) ([]Doc, error) {
	return s.of(line).Scan(ctx, 0)
}

// ofTenant returns the documents of a tenant, and their indexes.
func ofTenant[D any](tenant string, all []D, line func(D) string) (of []D, at []int) {
	for i, d := range all {
		if line(d) == tenant {
			of, at = append(of, d), append(at, i)
		}
	}
	return of, at
}

func (s tenanted[T, K, P]) GetMany(ctx context.Context, all []Doc) (found []bool, docs []Doc, err error) {
	found, docs = make([]bool, len(all)), make([]Doc, len(all))
	for _, tenant := range Tenants {
		of, at := ofTenant(tenant, all, func(d Doc) string { return d.Line })
		has, got, err := s.of(tenant).GetMany(ctx, of)
		if err != nil {
			return nil, nil, err
		}
		for i, n := range at {
			found[n], docs[n] = has[i], got[i]
		}
	}
	return found, docs, nil
}

func (s tenanted[T, K, P]) Write(ctx context.Context, op string, docs []*Doc, together bool) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for _, tenant := range Tenants {
			of, at := ofTenant(tenant, docs, func(d *Doc) string { return d.Line })
			for i, err := range s.of(tenant).Write(ctx, op, of, together) {
				if !yield(at[i], err) {
					return
				}
			}
		}
	}
}

func (s tenanted[T, K, P]) Scan(ctx context.Context, size int) ([]Doc, error) {
	return s.each(func(t *typed[T, K, P]) ([]Doc, error) { return t.Scan(ctx, size) })
}

// each reads the documents of each tenant.
func (s tenanted[T, K, P]) each(read func(*typed[T, K, P]) ([]Doc, error)) ([]Doc, error) {
	var all []Doc
	for _, tenant := range Tenants {
		docs, err := read(s.of(tenant))
		if err != nil {
			return nil, err
		}
		all = slices.Concat(all, docs)
	}
	return all, nil
}

// Page reads the tenants one after the other. A cursor begins with the number of the tenant.
func (s tenanted[T, K, P]) Page(ctx context.Context, cursor string, size int) (docs []Doc, next string, err error) {
	n, rest := 0, ""
	if cursor != "" {
		n, rest = int(cursor[0]-'0'), cursor[1:]
	}
	docs, next, err = s.of(Tenants[n]).Page(ctx, rest, size)
	switch {
	case next != "":
		next = strconv.Itoa(n) + next
	case n+1 < len(Tenants):
		next = strconv.Itoa(n + 1)
	}
	return docs, next, err
}

func (s tenanted[T, K, P]) Count(ctx context.Context) (int, error) {
	all := 0
	for _, tenant := range Tenants {
		n, err := s.of(tenant).Count(ctx)
		if err != nil {
			return 0, err
		}
		all += n
	}
	return all, nil
}

func (s tenanted[T, K, P]) Sum(ctx context.Context) (float64, error) {
	all := 0.0
	for _, tenant := range Tenants {
		sum, err := s.of(tenant).Sum(ctx)
		if err != nil {
			return 0, err
		}
		all += sum
	}
	return all, nil
}

func (s tenanted[T, K, P]) Restore(ctx context.Context, at Doc) error {
	docs, _ := s.tenant(at.Line)
	_, err := repository.Restore(ctx, docs, s.of(at.Line).key(at))
	return err
}

func (s tenanted[T, K, P]) Purge(ctx context.Context, at Doc) error {
	docs, _ := s.tenant(at.Line)
	return repository.Purge(ctx, docs, s.of(at.Line).key(at))
}

func (s tenanted[T, K, P]) ByKey(context.Context, Doc, bool) ([]Doc, bool, error) { panic(lacking) }

func (s tenanted[T, K, P]) Changes(context.Context, string, func(Doc, bool)) (string, error) {
	panic(lacking)
}

func (s tenanted[T, K, P]) Processor(string, *azcosmos.ContainerClient, func(context.Context, []Handled) error, ...feed.Option) *feed.Processor {
	panic(lacking)
}

const lacking = "tenants do not have this operation"
