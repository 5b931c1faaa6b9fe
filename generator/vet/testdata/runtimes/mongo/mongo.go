// Package mongo declares what generated code and the tests name of the run time of the
// same path, without its driver.
package mongo

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

// Database is where collections are.
type Database struct{}

// New returns the documents of a collection.
func New[T any, K generated.Key](*Database, string, *generated.Model[T, K], ...Option) *Documents[T, K] {
	return nil
}

// Collection, Index and Throughput say how a collection is made.
type (
	Collection struct {
		Name, ShardKey string
		Indexes        [][]Index
	}
	Index struct {
		Name       string
		Descending bool
	}
	Throughput struct{}
)

// Ensure creates a collection.
func Ensure(context.Context, *Database, Collection, Throughput) error { return nil }
