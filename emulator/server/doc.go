// Package server is an in-process server for the REST protocol of Azure Cosmos DB for NoSQL.
//
// It models everything that affects the choice of a partition key. Logical partition and id
// together identify an item. A request with another key does not find it. The effective
// partition key decides its physical partition. A query runs in one logical partition, in one
// physical partition, or across all of them within the limits of the service's gateway. The
// package also has the conditions, status codes, substatus codes, paging and authentication of
// the service. It keeps a journal of all requests, and fails on demand. Items expire, and
// request units are counted and can run out; a test can advance the clock for both.
//
// It depends on no SDK, and keeps everything in memory unless it has Records. With
// Options.Regions it has several regions, each with its own replica. Request charges follow a
// simple model. It refuses unsupported requests with status 400 and a message. All other
// responses are those of the service, as far as known; docs/emulator.md lists the differences.
//
// The rooms below it, in emulator/internal, do not depend on a server: store has databases,
// containers and documents, query reads pages of them, evaluation evaluates queries. This
// package has the routes, authentication, responses, faults and the journal.
//
// This package is unstable: it is for the command pkgen and for package emulator, and its names
// change with them. Programs and tests use package emulator.
package server
