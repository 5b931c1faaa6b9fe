// Package repository is the run time of the code that pkgen generates: typed documents in a
// container of Azure Cosmos DB for NoSQL, on the official SDK, azcosmos.
//
// A generated repository embeds [Documents] and adds the parts that depend on the type: its
// key, its container and the queries that its key allows. Programs use both together:
//
//	client, err := azcosmos.NewClientFromConnectionString(s, repository.Configure(nil))
//	…
//	events := fleet.NewVehicleEventRepository(container)
//	err = events.Create(ctx, &fleet.VehicleEvent{…})
//	for event, err := range events.ByDate("2018-08-09").All(ctx) {
//		…
//	}
//
// # Errors
//
// Operations return a *[Error]. It matches a sentinel, such as [ErrNotFound], and wraps the
// *azcore.ResponseError of the service. A key that the service would refuse is a
// *partition.KeyError, before any request.
//
// # Costs
//
// The documentation of every operation gives the number of its requests. [WithMeter] adds up
// their request units.
//
// # Sessions
//
// In an account of session consistency a read may miss a recent write, since the SDK sends no
// session tokens. Under [WithSession] every read sees the writes before it.
//
// # For generated code
//
// Generated code calls [New], [NewQuery], [FindInBuckets] and other functions whose comments
// say so, and refers to [V1]. Programs call the generated methods. Package partition makes
// keys, and the generated model describes the type.
//
// # Other packages
//
// Package admin creates containers and rewrites the documents of a type, package feed reads
// changes, and package tenancy moves tenants. Package documents has what all APIs of Cosmos DB
// share: fields and their conditions, errors, bulk operations.
//
// # State of the process
//
// A repository is cheap to make, and safe for concurrent use. The process keeps three things
// outside of clients and repositories:
//
//   - the physical partitions of each container that was queried, by the account's address and
//     the container's name: a few kilobytes per container, for as long as the process lives.
//     azcosmos keeps them in the same way;
//   - whether a repository of a draft was made. From then on, the requests of clients made with
//     [Configure] are checked: see [ErrDraft];
//   - the document that each struct was last stored as, if its type has a random suffix, for as
//     long as that struct lives: see [Documents.Create].
package repository

// V1 is the contract between generated code and this package. Generated code refers to it, so
// that code that this version of the package cannot run does not compile.
const V1 = 1
