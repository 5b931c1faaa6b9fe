// Package generated holds what only generated code needs of the run time: the
// [Model] of a document type and the [Keys] that a query reads.
//
// Programs use the repositories that pkgen writes and package repository. The
// declarations here change together with the generator; [repository.V1] is the
// constant that ties the two.
//
// The package is data only. It sends no requests and knows nothing of the
// repository package, which interprets what stands here.
//
// [repository.V1]: https://pkg.go.dev/github.com/cosmos-pkgen/pkgen/repository#V1
package generated
