// Package plan makes the plans by which clients run a query over several physical partitions:
// the query for each partition, and how the client combines the results. Its input is the
// syntax tree of a query, and its output the JSON that the SDKs of Cosmos DB read.
//
// A client sends a query to the gateway, which refuses one that it would have to
// combine. The client then asks for the plan, sends the rewritten query to each
// physical partition of the plan's ranges, and merges rows by ORDER BY, adds up
// aggregates, joins groups, removes duplicates, and cuts off by TOP, OFFSET and LIMIT.
//
// The plan of a query with ORDER BY RANK has several queries: one for statistics of texts,
// and one for each score. The client puts the statistics into the queries of scores, sends
// them to each physical partition, and fuses the ranks.
//
// The rewritten queries are those of the service. The query plan baselines of
// Microsoft's .NET SDK show them (Azure/azure-cosmos-dotnet-v3, QueryPlanBaselineTests).
package plan
