// Package table declares what generated code and the tests name of the run time of the
// same path, without its driver.
package table

import (
	"context"
	"iter"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Documents reads and writes the documents of one type.
type Documents[T any, K generated.Key] struct{}

func (*Documents[T, K]) Create(context.Context, *T) error              { return nil }
func (*Documents[T, K]) Upsert(context.Context, *T) error              { return nil }
func (*Documents[T, K]) Replace(context.Context, *T) error             { return nil }
func (*Documents[T, K]) Get(context.Context, K) (*T, error)            { return nil, nil }
func (*Documents[T, K]) GetMany(context.Context, []K) ([]*T, error)    { return nil, nil }
func (*Documents[T, K]) Delete(context.Context, K) error               { return nil }
func (*Documents[T, K]) CreateAll(context.Context, iter.Seq[*T]) error { return nil }
func (*Documents[T, K]) Scan() Query[T]                                { return Query[T]{} }

func (*Documents[T, K]) CreateEach(context.Context, iter.Seq[*T]) iter.Seq[error] { return nil }
func (*Documents[T, K]) UpsertEach(context.Context, iter.Seq[*T]) iter.Seq[error] { return nil }
func (*Documents[T, K]) DeleteEach(context.Context, iter.Seq[K]) iter.Seq[error]  { return nil }

// Query selects documents.
type Query[T any] struct{}

// NewQuery returns the query of documents under keys.
func NewQuery[T any, K generated.Key](*Documents[T, K], generated.Keys) Query[T] { return Query[T]{} }

func (Query[T]) Limit(int) Query[T]                       { return Query[T]{} }
func (Query[T]) All(context.Context) iter.Seq2[*T, error] { return nil }
func (Query[T]) Collect(context.Context) ([]*T, error)    { return nil, nil }
func (Query[T]) First(context.Context) (*T, error)        { return nil, nil }
func (Query[T]) Page(context.Context, string, int) (docs []*T, next string, err error) {
	return nil, "", nil
}

// V1 is named by generated code.
const V1 = 1

// Option is an option of New.
type Option func()

// The properties of documents.
type (
	String[D any, V ~string] string
	Number[D any, V any]     string
	Time[D any]              string
)

// Service is where tables are.
type Service struct{}

// New returns the documents of a table.
func New[T any, K generated.Key](*Service, string, *generated.Model[T, K], ...Option) *Documents[T, K] {
	return nil
}

// Ensure creates a table.
func Ensure(context.Context, *Service, string) error { return nil }

// Transaction has operations on the documents of one logical partition.
type Transaction struct{}

// NewTransaction returns a transaction without operations.
func NewTransaction() *Transaction { return nil }

func (*Transaction) Commit(context.Context) error { return nil }

// Operations adds operations to a transaction.
type Operations[T any, K generated.Key] struct{}

func (*Documents[T, K]) In(*Transaction) Operations[T, K] { return Operations[T, K]{} }

func (Operations[T, K]) Create(*T) error  { return nil }
func (Operations[T, K]) Replace(*T) error { return nil }
