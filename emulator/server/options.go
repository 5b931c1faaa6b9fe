package server

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// Sizes that the service allows ("Azure Cosmos DB service quotas").
const (
	// maxBody is the most bytes of a document and of a request: 2 MB.
	maxBody = 2 << 20
	// maxPartition is the most bytes of a logical partition: 20 GB.
	maxPartition = 20 << 30
)

// maxResources is the most databases and containers of an account together ("Azure Cosmos DB
// service quotas").
const maxResources = 500

// queryTime is the longest time of a page of a query ("Azure Cosmos DB service quotas",
// per-request limits).
const queryTime = 5 * time.Second

// maxDrain is how many unread bytes of a body are discarded. Many clients read no response
// before they have sent their body, and would take an earlier close for a broken connection.
const maxDrain = 1 << 30

// Options configure a Server. The zero value is ready.
type Options struct {
	// Partitions is the least number of physical partitions of a container; below 1 means 1.
	// Provisioned throughput above 10,000 RU/s per partition adds more, as in the service.
	Partitions int
	// Throughput, if positive, limits request units: each physical partition of a container
	// provides an equal share of the container's provisioned throughput in every second, and
	// refuses requests with 429 when its share is spent. It is also the throughput, in RU/s, of
	// a container that is created without throughput in a database without throughput. 0 means
	// that nothing is refused.
	Throughput int
	// Serverless makes the account serverless: its containers and databases have no throughput,
	// and refuse requests to set or read it. It excludes Throughput.
	Serverless bool
	// Latency is the least duration of every request.
	Latency time.Duration
	// Key is the account key, base64; empty means WellKnownKey.
	Key string
	// Endpoint is the base URL that the account returns to clients; empty means the host of
	// each request.
	Endpoint string
	// ScanLimit is the number of documents after which a query ends a page, full or not, as in
	// the service when a page takes too long: pages may be empty, and aggregates come in parts.
	// 0 means no limit.
	ScanLimit int
	// QueryTime is the longest evaluation of one page of a query. A page ends after half of it,
	// full or not. A query that cannot be divided, or that takes longer for a single document,
	// gets 408. 0 means 5 seconds, as in the service.
	QueryTime time.Duration
	// MaxDocument is the most bytes of a document, including system properties. 0 means 2 MB. A
	// higher limit has no effect, since a request has at most 2 MB.
	MaxDocument int
	// MaxLogicalPartition is the most bytes of all documents with one partition key; 0 means 20
	// GB.
	MaxLogicalPartition int64
	// MaxResources is the most databases and containers of the account together; 0 means 500.
	MaxResources int
	// AllVersions is how long the account keeps all versions and deletions of items, for the
	// change feed of that mode; 0 means that it has no such feed. With AllVersions, the account
	// does not merge physical partitions.
	AllVersions time.Duration
	// NoIndexes disables global secondary indexes, as in an account of the service before
	// enableMaterializedViews is set: containers with a definition are refused.
	NoIndexes bool
	// IndexLag is the time, by the clock of the server, until a write reaches the global
	// secondary indexes of its container, and the time that a new index spends in each of its
	// first two states. 0 means that an index shows every write at once. See
	// [Server.SetIndexLag].
	IndexLag time.Duration
	// Regions are the regions of the account, the write region first. Empty means one region
	// without a name. Names are those of PreferredRegions, such as "West Europe".
	Regions []string
	// RegionEndpoints has the base URL of each region, by name, as the account returns it to
	// clients. A URL without a host, such as https://:8082/, has the host by which the client
	// reached the server. Each of Regions needs its own: a request that reaches the server as a
	// handler is for the region whose endpoint has its host, or otherwise for the account.
	RegionEndpoints map[string]string
	// MultiWrite makes every region a write region. See [Server.SetMultiWrite].
	MultiWrite bool
	// ReplicationLag is the time, by the clock of the server, until the other regions have a
	// write. 0 means that they have it at once. See [Server.SetReplication].
	ReplicationLag time.Duration
	// Consistency is the default consistency level of the account: Strong, BoundedStaleness,
	// Session, ConsistentPrefix or Eventual. Empty means Session for an account with several
	// regions and Strong for one with a single region. Several write regions exclude Strong.
	Consistency string
	// Lenient accepts requests that the service's gateway accepts although its documentation
	// forbids them or warns of them: ids with / \ ? #, and containers whose partition key
	// definition has version 1 or none, which is equivalent. Their documents are placed by the
	// hash of that version. Throughput can then be changed more than 25 times in five minutes,
	// as test suites do to split partitions. Full text needs no index to be ranked, and is
	// compared word by word; a server that is not lenient refuses searches whose results depend
	// on stemming.
	Lenient bool
	// Records keep the databases. The server starts with their content, and responds to a
	// request when everything that the response can show is kept. Package emulator/folder has
	// records on disk. Nil means that databases are only in memory.
	Records Records
	// Clock returns the time for documents, their expiry, request units and the Date of
	// responses; nil means time.Now. Signatures are checked by the clock of the machine.
	Clock func() time.Time
	// Explorer serves a page at /_explorer/ to browsers on this machine, for viewing and
	// changing the account.
	Explorer bool
	// Logf, if set, is called with a line for every request.
	Logf func(format string, args ...any)
}

// Records keep databases after the process has ended. Package emulator/folder implements them.
type Records interface{ store.Records }

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
