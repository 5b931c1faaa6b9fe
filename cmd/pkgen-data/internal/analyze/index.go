package analyze

// Index is the result for a global secondary index: its keys, and whether it pays. An index is
// a separate container, so its keys have the figures of a layout.
type Index struct {
	// Keys are the keys of the index. Writes of the index spread by them, and the index has
	// the limits of a container: 20 GB and 10,000 RU/s for a logical partition.
	Keys *Layout `json:"keys"`
	// Made reports that programs must store the text of the key in the documents: an index
	// copies properties unchanged.
	Made bool `json:"made"`
	// Asks is the number of logical partitions that a read with the key queries: the buckets
	// of one base, or one if the read determines the bucket.
	Asks int `json:"asks"`
	// BreakEven is the number of reads from which on the index pays, for each number of
	// physical partitions, independent of the calls.
	BreakEven []BreakEven `json:"breakEven"`
	// Advice are sentences for people about BreakEven.
	Advice string `json:"advice"`
	// Uses are the costs of calls without and with the index, for each of [Report.Layouts]. It
	// is nil if no calls are known.
	Uses []*IndexUse `json:"uses,omitempty"`
}

// BreakEven is the point from which on an index pays, if the container answers a read by
// querying all physical partitions, and the index by querying the logical partitions of its
// key.
type BreakEven struct {
	// Physical is the number of physical partitions of the container, and of the index.
	Physical int `json:"physical"`
	// Reads is the required number of such reads for 100 writes of documents; nil if the index
	// never pays.
	Reads *float64 `json:"readsFor100Writes"`
}

// TouchesFewer reports whether a read touches fewer physical partitions of an index than of the
// container. Both numbers are expected values, because many buckets are on nearly all physical
// partitions.
func TouchesFewer(index, container float64) bool { return index < 0.99*container }

// IndexUse is the cost of calls without and with an index, in a container of one layout.
type IndexUse struct {
	Layout string `json:"layout"` // of the container
	// Partitions is the number of physical partitions of the container, and of the index.
	Partitions int `json:"partitions"`
	// Known reports that a reading call knows the key of the index, or its first levels.
	Known bool `json:"known"`
	// Answers are the methods whose calls the index answers from fewer physical partitions
	// than the container.
	Answers []IndexAnswer `json:"answers"`
	// Reads is the number of these calls per second, and Calls the number of all calls.
	Reads float64 `json:"reads"`
	Calls float64 `json:"calls"`
	// Writes is the number of documents that the calls write or delete per second. Entries is
	// the resulting number of writes of the index per second: two for a document whose key in
	// the index changes.
	Writes  float64 `json:"writes"`
	Entries float64 `json:"entries"`
	// Without and With are the costs of all calls.
	Without Load `json:"without"`
	With    Load `json:"with"`
	// IndexReads and IndexWrites are the parts of With, in RU/s, that the throughput of the
	// index must provide. The service sends the writes, so programs do not count them as
	// requests.
	IndexReads  float64 `json:"indexReads"`
	IndexWrites float64 `json:"indexWrites"`
	// Saves is Without minus With, in RU/s; negative if the index costs more than it saves.
	Saves float64 `json:"saves"`
	// ReadsFor100Writes is the number of Reads for 100 Writes; nil without writes.
	ReadsFor100Writes *float64 `json:"readsFor100Writes"`
	// BreakEven is the number from which on the index pays, and BreakEvenShare the same as a
	// share of all calls, if the others stay the same; nil if the index answers no call.
	BreakEven      *float64 `json:"breakEven"`
	BreakEvenShare *float64 `json:"breakEvenShare"`
	// Pays reports that the index saves request units, and sustains its own load.
	Pays bool `json:"pays"`
	// Reason explains why the index pays, or why it does not.
	Reason string `json:"reason"`
	// Others are the same figures for the other numbers of physical partitions.
	Others []*IndexUse `json:"others,omitempty"`
}

// Load is the cost of calls per second.
type Load struct {
	RequestUnits float64 `json:"requestUnits"`
	Requests     float64 `json:"requests"`
}

// IndexAnswer is a method whose calls an index answers.
type IndexAnswer struct {
	Method string   `json:"method"`
	Knows  []string `json:"knows"` // properties
	Calls  float64  `json:"calls"` // per second
	// Container and Index are the costs of one call in each.
	Container OneCall `json:"container"`
	Index     OneCall `json:"index"`
}

// OneCall is the cost of one call.
type OneCall struct {
	RequestUnits float64 `json:"requestUnits"`
	Requests     float64 `json:"requests"`
	Partitions   int     `json:"partitions"` // physical ones that it touches
}
