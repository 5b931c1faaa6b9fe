package analyze

// Spread is how documents spread over physical partitions.
type Spread struct {
	// Physical is how many physical partitions there are.
	Physical int `json:"physical"`
	// Own says that they are those of the container, and not equal ranges.
	Own bool `json:"own,omitempty"`
	// Effective is how many physical partitions the layout uses: writes are limited by the
	// busiest one, so it is 1 / BusiestShare.
	Effective float64 `json:"effective"`
	// Divided is how many are used at most once the service has divided ranges within the
	// first levels of a hierarchical key; 0 if that makes no difference, or first levels do
	// not last, or the sample does not tell.
	Divided float64 `json:"divided,omitempty"`
	// BusiestShare is the share of the documents that lie in the busiest one.
	BusiestShare float64 `json:"busiestShare"`
	// SustainableWrites is how many documents a second can be written if they spread as
	// those of the whole sample do: Effective × 10,000 RU/s / [Layout.WriteRU].
	SustainableWrites float64 `json:"sustainableWrites"`
	// ByTime is the same by interval of time; nil if documents have no time.
	ByTime *SpreadByTime `json:"byTime"`
	// Documents has the documents of each physical partition, in the order of their
	// ranges.
	Documents []int64 `json:"documents"`
	// Series has the documents of each interval of time, of [Report.Times], in each
	// physical partition. It is nil if documents have no time.
	Series [][]uint32 `json:"-"`
}

// SpreadByTime is a spread by interval of time.
type SpreadByTime struct {
	// Effective is how many physical partitions the layout uses in each interval; 0 in one
	// without documents.
	Effective []float64 `json:"effective"`
	// Together is how many intervals are taken as one, so that half of those with documents
	// have at least 20 for each physical partition; 1 if one interval is enough, or nothing
	// is.
	Together int `json:"together"`
	// Intervals is how many intervals, so taken together, have that many documents.
	Intervals int `json:"intervals"`
	// Median and Worst are of these intervals; 0 if there are none.
	Median float64 `json:"median"`
	Worst  float64 `json:"worst"`
	// SustainableWrites is what the layout sustains in the median interval.
	SustainableWrites float64 `json:"sustainableWrites"`
}

// ThroughputOfPartition is the maximum throughput of a physical partition in RU/s
// (https://learn.microsoft.com/azure/cosmos-db/partitioning-overview#physical-partitions).
const ThroughputOfPartition = 10_000

// MostBytesOfKey is the maximum size of a logical partition: 20 GB
// (https://learn.microsoft.com/azure/cosmos-db/concepts-limits#provisioned-throughput).
const MostBytesOfKey = 20_000_000_000
