// Package mongo is the run time of generated code for Azure Cosmos DB for MongoDB.
//
// pkgen writes a repository, which embeds [Documents], for each type with the tag
// cosmos:"api=mongo". A client is made with [Configure]:
//
//	client, err := driver.Connect(mongo.Configure(options.Client().ApplyURI(uri)))
//	events := NewVehicleEventRepository(client.Database("fleet"))
//
// # Stored form
//
// A document is stored as BSON, as the MongoDB driver writes it: a property has the name in the
// bson tag, or otherwise in the json tag. The id is the property _id, and the partition key is
// the collection's shard key. Both are in the filter of each request for one document, since
// accounts with request units keep an _id unique only within a shard. If the type has a field
// for the ETag, each write stores a new random text there, with which Replace and DeleteIfMatch
// detect changes.
//
// A document reads back as it was stored. A value that BSON cannot represent is a
// [documents.FieldError], which names the field: a time with a fraction of a millisecond, or
// more than 292 million years from 1970; a text or a key of a map that is not UTF-8, or a key
// with a zero byte; a NaN; a uint64 above the greatest int64; a struct with only unexported
// fields. A time reads back in UTC. A type with MarshalText is stored as that text.
//
// # Limits of MongoDB
//
// There are no transactions, since the service has them only for unsharded collections, and no
// change feed: the driver's Watch returns the change stream of an account. Request units are
// not counted: the service reports the charge of a request only to a further request on the
// same connection. Use Azure Monitor.
package mongo

// V1 is the contract between generated code and this package. Generated code refers to it, so
// that code for another version does not compile.
const V1 = 1
