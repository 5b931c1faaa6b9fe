// Package store holds the databases of an account in memory: containers, their physical
// and logical partitions, documents, and provisioned throughput.
//
// It has the rules of the service for what may be stored: keys, ids, sizes, unique keys,
// times to live, conditions, transactions, patches. The change feed is the sequence of
// writes in a physical partition, [Document].LSN, which every document keeps of its last
// write. A document lies where its effective partition key says.
//
// A container has a replica for each region of the account, with documents of its own. See
// [Container.In], [Account.Failover] and [Account.SetReplication].
//
// It knows no HTTP, and of the query language only what the definition of a global
// secondary index may have. Errors are of type [*status.Error]. The caller
// says what time it is.
//
// # Locks
//
// An [Account] and each [Container] have a lock. The methods take them in one order: the
// account, a container, its replicas in other regions by their number, its global secondary
// indexes, the replicas of these. [Container.Transact] and [Container.Read] call a function with the container
// locked: what they pass, and the fields of ranges and documents, may be used only until
// that function returns.
//
// A [Document] never changes, nor do [Documents] and a [RangeSnapshot], which are used
// without a lock for as long as somebody needs them. So whatever takes its time, such as
// the evaluation of a query, reads snapshots, and holds up neither writers nor readers.
package store
