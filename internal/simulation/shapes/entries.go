package shapes

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// Index is the global secondary index of a shape, by the tag of documents.
type Index struct {
	Container  azcosmos.ContainerProperties
	Definition *containers.Index
	Open       func(c *azcosmos.ContainerClient, o ...repository.Option) Entries
}

// NewIndex returns an index of a container with all its properties.
func NewIndex(properties azcosmos.ContainerProperties, source string, open func(*azcosmos.ContainerClient, ...repository.Option) Entries) *Index {
	return &Index{properties, containers.NewIndex(source, nil), open}
}

// With returns the shape with an index.
func (s Shape) With(x *Index) Shape {
	s.Index = x
	return s
}

// Entries are what programs read of an index.
type Entries interface {
	// Scan reads all entries, in pages of a size if that is not 0.
	Scan(ctx context.Context, size int) ([]Doc, error)
	// ByTag reads the entries of a tag.
	ByTag(ctx context.Context, tag string) ([]Doc, error)
	Count(ctx context.Context) (int, error)
}

// entries are Entries of a type.
type entries[E any] struct {
	reflected[E]
	index *repository.Index[E]
	byTag func(tag string) repository.Query[E]
}

// OpenEntries returns the entries of a repository.
func OpenEntries[E any](x *repository.Index[E], byTag func(tag string) repository.Query[E]) Entries {
	return entries[E]{fieldsOf[E](), x, byTag}
}

func (e entries[E]) Scan(ctx context.Context, size int) ([]Doc, error) {
	return e.read(ctx, e.index.Scan(), size)
}

func (e entries[E]) ByTag(ctx context.Context, tag string) ([]Doc, error) {
	return e.collect(e.byTag(tag).All(ctx))
}

func (e entries[E]) Count(ctx context.Context) (int, error) { return e.index.Scan().Count(ctx) }
