package templates

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// find writes the search for an item id under all the suffixes of a base, if the
// suffix is random.
//
//	func (r *ClickRepository) FindInBuckets(ctx context.Context, id, date string) (*Click, error) {
//		key := ClickKey{Date: date}
//		return repository.FindInBuckets(ctx, r.Documents, id, generated.Buckets(400, key.bucket,
//			partition.ID(id),
//			partition.Text("Date", date),
//		))
//	}
func (f *file) find() {
	w := f.findQuery()
	key, id, keys := f.findKeys(w)
	f.declare(f.findDoc(w), f.repositoryMethod("FindInBuckets").Params(append([]jen.Code{f.ctx()}, w.parameters()...)...).
		Params(ptr(jen.Id(f.Name)), jen.Error()).Block(
		key,
		jen.Return(f.lib("FindInBuckets").Call(jen.Id("ctx"), jen.Id("r").Dot("Documents"), id, keys)),
	))
}

// findsInBuckets reports whether there is a search under all suffixes: not in a table
// whose row keys hold more than the id.
func (f *plan) findsInBuckets() bool { return f.random() != nil && f.Row == nil }

// findDoc is the comment of the search by w.
func (f *file) findDoc(w keyQuery) string {
	return fmt.Sprintf("FindInBuckets returns the %s of this %s, whichever suffix it has: %s. It returns %s "+
		"if no suffix has it, and %s if several do.", f.Name, prose.Enumerate(w.list()), f.costFind().Words, f.in("ErrNotFound"), f.in("ErrAmbiguous"))
}

// findKeys returns the statement that makes the key of a base, the text of the item id,
// and the keys of all suffixes.
func (f *file) findKeys(w keyQuery) (key, id, keys jen.Code) {
	base := f.baseOf(w)
	level := *f.random()
	checks := append([]jen.Code{f.checkID(jen.Id(w.args[0].param))}, f.checksOf(base)...)
	all := jen.Qual(generatedPath, "Buckets").Call(append([]jen.Code{jen.Lit(level.Bucket().Reach()), f.bucketFunction(base)}, checks...)...)
	for _, c := range f.filters(base) {
		all = f.where(all, w, c)
	}
	return f.keyOf(base.args), textOf(f.ID, jen.Id(w.args[0].param)), f.inContainers(all, base, true)
}

// baseOf returns w without the item id, unless that is part of the key.
func (f *file) baseOf(w keyQuery) keyQuery {
	w.known = f.keyComponents()
	w.args = slices.DeleteFunc(slices.Clone(w.args), func(a argument) bool {
		return !slices.ContainsFunc(w.known, func(c placed) bool { return c.Selector == a.Selector })
	})
	return w
}
