// Package generated has the types with which generated code describes a document type to the
// run time: its [Model], and the [Keys] that a query reads.
//
// Programs use the repositories that pkgen writes and package repository. This package changes
// together with the generator; the constant [repository.V1] ties the two.
//
// The package only has data. It sends no requests, and does not depend on package repository,
// which interprets the data.
//
// [repository.V1]: https://pkg.go.dev/github.com/cosmos-pkgen/pkgen/repository#V1
package generated
