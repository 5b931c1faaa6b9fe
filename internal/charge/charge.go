package charge

import "math"

// Request charges follow the figures that Microsoft publishes, interpolated by size:
// a point read is 1 RU for 1 KB and 10 RU for 100 KB ("Request units in Azure Cosmos
// DB"); a write is about 5 RU for 1 KB and 50 RU for 100 KB ("Optimize request cost").
// A query page costs a floor for each physical partition, and a little for the bytes
// that it returns. This is a model: use it to compare designs, not to predict a bill.
const (
	Refused     = 1.0  // a request that did nothing
	Metadata    = 2.0  // reading or writing a database, container or range
	QueryFloor  = 2.5  // each physical partition that a query page touches
	chargeRowKB = 0.05 // each started KB that a page returns
)

// Read is the cost of a point read of a document of n bytes.
func Read(n int) float64 {
	return math.Max(1, 1+(kilobytes(n)-1)*9/99)
}

// Write is the cost of writing or deleting a document of n bytes.
func Write(n int) float64 { return 5 * Read(n) }

// Page is the cost of one page of a query or feed that touched the given
// number of physical partitions and returned n bytes.
func Page(partitions, n int) float64 {
	// Without the conversions, some machines would fuse the sum and round differently.
	return float64(QueryFloor*float64(max(partitions, 1))) + float64(chargeRowKB*kilobytes(n))
}

// kilobytes counts started kilobytes.
func kilobytes(n int) float64 { return math.Ceil(float64(n) / 1024) }
