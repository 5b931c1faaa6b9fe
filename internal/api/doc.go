// Package api is the interface between package documents and an API of Cosmos DB: a [Driver] sends
// one request, and a [Container] describes the documents. It also has code that drivers share:
// attempts, concurrent requests, values of conditions.
package api
