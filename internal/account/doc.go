// Package account reads an Azure Cosmos DB account over its REST protocol: databases,
// containers, physical partitions, the documents of a window of effective partition
// keys, and the change feed. It writes single documents.
//
// The commands of pkgen-data use it in place of azcosmos, which has neither windows of
// effective partition keys nor the change feed of all versions and deletions.
//
// [Account.Sample] reads a container, or windows of its keys that are chosen at random,
// within a budget of request units and at a rate ([Account.Pace]). [Account.Budget] is a
// rate of requests that are sent at the same time. Azure identity is a
// token, which a credential renews.
//
// A request that is throttled, or that fails for a moment, is repeated up to ten times,
// after the time that the service names. Errors hold no documents and no keys.
package account
