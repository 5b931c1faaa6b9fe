// Package store holds the databases of an account in memory: containers, their physical
// and logical partitions, documents, and provisioned throughput.
//
// It has the rules of the service for what may be stored: keys, ids, sizes, unique keys, times
// to live, conditions, transactions, patches. The change feed is the sequence of writes in a
// physical partition: [Document].LSN is the number of the last write of a document. The
// effective partition key of a document decides where it is stored.
//
// A container has a replica for each region of the account, with documents of its own. See
// [Container.In], [Account.Failover] and [Account.SetReplication].
//
// The package has no HTTP. It uses the query language only to check the definitions of global
// secondary indexes. Errors are of type [*status.Error]. The caller passes the time.
//
// # Locks
//
// An [Account] and each [Container] have a lock. The methods take them in one order: the
// account, a container, its replicas in other regions by their number, its global secondary
// indexes, the replicas of these. [Container.Transact] and [Container.Read] call a function
// with the container locked. The arguments of that function, and the fields of ranges and
// documents, may be used only until it returns.
//
// [Document], [Documents] and [RangeSnapshot] are immutable, so they need no lock. Long work,
// such as the evaluation of a query, reads snapshots, and blocks neither writers nor readers.
package store
