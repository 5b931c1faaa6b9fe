// Package table declares what generated code and the tests name of the run time of the
// same path, without its driver.
package table

import (
	"context"

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
