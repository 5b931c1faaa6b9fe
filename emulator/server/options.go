package server

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// Sizes that the service allows ("Azure Cosmos DB service quotas").
const (
	// maxBody is the size of a document and of a request: 2 MB.
	maxBody = 2 << 20
	// maxPartition is the size of a logical partition: 20 GB.
	maxPartition = 20 << 30
)

// maxResources is how many databases and containers an account may have together ("Azure
// Cosmos DB service quotas").
const maxResources = 500

// queryTime is how long a page of a query may take ("Azure Cosmos DB service quotas",
// per-request limits).
const queryTime = 5 * time.Second

// maxDrain is how many bytes of a body that nothing reads are thrown away. Many clients
// read no answer before they have sent their body: to them, a connection that is closed
// earlier is broken.
const maxDrain = 1 << 30

// Options configure a Server. The zero value is ready.
type Options struct {
	// Partitions is the least number of physical partitions of a container;
	// below 1 means 1. Provisioned throughput above 10,000 RU/s a partition
	// adds more, as in the service.
	Partitions int
	// Throughput, if positive, limits request units: each physical partition of a
	// container provides an equal share of the container's provisioned throughput in
	// every second, and refuses requests with 429 when its share is spent. It is also
	// what a container gets, in RU/s, that is created without throughput in a database
	// without throughput. 0 means that nothing is refused.
	Throughput int
	// Serverless makes the account a serverless one: its containers and databases
	// have no throughput, and refuse requests to set or read it. It excludes
	// Throughput.
	Serverless bool
	// Latency is how long every request takes at least.
	Latency time.Duration
	// Key is the account key, base64; empty means WellKnownKey.
	Key string
	// Endpoint is the base URL by which clients reach the server, as the account
	// names it to them; empty means the host of each request.
	Endpoint string
	// ScanLimit is the number of documents after which a query ends a page, full or
	// not, as the service does when a page takes too long: pages may be empty, and
	// aggregates come in parts. 0 means no limit.
	ScanLimit int
	// QueryTime is how long the evaluation of one page of a query may take. After half of
	// it a page ends, full or not. A query that cannot be divided, or that takes longer
	// for a single document, gets 408. 0 means 5 seconds, as in the service.
	QueryTime time.Duration
	// MaxDocument is the size in bytes that a document may have, system properties
	// included. 0 means 2 MB. More has no effect, since a request has at most 2 MB.
	MaxDocument int
	// MaxLogicalPartition is the size in bytes that all documents of one
	// partition key may have together; 0 means 20 GB.
	MaxLogicalPartition int64
	// MaxResources is how many databases and containers the account may have together;
	// 0 means 500.
	MaxResources int
	// AllVersions is how long the account keeps all versions and deletions of items,
	// for the change feed of that mode; 0 means that it has no such feed. Such an
	// account does not merge physical partitions.
	AllVersions time.Duration
	// NoIndexes makes the account one without global secondary indexes, as an account of the
	// service is until enableMaterializedViews is set: containers with a definition are
	// refused.
	NoIndexes bool
	// IndexLag is how long a write takes, by the clock of the server, until it reaches the
	// global secondary indexes of its container, and how long a new index is in each of its
	// first two states. 0 means that an index shows every write at once. See
	// [Server.SetIndexLag].
	IndexLag time.Duration
	// Regions are the regions of the account, the write region first. Empty means one region,
	// which has no name of its own. Names are those that clients prefer, such as "West
	// Europe".
	Regions []string
	// RegionEndpoints has the base URL of each region, by its name, as the account names it
	// to clients. A URL without a host, such as https://:8082/, has the host by which the
	// client reached the server. Each of Regions needs one of its own: a request that reaches
	// the server as a handler is for the region whose endpoint has its host, or else for the
	// account.
	RegionEndpoints map[string]string
	// MultiWrite makes every region a write region. See [Server.SetMultiWrite].
	MultiWrite bool
	// ReplicationLag is how long a write takes, by the clock of the server, until the other
	// regions have it. 0 means that they have it at once. See [Server.SetReplication].
	ReplicationLag time.Duration
	// Consistency is the default consistency level of the account: Strong, BoundedStaleness,
	// Session, ConsistentPrefix or Eventual. Empty means Session for an account with several
	// regions and Strong for one with a single region. Several write regions exclude Strong.
	Consistency string
	// Lenient accepts what the service's gateway accepts although its documentation
	// forbids it or warns of it: ids with / \ ? #, and containers whose partition key
	// definition is of version 1 or has no version, which means the same. Their
	// documents are placed by the hash of that version. Throughput can then be changed
	// more than 25 times in five minutes: suites of tests split partitions by it. Full text
	// needs no index to be ranked, and is compared word by word; a server that is not
	// lenient refuses searches that the stems of words decide.
	Lenient bool
	// Records keep the databases. The server takes over what they hold, and answers a
	// request when everything that its answer can show is kept. Package
	// emulator/folder has records on disk. Nil means that databases are in memory only.
	Records Records
	// Clock says what the time is for documents, their expiry, request units and the Date of
	// answers; nil means time.Now. Signatures are checked by the clock of the machine.
	Clock func() time.Time
	// Explorer serves the page at /_explorer/ to people at this machine, on which they
	// look at the account and change it.
	Explorer bool
	// Logf, if set, is called with a line for every request.
	Logf func(format string, args ...any)
}

// Records keep databases after the process has ended. Package emulator/folder has them.
type Records interface{ store.Records }

// limits returns the limits of the account of a server.
func (o Options) limits() store.Limits {
	return store.Limits{
		Partitions:          o.Partitions,
		Throughput:          o.Throughput,
		Serverless:          o.Serverless,
		MaxDocument:         o.MaxDocument,
		MaxLogicalPartition: o.MaxLogicalPartition,
		Resources:           o.MaxResources,
		AllVersions:         o.AllVersions,
		NoIndexes:           o.NoIndexes,
		IndexLag:            o.IndexLag,
		Lenient:             o.Lenient,
		Regions:             o.Regions,
		MultiWrite:          o.MultiWrite,
		ReplicationLag:      o.ReplicationLag,
		Consistency:         o.Consistency,
	}
}

// account returns the account of a server.
func (o Options) account() (*store.Account, error) {
	if o.Records == nil {
		return store.New(o.limits()), nil
	}
	return store.Restore(o.limits(), o.Records)
}

// withDefaults replaces zero fields by their defaults.
func (o Options) withDefaults() Options {
	o.Partitions = max(o.Partitions, 1)
	o.Throughput = max(o.Throughput, 0)
	o.AllVersions = max(o.AllVersions, 0)
	o.ReplicationLag = max(o.ReplicationLag, 0)
	o.Consistency = store.Limits{Regions: o.Regions, Consistency: o.Consistency}.DefaultConsistency()
	if o.Key == "" {
		o.Key = WellKnownKey
	}
	if o.QueryTime <= 0 {
		o.QueryTime = queryTime
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.MaxDocument <= 0 {
		o.MaxDocument = maxBody
	}
	if o.MaxLogicalPartition <= 0 {
		o.MaxLogicalPartition = maxPartition
	}
	if o.MaxResources <= 0 {
		o.MaxResources = maxResources
	}
	return o
}
