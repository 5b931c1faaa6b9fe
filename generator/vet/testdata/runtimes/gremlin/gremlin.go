// Package gremlin declares what generated code and the tests name of the run time of the
// same path, without its driver.
package gremlin

import (
	"context"
	"iter"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Documents reads and writes the documents of one type.
type Documents[T any, K generated.Key] struct{ *documents.Collection[T, K] }

// Query selects documents.
type Query[T any] = documents.Query[T]

// NewQuery returns the query of documents under keys.
func NewQuery[T any, K generated.Key](*Documents[T, K], generated.Keys) Query[T] { return Query[T]{} }

// V1 is named by generated code.
const V1 = 1

// Option is an option of New.
type Option func()

// Client is where a graph is.
type Client struct{}

// New returns the vertices of a label.
func New[T any, K generated.Key](*Client, string, *generated.Model[T, K], ...Option) *Documents[T, K] {
	return nil
}

// EdgeModel has what generated code says of a type of edges.
type EdgeModel[E any] struct {
	Type   string
	ID     func(*E) string
	Prefix string
}

// Edges reads and writes the edges of one type.
type Edges[E any, F, K generated.Key] struct{}

// NewEdges returns the edges of a label.
func NewEdges[E, A any, F generated.Key, B any, K generated.Key](*Client, string, *EdgeModel[E], *generated.Model[A, F], *generated.Model[B, K], ...Option) *Edges[E, F, K] {
	return nil
}

// Edge is an edge as it is stored.
type Edge[E any] struct{ Edge *E }

func (*Edges[E, F, K]) Create(context.Context, F, K, *E) error           { return nil }
func (*Edges[E, F, K]) Get(context.Context, F, string) (*Edge[E], error) { return nil, nil }
func (*Edges[E, F, K]) From(F) EdgeQuery[E]                              { return EdgeQuery[E]{} }

// EdgeQuery selects edges.
type EdgeQuery[E any] struct{}

func (EdgeQuery[E]) All(context.Context) iter.Seq2[*Edge[E], error] { return nil }

// Out selects the vertices that edges lead to.
func Out[E any, F, K generated.Key, B any](*Edges[E, F, K], F, *generated.Model[B, K]) Query[B] {
	return Query[B]{}
}

// In selects the vertices that edges come from.
func In[E any, F, K generated.Key, A any](*Edges[E, F, K], K, *generated.Model[A, F]) Query[A] {
	return Query[A]{}
}
