// Package suggest proposes cosmos tags for struct types that have none.
//
//	result, err := suggest.Find(ctx, suggest.Options{Patterns: []string{"./..."}})
//	…
//	err = result.Commit()
//
// It takes an exported struct for a document if some of its fields have JSON
// names, one of them a string of the name id, if it has properties of its own,
// if no struct of the packages embeds it, and if no struct that looks like a
// document has it as a part. Each document gets a container of its own: if packages
// have documents of one name, the names of the containers include the packages. If
// a document has the id of another, the proposal says how both can share a container.
// Proposals follow Azure's guidance on choosing a partition key
// ("Partitioning and horizontal scaling in Azure Cosmos DB", "Hierarchical
// partition keys in Azure Cosmos DB" and "Create a synthetic partition key"), by
// the names and types of the fields:
//
//   - A property that names a tenant, a customer, a user or a device is a natural
//     key. A second one, in documents whose number grows with time, makes a
//     hierarchical key.
//   - A date alone takes a random suffix. With the id of a device, it is a second
//     level at most, or the base of a hash suffix among the other keys.
//   - Without any of these, the item id is the key.
//   - A status, an enumeration or a bool is never one.
//
// The package knows only names and types. The source does not say how many values
// a property has, how often each is written, or how requests find their documents;
// each proposal asks these questions.
//
// The package changes source, which package generator reads: it does not know
// how keys are made, nor what generated code looks like.
//
// # Stability
//
// The package is for the command of pkgen, which is its only caller. Its API may
// change with any release.
package suggest
