// Package cosmosotel reports the activity of repositories to OpenTelemetry: spans and metrics
// by its semantic conventions for Azure Cosmos DB
// (https://opentelemetry.io/docs/specs/semconv/database/cosmosdb/). It is a separate module, so
// that other programs do not get the dependency.
//
//	import cosmosotel "github.com/cosmos-pkgen/pkgen/otel"
//
//	orders := NewOrderRepository(container, cosmosotel.Options()...)
//
// # Spans
//
// Each operation of a repository is one span of kind client, such as "read_item orders", a
// child of the span in its context. Its requests are events of the span. Spans of the SDK, if
// its client has a TracingProvider, are its children. A request without an operation, such as
// one for the lease of a change feed processor, is a span of its own. A span has
//
//   - db.system.name, db.operation.name, db.collection.name, db.namespace, server.address and
//     server.port, azure.resource_provider.namespace, and azure.client.id with [ClientID];
//   - azure.cosmosdb.operation.request_charge: the sum of the requests, without attempts that
//     the client repeated; db.response.returned_rows, of pages;
//   - db.response.status_code and azure.cosmosdb.response.sub_status_code of the last response,
//     or of the last error response if the operation failed;
//   - error.type, if the operation failed: the status code, "timeout", "canceled", or "_OTHER";
//   - pkgen.type, pkgen.requests, pkgen.retries and pkgen.throttled, and
//     pkgen.physical_partition if all requests went to the same known one.
//
// The conventions have no name for the operations update_item, which reads and replaces,
// move_item, and find_in_buckets. Ids, partition keys and tenants appear only with [Keys].
//
// If the account gets a second write region, or returns to one, the current span has an event,
// write regions, with pkgen.write_regions.
//
// # Metrics
//
// Histograms db.client.operation.duration, azure.cosmosdb.client.operation.request_charge and
// db.client.response.returned_rows, by db.operation.name, db.collection.name, db.namespace,
// server.address and, for failures, db.response.status_code,
// azure.cosmosdb.response.sub_status_code and error.type. Collections beyond the first 200 of a
// process are "_OTHER", so that a container per tenant does not make a series per tenant.
//
// The duration of a query, or of an iteration of changes, includes the time of the caller's
// loop. Database, host, rows, retries and status codes of successes are known only with clients
// made with repository.Configure.
package cosmosotel
