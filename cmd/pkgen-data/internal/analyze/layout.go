package analyze

import "time"

// Layout is what the sample shows of one layout.
type Layout struct {
	Layout string `json:"layout"` // the template
	// Current says that it is the layout that pkgen.lock has.
	Current bool `json:"current"`
	// Documents is how many documents have a key by the layout.
	Documents int64 `json:"documents"`
	// LogicalPartitions is how many different keys these have.
	LogicalPartitions int64 `json:"logicalPartitions"`
	// LogicalPartitionsError is the standard error of LogicalPartitions relative to it;
	// 0 if it is exact.
	LogicalPartitionsError float64 `json:"logicalPartitionsError"`
	// Unique says whether each document has a key of its own; nil if that is not known.
	Unique *bool `json:"unique"`
	// Largest are the ten keys with most documents, in descending order.
	Largest []LogicalPartition `json:"largest"`
	// CountError is by how many documents the counts of Largest can be too low; 0 if they
	// are exact.
	CountError int64 `json:"countError"`
	// Biggest is the key with most bytes, and its growth; nil without documents.
	Biggest *Growth `json:"biggest"`
	// Keyless are the documents without a key, by reason.
	Keyless []Keyless `json:"keyless"`
	// Collisions are documents that have the same key as a document with other components.
	Collisions Collisions `json:"collisions"`
	// Monotonicity is the rank correlation (Spearman's rho) of keys, in their order as
	// texts or numbers, with time, or with the order of the sample if documents have no
	// time. From -1 to 1; nil if all keys or all times are equal.
	Monotonicity *float64 `json:"monotonicity"`
	// HashMonotonicity is the same for effective partition keys: near 0, since they are
	// hashes.
	HashMonotonicity *float64 `json:"hashMonotonicity"`
	// Hot says how much of the writes of a minute, an hour and a day the busiest key of
	// that minute, hour or day takes. It is empty if documents have no time.
	Hot []Hot `json:"hot"`
	// Stays is the longest time for which one key stays the busiest; nil if documents
	// have no time, or no key has several of an interval.
	Stays *Stays `json:"stays"`
	// WriteRU is what writing the average document costs, in request units, as package
	// charge has it: 5 RU for 1 KB, 50 RU for 100 KB, and in between by started kilobytes.
	WriteRU float64 `json:"writeRequestUnits"`
	// Partitions is the spread over physical partitions, an element for each number of
	// them, and one for the container's own.
	Partitions []*Spread `json:"partitions"`
	// Curve is the sorted load curve: documents of logical partitions in descending order.
	// It has at most 200 points, the first and the last rank among them.
	Curve []Point `json:"curve"`
	// Ring has the documents of each interval of time, of [Report.Times], in 128 equal
	// parts of all effective partition keys. It is nil if documents have no time.
	Ring [][]uint32 `json:"-"`
	// Fan is how many logical partitions hold the documents of one base: the product of
	// the numbers of buckets; 1 without buckets.
	Fan int `json:"buckets"`
	// Reads is what reads cost; nil if no calls are known.
	Reads    *Reads    `json:"reads,omitempty"`
	Findings []Finding `json:"findings"`

	overShare bool // a key has more than [Limits.MaxShare]
}

// LogicalPartition is a key and its documents.
type LogicalPartition struct {
	Key       string  `json:"key"`
	Documents int64   `json:"documents"`
	Share     float64 `json:"share"` // of the documents with a key
	Bytes     int64   `json:"bytes"`
}

// Growth is the key with most bytes, and when it is full.
type Growth struct {
	LogicalPartition

	// BytesPerDay is its growth between its first and its last document; 0 if they have no
	// time, or the same.
	BytesPerDay int64 `json:"bytesPerDay"`
	// Full is when it reaches 20 GB at that rate. It is nil if the key does not grow for
	// long, as a date: its documents are of less than half of the time of the sample, or
	// the last one is older than half of the time from its first to its last.
	Full *time.Time `json:"full"`
}

// Keyless are documents without a key.
type Keyless struct {
	Property string `json:"property,omitempty"`
	// Problem is one word, as package layout has it: "missing".
	Problem   string  `json:"problem"`
	Reason    string  `json:"reason"` // of the first of them
	Documents int64   `json:"documents"`
	Lines     []int64 `json:"lines"` // of the first of them
}

// Collisions are documents whose key has the text of other components.
type Collisions struct {
	Documents int64       `json:"documents"`
	Examples  []Collision `json:"examples,omitempty"`
}

// Collision is a key of different components.
type Collision struct {
	Key  string `json:"key"`
	Line int64  `json:"line"` // of the document that came later
}

// Hot says how much of the writes of an interval its busiest key takes.
type Hot struct {
	Interval string `json:"interval"` // "minute", "hour" or "day"
	// Intervals is how many of them were looked at: at most 1,440, fewer if they have many
	// keys, chosen by a hash.
	Intervals int `json:"intervals"`
	// Of is how many of them have documents, which is an estimate if it is above Intervals.
	Of int64 `json:"of"`
	// Documents is how many documents the intervals have that were looked at.
	Documents int64 `json:"documents"`
	// Share of these documents is under the busiest key of their interval, at least.
	Share float64 `json:"share"`
	// ShareError is by how much Share can be too low; 0 if it is exact.
	ShareError float64 `json:"shareError"`
	// Most is the interval with the highest share, among those with at least 100
	// documents; nil if there is none.
	Most *HotKey `json:"most"`
}

// HotKey is the busiest key of an interval.
type HotKey struct {
	Key   string    `json:"key"`
	From  time.Time `json:"from"`
	Share float64   `json:"share"`
}

// Stays says for how long a key is the busiest of each interval.
type Stays struct {
	Key      string    `json:"key"`
	Interval string    `json:"interval"` // "minute", "hour" or "day"
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
}

// Point is a point of the sorted load curve.
type Point struct {
	Rank      int64   `json:"rank"` // counts from 1
	Documents int64   `json:"documents"`
	Share     float64 `json:"share"` // of all documents up to this rank
}
