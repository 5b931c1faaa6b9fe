// Package wire knows how azcosmos and the service behave: the policies of a client
// and their order, headers and statuses, the checks of answers, which failures leave
// open whether a write took effect, session tokens, and what requests cost.
//
// With package route, which it uses, this is one of the two packages that rely on how
// azcosmos behaves. Another version of the SDK, or another transport, changes these
// two and no other.
//
// The package knows neither Go types of documents nor queries. Its functions return
// the causes of failures; callers make an [documents.Error]
// of these, and the face its *Error.
package wire
