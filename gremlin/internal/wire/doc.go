// Package wire speaks the protocol of Azure Cosmos DB's API for Gremlin: traversals as
// text with bindings, in GraphSON 2 over websockets; answers in several parts, in JSON
// without types. It knows connections, requests, answers and statuses, and nothing of
// vertices.
//
// A connection has one request at a time. Others would be possible, since answers name
// their request; but then a connection that breaks leaves the outcome of several writes
// unknown, a large answer holds up small ones, and a request that is given up has to be
// followed until its last answer. A request that is given up closes its connection, so
// that no later request can read its answers.
package wire
