// Package conformance runs the same tests on the run time of every API of Cosmos DB. A [Face]
// represents an API: the generated repository of its type of [Event], and of its type of [Pair] if
// keys may collide.
//
// The faces and their tests are in folders of their own, each with the server that it runs on.
package conformance
