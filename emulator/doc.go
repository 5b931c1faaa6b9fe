// Package emulator runs an Azure Cosmos DB for NoSQL account inside the process,
// for tests and for programs without an account at hand.
//
//	srv := emulator.New(t, emulator.Options{Partitions: 5})
//	client := srv.Client(nil)
//
// The client is a real azcosmos client that talks real HTTP to a server on a
// port of 127.0.0.1, so that a test covers the SDK's own behaviour too: headers,
// retries, paging, caches. In the server, as in the service, an id is unique in its
// logical partition only, the wrong key finds nothing, documents lie on physical
// partitions by their effective partition key, and the gateway refuses some queries
// across partitions. The server answers a request that it does not support with
// status 400, never with a wrong answer.
//
// A test can look at every request ([Server.Requests]), let requests fail
// ([Server.Inject]), split a physical partition ([Server.Split]), run out of
// request units ([Options].Throughput), reach the limits of documents and logical
// partitions at a size of its own choice, and let time pass ([Server.Advance]). An
// account with several regions ([Options].Regions) lags, loses regions and fails over.
// docs/emulator.md says what is modelled, what is invented and what is missing.
//
// This package knows the SDK, and starts and stops a server. The protocol itself is
// in package server, which does not depend on the SDK. Data is in memory, and is
// lost when the server is closed.
package emulator
