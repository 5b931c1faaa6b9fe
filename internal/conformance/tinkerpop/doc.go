// Package tinkerpop runs Apache TinkerPop's Gremlin Server for tests of the Gremlin API. Its graph
// is in memory, and behaves like one of Azure Cosmos DB in these respects:
//
//   - It reads requests in GraphSON 2, and answers in GraphSON 1 without types.
//   - It requires a name and a password by SASL PLAIN.
//   - It refuses a vertex without an id or without the partition key. Ids are unique within
//     a partition key, and the partition key and the id of a vertex do not change.
//   - g.V([key, id]) is a point read, and any other g.V(id) is refused.
//   - It has the orders incr and decr.
//   - A duplicate id is answered with x-ms-status-code 409, which the serializer derives
//     from the server's message.
//
// It lacks what only Cosmos DB has: request units, throttling, 412 for conflicting writes, 404 for
// a missing graph, limits of time and size, edges stored with their source, ids that edges share
// with vertices, and the service's own restrictions on traversals. Texts sort as in Java.
//
// Java 11 or later with its compiler, and Maven, must be installed. The server's files come from
// Maven Central into the user's cache folder, at exact versions, and are compared with their
// checksums.
package tinkerpop
