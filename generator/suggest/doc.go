// Package suggest proposes cosmos tags for struct types that have none.
//
//	result, err := suggest.Find(ctx, suggest.Options{Patterns: []string{"./..."}})
//	…
//	err = result.Commit()
//
// It takes an exported struct for a document if some of its fields have JSON
// names, one of them a string of the name id, if it has properties of its own,
// and if no struct of the packages embeds it, and none that looks like a document
// has it as a part. Each document gets a container of its own: where packages have
// documents of one name, the containers are called by the packages as well. A
// document that names another by its id is told how both can share a container.
// What it proposes follows Azure's guidance on choosing a partition key
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
// Names and types are all that it knows. How many values a property has, how
// often each is written, and by what requests find their documents, the source
// does not say; each proposal names what is left to judge.
//
// The package changes source, which package generator reads: it does not know
// how keys are made, nor what generated code looks like.
//
// # Stability
//
// The package is for the command of pkgen, which is its only caller. Its API may
// change with any release.
package suggest
