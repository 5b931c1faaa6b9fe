// Package emulator runs an Azure Cosmos DB for NoSQL account inside the process,
// for tests and for programs without an account at hand.
//
//	srv := emulator.New(t, emulator.Options{Partitions: 5})
//	client := srv.Client(nil)
//
// The client is a real azcosmos client that talks real HTTP to a server on a
// port of 127.0.0.1, so that the SDK's own behaviour (headers, retries, paging,
// caches) is part of what is tested. The server keeps ids unique in a logical
// partition only, finds nothing under the wrong key, places documents on
// physical partitions by their effective partition key, and refuses across
// partitions what the service's gateway refuses. What it does not support is
// answered with status 400, never with a wrong answer.
//
// A test can look at every request ([Server.Requests]), let requests fail
// ([Server.Inject]), split a physical partition ([Server.Split]), run out of
// request units ([Options].Throughput), meet the limits of documents and logical
// partitions at a size of its own choice, and let time pass ([Server.Advance]).
// docs/emulator.md says what is modelled, what is invented and what is missing.
//
// This package knows the SDK and how to start and stop a server. The protocol
// itself is in package server, which does not depend on the SDK. Data is kept in
// memory and gone with the server.
package emulator
