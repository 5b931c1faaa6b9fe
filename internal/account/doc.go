// Package account reads an Azure Cosmos DB account over its REST protocol: databases, containers,
// physical partitions, the documents of a window of effective partition keys, and the change feed.
// It writes single documents.
//
// The commands of pkgen-data use it instead of azcosmos, which has neither windows of effective
// partition keys nor the change feed of all versions and deletions.
//
// [Account.Sample] reads a container, or randomly chosen windows of its keys, within a budget of
// request units and at a rate ([Account.Pace]). [Account.Budget] sets a rate for concurrent
// requests. With Azure identity, a credential renews the token.
//
// A request that is throttled, or that fails temporarily, is sent up to ten times, after the pause
// that the service requests. Errors contain no documents and no keys.
package account
