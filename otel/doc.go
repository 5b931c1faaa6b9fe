// Package cosmosotel tells OpenTelemetry what repositories do: spans and metrics by its
// semantic conventions for Azure Cosmos DB
// (https://opentelemetry.io/docs/specs/semconv/database/cosmosdb/). It is a module of its
// own, so that programs without it do not get the dependency.
//
//	import cosmosotel "github.com/cosmos-pkgen/pkgen/otel"
//
//	orders := NewOrderRepository(container, cosmosotel.Options()...)
//
// # Spans
//
// Each operation of a repository is one span of kind client, such as "read_item orders",
// a child of the span in its context. Its requests are events of the span. Spans of the
// SDK, if its client has a TracingProvider, are its children. A request that belongs to no
// operation, such as one for the lease of a change feed processor, is a span by itself.
// A span has
//
//   - db.system.name, db.operation.name, db.collection.name, db.namespace,
//     server.address and server.port, azure.resource_provider.namespace, and
//     azure.client.id if [ClientID] says it;
//   - azure.cosmosdb.operation.request_charge: the sum of the requests, without attempts
//     that the client repeated; db.response.returned_rows, of pages;
//   - db.response.status_code and azure.cosmosdb.response.sub_status_code of the last
//     answer, or of the last one that was an error if the operation failed;
//   - error.type, if the operation failed: the status code, "timeout", "canceled", or
//     "_OTHER";
//   - pkgen.type, pkgen.requests, pkgen.retries and pkgen.throttled, and
//     pkgen.physical_partition if all requests went to one that is known.
//
// Operations that the conventions have no name for are update_item, which reads and
// replaces, move_item, and find_in_buckets. Neither ids nor partition keys nor tenants are
// shown unless [Keys] asks for them.
//
// If the account gets a second write region, or has one again, the span of the context that is
// under way has an event, write regions, with pkgen.write_regions.
//
// # Metrics
//
// Histograms db.client.operation.duration, azure.cosmosdb.client.operation.request_charge
// and db.client.response.returned_rows, by db.operation.name, db.collection.name,
// db.namespace, server.address and, of failures, db.response.status_code,
// azure.cosmosdb.response.sub_status_code and error.type. Collections beyond the first 200
// of a process are "_OTHER", so that a container for each tenant does not make a series
// for each.
//
// The duration of a query, or of an iteration of changes, includes what the loop of the
// caller takes. Database, host, rows, retries and status codes of successes are known of
// clients made with repository.Configure.
package cosmosotel
