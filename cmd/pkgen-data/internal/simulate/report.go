package simulate

// Report is what pkgen-data simulate -format json prints. docs/simulate.md describes each
// property.
type Report struct {
	Title      string   `json:"title"`
	Seed       uint64   `json:"seed"`
	Seconds    int      `json:"seconds"`
	Partitions int      `json:"partitions"`
	Throughput float64  `json:"throughput"`
	Clients    int      `json:"clients"`
	Layouts    []Result `json:"layouts"`
}

// Result is what one layout does.
type Result struct {
	Layout string `json:"layout"`

	Operations int `json:"operations"`
	Completed  int `json:"completed"`
	Failed     int `json:"failed"`
	Unfinished int `json:"unfinished"`
	Throttled  int `json:"throttled"`

	RequestUnits float64 `json:"requestUnits"`
	PerSecond    float64 `json:"perSecond"`
	Latency      Latency `json:"latency"`

	BusiestShare float64 `json:"busiestShare"`
	Effective    float64 `json:"effective"`
	Sustainable  float64 `json:"sustainable"`

	Methods   []Method   `json:"methods"`
	Physical  []Physical `json:"partitions"`
	BySeconds []Second   `json:"seconds"`

	Indexes []IndexResult `json:"indexes,omitempty"`
}

// IndexResult is what one index does under a layout of the container.
type IndexResult struct {
	Layout     string  `json:"layout"`
	Throughput float64 `json:"throughput"`

	Changes int     `json:"changes"` // writes of the container
	Applied int     `json:"applied"`
	Waiting int     `json:"waiting"` // at the end
	Oldest  float64 `json:"oldest"`  // how long the oldest one has waited at the end, in milliseconds
	// Lag is how long changes waited that were applied.
	Lag Latency `json:"lag"`
	// LagBySecond is the age of the oldest change that waits at the end of each second.
	LagBySecond []float64 `json:"lagBySecond"`

	Queries   int `json:"queries"`
	Completed int `json:"completed"`
	Failed    int `json:"failed"`
	Throttled int `json:"throttled"`

	ApplyingUnits float64    `json:"applyingUnits"`
	QueryUnits    float64    `json:"queryUnits"`
	Physical      []Physical `json:"partitions"`
}

// Latency is how long completed operations took, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// Method is what became of one operation of the scenario.
type Method struct {
	Name         string  `json:"name"`
	Operations   int     `json:"operations"`
	Completed    int     `json:"completed"`
	Failed       int     `json:"failed"`
	Throttled    int     `json:"throttled"`
	RequestUnits float64 `json:"requestUnits"`
	Latency      Latency `json:"latency"`
}

// Physical is what one physical partition did.
type Physical struct {
	Physical     int     `json:"physical"`
	Share        float64 `json:"share"`
	Requests     int     `json:"requests"`
	Throttled    int     `json:"throttled"`
	RequestUnits float64 `json:"requestUnits"`
}

// Second is what happened in one second.
type Second struct {
	Second       int     `json:"second"`
	Operations   int     `json:"operations"`
	Completed    int     `json:"completed"`
	Failed       int     `json:"failed"`
	Throttled    int     `json:"throttled"`
	RequestUnits float64 `json:"requestUnits"`
	// By physical partition.
	Units   []float64 `json:"unitsByPartition"`
	Refused []int     `json:"throttledByPartition"`
}
