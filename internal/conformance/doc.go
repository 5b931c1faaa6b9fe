// Package conformance asks the run time of every API of Cosmos DB the same questions. An
// API is known by a [Face]: the generated repository of its type of [Event], and of its
// type of [Pair] where keys may collide.
//
// The faces and their tests are in folders of their own, each with the server that it is
// shown by.
package conformance
