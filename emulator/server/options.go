package server

import "time"

// Sizes that the service allows ("Azure Cosmos DB service quotas").
const (
	// maxBody is the size of a document and of a request: 2 MB.
	maxBody = 2 << 20
	// maxPartition is the size of a logical partition: 20 GB.
	maxPartition = 20 << 30
)

// maxDrain bounds what is read and thrown away of a body that is too large, so
// that the client sees the answer and not a broken connection.
const maxDrain = 32 << 20

// Options configure a Server. The zero value is ready.
type Options struct {
	// Partitions is the least number of physical partitions of a container;
	// below 1 means 1. Provisioned throughput above 10,000 RU/s a partition
	// adds more, as in the service.
	Partitions int
	// Throughput, if positive, switches request unit budgets on: each physical
	// partition of a container provides an equal share of the container's
	// provisioned throughput in every second, and refuses requests with 429 when
	// that is spent. It is the throughput of containers that are created with
	// none, themselves or by their database. 0 means that nothing is refused.
	Throughput int
	// Serverless makes the account a serverless one: its containers and databases
	// have no throughput, which can be neither set nor read. It goes without
	// Throughput.
	Serverless bool
	// Latency is how long every request takes at least.
	Latency time.Duration
	// Key is the account key, base64; empty means WellKnownKey.
	Key string
	// Endpoint is the base URL by which clients reach the server, as the account
	// names it to them; empty means the host of each request.
	Endpoint string
	// ScanLimit is the number of documents after which a query ends a page, full
	// or not, as the service does when a page takes too long: pages may be
	// empty and aggregates partial, and clients must cope. 0 means no limit.
	ScanLimit int
	// MaxDocument is the size in bytes that a document may have, system
	// properties included. 0 means 2 MB, and more than that has no effect, since a
	// request has no room for it.
	MaxDocument int
	// MaxLogicalPartition is the size in bytes that all documents of one
	// partition key may have together; 0 means 20 GB.
	MaxLogicalPartition int64
	// Lenient accepts what the service's gateway accepts although its
	// documentation forbids it: ids with / \ ? #, and containers that are not of
	// key version 2, which are then placed by the hash of version 2 all the same.
	Lenient bool
	// Logf, if set, is called with a line for every request.
	Logf func(format string, args ...any)
}

// withDefaults fills in what a zero field stands for.
func (o Options) withDefaults() Options {
	o.Partitions = max(o.Partitions, 1)
	o.Throughput = max(o.Throughput, 0)
	if o.Key == "" {
		o.Key = WellKnownKey
	}
	if o.MaxDocument <= 0 {
		o.MaxDocument = maxBody
	}
	if o.MaxLogicalPartition <= 0 {
		o.MaxLogicalPartition = maxPartition
	}
	return o
}
