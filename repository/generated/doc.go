// Package generated holds the types by which generated code describes a document
// type to the run time: its [Model], and the [Keys] that a query reads.
//
// Programs use the repositories that pkgen writes and package repository. This
// package changes together with the generator; the constant [repository.V1] ties
// the two.
//
// The package is data only. It sends no requests, and does not know package
// repository, which interprets the data.
//
// [repository.V1]: https://pkg.go.dev/github.com/cosmos-pkgen/pkgen/repository#V1
package generated
