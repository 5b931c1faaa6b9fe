// Package wire implements the protocol of Azure Cosmos DB's API for Gremlin: traversals as
// text with bindings, in GraphSON 2 over websockets; answers in several parts, in JSON without
// types. It handles connections, requests, answers and statuses, and does not depend on
// vertices.
//
// A connection has one request at a time. The protocol allows several, since answers name
// their request. But then a broken connection would leave the outcome of several writes
// unknown, a large answer would delay small ones, and a cancelled request would have to be
// read to its last answer. A cancelled request closes its connection, so that no later request
// can read its answers.
package wire
