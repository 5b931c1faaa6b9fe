// Package account reads an Azure Cosmos DB account over its REST protocol: databases,
// containers, physical partitions, the documents of a window of effective partition
// keys, and the change feed. It writes single documents.
//
// Commands use it in place of azcosmos, since everybody who generates code compiles
// the command, and the SDK would double the time that this takes.
//
// [Account.Sample] reads a container, or windows of its keys that are chosen at random,
// within a budget of request units and at a rate ([Account.Pace]). [Account.Budget] is a
// rate of requests that are sent at the same time. Azure identity is a
// token, which the command az renews.
//
// A request that is throttled, or that fails for a moment, is repeated up to ten times,
// after the time that the service names. Errors hold no documents and no keys.
package account
