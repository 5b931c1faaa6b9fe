package analyze

// Index is what a sample shows of a global secondary index: its keys, and whether it pays.
// An index is a container of its own, so that its keys have the figures of a layout.
type Index struct {
	// Keys are the keys of the index. Writes of the index spread by them, and the index has
	// the limits of a container: 20 GB and 10,000 RU/s for a logical partition.
	Keys *Layout `json:"keys"`
	// Made says that the key has a text that programs store in the documents: an index takes
	// properties unchanged.
	Made bool `json:"made"`
	// Asks is how many logical partitions a read asks that gives the key: the buckets of one
	// base, and one if the key is a bucket of what the read gives.
	Asks int `json:"asks"`
	// BreakEven says from how many reads on the index pays, for each number of physical
	// partitions, whatever the calls are.
	BreakEven []BreakEven `json:"breakEven"`
	// Advice are sentences for people about BreakEven.
	Advice string `json:"advice"`
	// Uses are what calls cost without and with the index, for each of [Report.Layouts]. It
	// is nil if no calls are known.
	Uses []*IndexUse `json:"uses,omitempty"`
}

// BreakEven is from where on an index pays, if the container answers a read by asking all
// physical partitions, and the index by the logical partitions of its key.
type BreakEven struct {
	// Physical is how many physical partitions the container and the index have each.
	Physical int `json:"physical"`
	// Reads is how many such reads there have to be for 100 writes of documents; nil if the
	// index never pays.
	Reads *float64 `json:"readsFor100Writes"`
}

// TouchesFewer reports whether a read touches fewer physical partitions of an index than of the
// container. Both numbers are expected values, because many buckets are on nearly all physical
// partitions.
func TouchesFewer(index, container float64) bool { return index < 0.99*container }

// IndexUse is what calls cost without and with an index, in a container of one layout.
type IndexUse struct {
	Layout string `json:"layout"` // of the container
	// Partitions is how many physical partitions the container and the index have each.
	Partitions int `json:"partitions"`
	// Known says that a call that reads knows the key of the index, or its first levels.
	Known bool `json:"known"`
	// Answers are the methods whose calls the index answers from fewer physical partitions
	// than the container does.
	Answers []IndexAnswer `json:"answers"`
	// Reads is how many calls a second these are, of Calls a second in all.
	Reads float64 `json:"reads"`
	Calls float64 `json:"calls"`
	// Writes is how many documents a second the calls write or delete. Entries is how many
	// writes of the index a second follow: two for a document whose key in the index changes.
	Writes  float64 `json:"writes"`
	Entries float64 `json:"entries"`
	// Without and With are what all calls cost.
	Without Load `json:"without"`
	With    Load `json:"with"`
	// IndexReads and IndexWrites are the RU/s of With that the throughput of the index has
	// to give. The service sends the writes, so that they are no requests of programs.
	IndexReads  float64 `json:"indexReads"`
	IndexWrites float64 `json:"indexWrites"`
	// Saves is Without less With, in RU/s; negative if the index costs more than it saves.
	Saves float64 `json:"saves"`
	// ReadsFor100Writes is how many of Reads there are for 100 Writes; nil without writes.
	ReadsFor100Writes *float64 `json:"readsFor100Writes"`
	// BreakEven is from how many on the index pays, and BreakEvenShare the same as a share
	// of all calls, if the others remain; nil if the index answers no call.
	BreakEven      *float64 `json:"breakEven"`
	BreakEvenShare *float64 `json:"breakEvenShare"`
	// Pays says that the index saves request units, and sustains its own load.
	Pays bool `json:"pays"`
	// Reason says for people why the index pays, or not.
	Reason string `json:"reason"`
	// Others are the same for the other numbers of physical partitions that are looked at.
	Others []*IndexUse `json:"others,omitempty"`
}

// Load is what calls cost in a second.
type Load struct {
	RequestUnits float64 `json:"requestUnits"`
	Requests     float64 `json:"requests"`
}

// IndexAnswer is a method whose calls an index answers.
type IndexAnswer struct {
	Method string   `json:"method"`
	Knows  []string `json:"knows"` // properties
	Calls  float64  `json:"calls"` // per second
	// Container and Index say what one call costs in each.
	Container OneCall `json:"container"`
	Index     OneCall `json:"index"`
}

// OneCall is what one call costs.
type OneCall struct {
	RequestUnits float64 `json:"requestUnits"`
	Requests     float64 `json:"requests"`
	Partitions   int     `json:"partitions"` // physical ones that it touches
}
