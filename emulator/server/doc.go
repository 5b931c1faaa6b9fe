// Package server is an in-process server that speaks the REST protocol of
// Azure Cosmos DB for NoSQL.
//
// It models what matters to a program that chooses partition keys. Logical partition
// and id together identify an item. A request with another key does not find it. The
// effective partition key decides which physical partition holds it. A query runs in
// one logical partition, in one physical partition, or across all of them within the
// limits of the service's gateway. The package also has the conditions, status
// codes, substatus codes, paging and authentication of the service. It keeps a
// journal of all requests, and fails on demand. Items expire, and request units are
// counted and can run out; a test can move the clock forward for both.
//
// It does not know any SDK, and keeps everything in memory unless it has Records. With
// Options.Regions it has several regions, each with a replica of its own. Request charges follow a simple model. It refuses what it does
// not support with status 400 and a message that says so. All other answers are
// those of the service, as far as they are known; docs/emulator.md lists where they
// are not.
//
// The rooms below it, in emulator/internal, know no server: store holds databases,
// containers and documents, query reads pages of them, evaluation evaluates queries.
// This package has the routes, authentication, answers, faults and the journal.
//
// This package is unstable: it is for the command pkgen and for package emulator,
// and its names change with them. Programs and tests use package emulator.
package server
