// Package table is the run time of generated code for Azure Cosmos DB for Table, and for
// the tables of Azure Storage, which have the same API.
//
// A type with the tag cosmos:"api=table" has a repository, which pkgen writes and which
// embeds [Documents]. A client is made with [Configure]:
//
//	service, err := aztables.NewServiceClientFromConnectionString(text, table.Configure(nil))
//	err = EnsureVehicleEventTable(ctx, service)
//	events := NewVehicleEventRepository(service)
//
// # What is stored
//
// A document is an entity. Its PartitionKey is the partition key of the layout, and its
// RowKey is the id, or what the tag row= makes. The other fields are properties by their
// JSON names, with the type that fits the Go type: Int32, Int64, Double, Boolean, String,
// DateTime, Guid for a type of 16 bytes whose text is one, and Binary. A nil pointer and a
// nil slice are absent. A type with MarshalText is that text.
//
// A document reads back as it was stored, with these limits, which an error names before
// anything is sent: a time is of the years from 1601, a text is UTF-8, an unsigned number
// is no larger than an int64, a text or a slice of bytes takes 64 KiB at most, a text
// in UTF-16, and an entity 1 MiB. Times keep 100 ns, and read back in UTC.
//
// # What tables do not have
//
// There is no order of a query's choice, no part of a document that could be changed by
// itself in generated code, no change feed, and nothing that counts or adds up in the
// service. Azure Storage gives entities in the order of partition key and row key. Cosmos
// DB does not promise this order ("Frequently asked questions about Azure Cosmos DB for
// Table").
package table

// V1 says that generated code and this package fit together. Generated code refers to it,
// so that code of another version does not compile.
const V1 = 1
