// Package table is the run time of generated code for Azure Cosmos DB for Table, and for the
// tables of Azure Storage, which have the same API.
//
// pkgen writes a repository, which embeds [Documents], for each type with the tag
// cosmos:"api=table". A client is made with [Configure]:
//
//	service, err := aztables.NewServiceClientFromConnectionString(text, table.Configure(nil))
//	err = EnsureVehicleEventTable(ctx, service)
//	events := NewVehicleEventRepository(service)
//
// # Stored form
//
// A document is an entity. Its PartitionKey is the partition key of the layout, and its RowKey
// is the id, or the row key of the tag row=. The other fields are properties with their JSON
// names, and the type that fits the Go type: Int32, Int64, Double, Boolean, String, DateTime,
// Guid for a type of 16 bytes whose text is one, and Binary. A nil pointer and a nil slice are
// absent. A type with MarshalText is stored as that text.
//
// A document reads back as it was stored. Values outside these limits are an error, before any
// request: a time is of the years from 1601, a text is UTF-8, an unsigned number is at most the
// greatest int64, a text (in UTF-16) or a slice of bytes has at most 64 KiB, and an entity 1
// MiB. Times have a precision of 100 ns, and read back in UTC.
//
// # Limits of tables
//
// Queries have no order of their choice, generated code cannot change a part of a document,
// there is no change feed, and the service cannot count or add up. Azure Storage returns
// entities in the order of partition key and row key. Cosmos DB does not promise this order
// ("Frequently asked questions about Azure Cosmos DB for Table").
package table

// V1 is the contract between generated code and this package. Generated code refers to it, so
// that code for another version does not compile.
const V1 = 1
