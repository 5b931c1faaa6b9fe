// Package server is an in-process server that speaks the REST protocol of
// Azure Cosmos DB for NoSQL.
//
// It knows what matters to a program that chooses partition keys: an item is
// identified by its logical partition and its id, a request without the right
// key does not find it, the effective partition key decides which physical
// partition holds it, and a query runs in one logical partition, in one
// physical partition, or across all of them with the limits of the service's
// gateway. It also knows the conditions, status codes, substatus codes, paging
// and authentication that a client meets on the way, keeps a journal of every
// request, and fails on demand.
//
// Items expire, request units are counted and can run out, and the clock can be
// moved forward for both.
//
// It does not know any SDK, keeps everything in memory, and has one region and
// one consistency level. Request charges follow a simple model (see charge.go).
// What it does not support it refuses with status 400 and a message that says
// so: an answer that it gives is the answer of the service, as far as that is
// known; docs/emulator.md says where it is not.
//
// This package is unstable: it is for the command pkgen and for package emulator,
// and its names change with them. Programs and tests use package emulator.
package server
