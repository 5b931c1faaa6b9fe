package charge

import "math"

// Request charges follow Microsoft's published figures, interpolated by size: a point read is 1 RU
// for 1 KB and 10 RU for 100 KB ("Request units in Azure Cosmos DB"); a write is about 5 RU for 1
// KB and 50 RU for 100 KB ("Optimize request cost"). A query page costs a floor per physical
// partition, plus a little for the bytes returned. This is a model: use it to compare designs, not
// to predict a bill.
const (
	Refused     = 1.0  // a request without effect
	Metadata    = 2.0  // a read or write of a database, container or range
	QueryFloor  = 2.5  // per physical partition that a query page reads
	chargeRowKB = 0.05 // per started KB of a page
)

// Read is the cost of a point read of a document of n bytes.
func Read(n int) float64 {
	return math.Max(1, 1+(kilobytes(n)-1)*9/99)
}

// Write is the cost of writing or deleting a document of n bytes.
func Write(n int) float64 { return 5 * Read(n) }

// Page is the cost of one page of a query or feed that reads a number of physical partitions and
// returns n bytes.
func Page(partitions, n int) float64 {
	// The conversions prevent fusing the sum, which rounds differently on some machines.
	return float64(QueryFloor*float64(max(partitions, 1))) + float64(chargeRowKB*kilobytes(n))
}

// kilobytes counts started kilobytes.
func kilobytes(n int) float64 { return math.Ceil(float64(n) / 1024) }
