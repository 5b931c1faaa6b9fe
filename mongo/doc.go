// Package mongo is the run time of generated code for Azure Cosmos DB for MongoDB.
//
// A type with the tag cosmos:"api=mongo" has a repository, which pkgen writes and which
// embeds [Documents]. A client is made with [Configure]:
//
//	client, err := driver.Connect(mongo.Configure(options.Client().ApplyURI(uri)))
//	events := NewVehicleEventRepository(client.Database("fleet"))
//
// # What is stored
//
// A document is stored as BSON, as the MongoDB driver writes it: a bson tag names a
// property, or else the json tag does. The id is the property _id, and the partition key
// is the collection's shard key. Both are in the filter of each request for one document,
// since accounts with request units keep an _id unique only within a shard. If the type
// has a field for the ETag, each write stores a new random text there, by which Replace
// and DeleteIfMatch notice that a document has changed.
//
// A document reads back as it was stored. Values that BSON cannot hold are refused by a
// [documents.FieldError], which names the field: a time with a part of a millisecond, or more than
// 292 million years from 1970; a text that is not UTF-8, and a key of a map that is not,
// or has a zero byte; a NaN; a uint64 above the greatest int64; a struct of which only
// unexported fields hold something. A time reads back in UTC. A type with MarshalText is
// stored as that text.
//
// # What MongoDB does not have
//
// There are no transactions, since the service has them only for unsharded collections,
// and no change feed: the driver's Watch gives the change stream of an account. Request
// units are not counted: the service tells the charge of a request only to a further
// request on the same connection. See Azure Monitor for them.
package mongo

// V1 says that generated code and this package fit together. Generated code refers to it,
// so that code of another version does not compile.
const V1 = 1
