// Package api is what package documents asks of an API of Cosmos DB: a [Driver], which
// sends one request, and a [Container], which says whose documents those are. It has what
// drivers share: attempts, requests side by side, values of conditions.
package api
