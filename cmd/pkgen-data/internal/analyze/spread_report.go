package analyze

// Spread is how documents spread over physical partitions.
type Spread struct {
	// Physical is the number of physical partitions.
	Physical int `json:"physical"`
	// Own reports that they are the container's own, not equal ranges.
	Own bool `json:"own,omitempty"`
	// Effective is the number of physical partitions that the layout uses: the busiest one
	// limits writes, so it is 1 / BusiestShare.
	Effective float64 `json:"effective"`
	// Divided is the maximum number that are used once the service has divided ranges within
	// the first levels of a hierarchical key. It is 0 if that makes no difference, if first
	// levels do not last, or if the sample does not show it.
	Divided float64 `json:"divided,omitempty"`
	// BusiestShare is the share of the documents in the busiest one.
	BusiestShare float64 `json:"busiestShare"`
	// SustainableWrites is the number of documents that can be written per second if they
	// spread like the whole sample: Effective × 10,000 RU/s / [Layout.WriteRU].
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
	// Effective is the number of physical partitions that the layout uses in each interval; 0
	// in an interval without documents.
	Effective []float64 `json:"effective"`
	// Together is the number of intervals that are merged into one, so that half of the merged
	// intervals with documents have at least 20 for each physical partition. It is 1 if one
	// interval is enough, or if no number is.
	Together int `json:"together"`
	// Intervals is the number of merged intervals that have so many documents.
	Intervals int `json:"intervals"`
	// Median and Worst are of these intervals; 0 if there are none.
	Median float64 `json:"median"`
	Worst  float64 `json:"worst"`
	// SustainableWrites is the number of documents per second that the layout sustains in the
	// median interval.
	SustainableWrites float64 `json:"sustainableWrites"`
}

// ThroughputOfPartition is the maximum throughput of a physical partition in RU/s
// (https://learn.microsoft.com/azure/cosmos-db/partitioning-overview#physical-partitions).
const ThroughputOfPartition = 10_000

// MostBytesOfKey is the maximum size of a logical partition: 20 GB
// (https://learn.microsoft.com/azure/cosmos-db/concepts-limits#provisioned-throughput).
const MostBytesOfKey = 20_000_000_000
