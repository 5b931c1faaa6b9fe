// Package gremlin stores documents as vertices of a graph of Azure Cosmos DB's API for Gremlin,
// and relations between them as edges. Generated code of types with `cosmos:"api=gremlin"` uses
// it.
//
// A [Client] is connected to one graph. Generated repositories embed [Documents] for types of
// vertices and [Edges] for types of edges.
//
//	client, err := gremlin.NewClient("wss://ACCOUNT.gremlin.cosmos.azure.com:443/", "db", "graph", key)
//	devices := NewDeviceRepository(client)
//	err = devices.Create(ctx, &Device{…})
//
// Traversals are sent as text, and every value separately, as a binding. Create the graph with
// the partition key path that pkgen explain -container prints: the API for Gremlin cannot
// create one.
//
// # Stored form
//
// A vertex has the label of its type, the id, the property of the partition key, and a
// single-valued property for each field. Times are texts in UTC with seven digits of a second,
// such as 2024-02-29T01:02:03.0000000Z; a type with a MarshalText is that text. A nil pointer
// is an absent property, and zero values are stored.
//
// # Limits of the API
//
// Vertices have no version that a program can compare, so the last writer wins in
// [Documents.Replace]. There are no transactions. A traversal may take 30 seconds. The service
// runs a traversal of several steps as several reads and writes: concurrent changes of other
// programs may be partly visible.
package gremlin

// V1 is the contract between generated code and this package. Generated code refers to it, so
// that code for another version does not compile.
const V1 = 1
