package shapes

import (
	"context"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Windowed is a Store of several containers, for periods of time.
type Windowed interface {
	Store

	// Between reads the documents of some months.
	Between(ctx context.Context, from, to time.Time) ([]Doc, error)
}

// OpenWindows returns the documents of a repository as a Windowed store.
func OpenWindows[T any, K generated.Key, P keyed[T, K]](docs *repository.Documents[T, K], queries any, between func(from, to time.Time) repository.Query[T]) Store {
	return windowed[T, K, P]{open[T, K, P](docs, queries), between}
}

type windowed[T any, K generated.Key, P keyed[T, K]] struct {
	*typed[T, K, P]
	between func(from, to time.Time) repository.Query[T]
}

func (w windowed[T, K, P]) Between(ctx context.Context, from, to time.Time) ([]Doc, error) {
	return w.collect(w.between(from, to).All(ctx))
}
