package conformance

import (
	"context"
	"iter"
)

// PairRepository has the functions of a generated repository of pairs of type T, by its own types.
type PairRepository[T, K any] struct {
	To   func(Pair) *T
	From func(*T) Pair

	Create, Upsert, Replace func(context.Context, *T) error

	KeyOf  func(*T) K
	Get    func(context.Context, K) (*T, error)
	Delete func(context.Context, K) error

	// Of yields the pairs of a left and a right text.
	Of func(ctx context.Context, left, right string) iter.Seq2[*T, error]
}

// PairsOf adapts a repository.
func PairsOf[T, K any](r PairRepository[T, K]) Pairs { return pairs[T, K]{r} }

type pairs[T, K any] struct{ r PairRepository[T, K] }

// write calls a write and copies the result from the document.
func (v pairs[T, K]) write(ctx context.Context, p *Pair, f func(context.Context, *T) error) error {
	doc := v.r.To(*p)
	err := f(ctx, doc)
	*p = v.r.From(doc)
	return err
}

func (v pairs[T, K]) Create(ctx context.Context, p *Pair) error { return v.write(ctx, p, v.r.Create) }

func (v pairs[T, K]) Upsert(ctx context.Context, p *Pair) error { return v.write(ctx, p, v.r.Upsert) }

func (v pairs[T, K]) Replace(ctx context.Context, p *Pair) error { return v.write(ctx, p, v.r.Replace) }

func (v pairs[T, K]) Get(ctx context.Context, p Pair) (*Pair, error) {
	doc, err := v.r.Get(ctx, v.r.KeyOf(v.r.To(p)))
	if err != nil {
		return nil, err
	}
	found := v.r.From(doc)
	return &found, nil
}

func (v pairs[T, K]) Delete(ctx context.Context, p Pair) error {
	return v.r.Delete(ctx, v.r.KeyOf(v.r.To(p)))
}

func (v pairs[T, K]) Of(ctx context.Context, left, right string) iter.Seq2[*Pair, error] {
	return func(yield func(*Pair, error) bool) {
		for doc, err := range v.r.Of(ctx, left, right) {
			if err != nil {
				yield(nil, err)
				return
			}
			found := v.r.From(doc)
			if !yield(&found, nil) {
				return
			}
		}
	}
}
