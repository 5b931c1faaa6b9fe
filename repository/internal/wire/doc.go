// Package wire handles the behaviour of azcosmos and of the service: the policies of a client
// and their order, headers and statuses, the checks of answers, the failures that leave open
// whether a write took effect, session tokens, and the cost of requests.
//
// Only this package and package route, which it uses, rely on the behaviour of azcosmos.
// Another version of the SDK, or another transport, changes these two packages only.
//
// The package depends on neither Go types of documents nor queries. Its functions return the
// causes of failures. Callers make a [documents.Error] from them, and package repository makes
// its *Error.
package wire
