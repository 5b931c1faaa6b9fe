// Package tinkerpop runs Apache TinkerPop's Gremlin Server for tests of the Gremlin API,
// with a graph in memory that behaves as one of Azure Cosmos DB where that matters here:
//
//   - It reads requests in GraphSON 2, and answers in GraphSON 1 without types.
//   - It wants a name and a password by SASL PLAIN.
//   - A vertex without an id or without the partition key is refused. Ids are unique within
//     a partition key, and the partition key and the id of a vertex do not change.
//   - g.V([key, id]) is a point read, and another g.V(id) is refused.
//   - It knows the orders incr and decr.
//   - An id that is taken is answered with x-ms-status-code 409, which the serializer makes
//     of the server's message.
//
// It cannot show what Cosmos DB alone has: request units, throttling, 412 for writes that
// cross, 404 for a graph that does not exist, limits of time and size, edges that the
// service stores with their source, ids of edges that are those of vertices, and which
// traversals the service's own engine accepts. Orders of texts are those of Java.
//
// Java 11 or later with its compiler, and Maven, must be installed. The server's files come
// from Maven Central, at exact versions and compared with their checksums, into the user's
// cache folder.
package tinkerpop
