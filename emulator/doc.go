// Package emulator runs an Azure Cosmos DB for NoSQL account inside the process, for tests and
// for programs without an account.
//
//	srv := emulator.New(t, emulator.Options{Partitions: 5})
//	client := srv.Client(nil)
//
// The client is a real azcosmos client that talks real HTTP to a server on a port of 127.0.0.1,
// so that a test also covers the SDK: headers, retries, paging, caches. In the server, as in
// the service, an id is unique only in its logical partition, the wrong key finds nothing,
// documents lie on physical partitions by their effective partition key, and the gateway
// refuses some queries across partitions. The server responds to an unsupported request with
// status 400, never with a wrong answer.
//
// A test can examine every request ([Server.Requests]), make requests fail ([Server.Inject]),
// split a physical partition ([Server.Split]), run out of request units ([Options].Throughput),
// set lower limits for documents and logical partitions, and advance the clock
// ([Server.Advance]). An account with several regions ([Options].Regions) lags, loses regions
// and fails over. docs/emulator.md lists everything that is modelled, invented or missing.
//
// This package depends on the SDK, and starts and stops a server. The protocol itself is in
// package server, which does not. Data is in memory, and is lost when the server is closed.
package emulator
