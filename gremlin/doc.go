// Package gremlin stores documents as vertices of a graph of Azure Cosmos DB's API for
// Gremlin, and what lies between them as edges. Generated code of types with
// `cosmos:"api=gremlin"` uses it.
//
// A [Client] is connected to one graph. Generated repositories embed [Documents] for types
// of vertices and [Edges] for types of edges.
//
//	client, err := gremlin.NewClient("wss://ACCOUNT.gremlin.cosmos.azure.com:443/", "db", "graph", key)
//	devices := NewDeviceRepository(client)
//	err = devices.Create(ctx, &Device{…})
//
// Traversals are sent as text, and every value apart from it, as a binding. The graph is
// created with the partition key path that pkgen explain -container prints: the API for
// Gremlin cannot create one.
//
// # How documents are stored
//
// A vertex has the label of its type, the id, the property of the partition key, and a
// property of one value for each field. Times are texts in UTC with seven digits of a
// second, such as 2024-02-29T01:02:03.0000000Z; a type with a MarshalText is that text. A
// nil pointer is an absent property, and zero values are stored.
//
// # What the API cannot do
//
// Vertices have no version that a program may compare, so that [Documents.Replace] is
// won by who writes last. There are no transactions. A traversal may take 30 seconds. The
// service runs a traversal of several steps as several reads and writes: what another
// program changes meanwhile may be seen in part.
package gremlin

// V1 is there in every release whose run time fits code generated for version 1. Generated
// code names it, so that it does not compile with a run time that does not fit.
const V1 = 1
